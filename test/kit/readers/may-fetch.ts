/** Whether packages of Python and Java may be downloaded, which needs a network. */
export const mayFetch = process.env.FETCH_PACKAGES === '1'
