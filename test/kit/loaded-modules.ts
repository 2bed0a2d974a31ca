// Imported first by a process: prints the URL of each module of OpenTelemetry that it loads. prom-client loads the
// types and empty functions of `@opentelemetry/api`.
import { registerHooks } from 'node:module'

registerHooks({
  load(url, context, next) {
    if (/@opentelemetry\/(?!api\/)/.test(url)) console.log(JSON.stringify({ msg: 'LOADED', url }))
    return next(url, context)
  },
})
