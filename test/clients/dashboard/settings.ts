/** The service. */
export const quittance = process.env.QUITTANCE_URL

/** The site with the dashboard. */
export const site = process.env.SITE_URL
