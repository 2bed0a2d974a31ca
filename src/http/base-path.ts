// The path of PUBLIC_BASE_URL, below which a proxy may serve this service together with others.
import type { RequestListener } from 'node:http'

/** Returns the path of a URL without a slash at its end; empty for a whole host. */
export const pathOf = (baseUrl: string): string => new URL(baseUrl).pathname.replace(/\/+$/, '')

/** Also answers requests whose path begins with `basePath`, because some proxies pass it on and others remove it. */
export function below(basePath: string, listener: RequestListener): RequestListener {
  if (basePath === '') return listener
  return (req, res) => {
    const { url = '' } = req
    const rest = url.startsWith(basePath) ? url.slice(basePath.length) : null
    if (rest !== null && /^[/?]|^$/.test(rest)) req.url = rest.startsWith('/') ? rest : `/${rest}`
    listener(req, res)
  }
}
