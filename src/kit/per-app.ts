// State of one running app (a batcher, a cache) without a global: created at first use, released with the app.
import type { App } from './context.ts'

export function perApp<T, Of extends Pick<App, 'pool'> = App>(make: (app: Of) => T): (app: Of) => T {
  const made = new WeakMap<App['pool'], T>()
  return app => {
    const present = made.get(app.pool)
    if (present !== undefined) return present
    const fresh = make(app)
    made.set(app.pool, fresh)
    return fresh
  }
}
