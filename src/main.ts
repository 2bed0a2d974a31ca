// Entry point: reads the settings from the environment and .env, starts the service, prints its URLs, handles signals.
import { readDotEnv } from './dot-env.ts'
import { StartError } from './embedded/start-error.ts'
import { EnvError, readEnv } from './env.ts'

try {
  const env = readEnv(process.env, readDotEnv(process.env))
  // Loaded only now: a Node that is told to exit while it still compiles what it has loaded may never do so.
  const { start } = await import('./app.ts')
  const running = await start(env)
  let since: number | null = null
  const stop = async () => {
    if (since !== null) {
      // A second signal exits, unless it follows at once: one Ctrl-C arrives twice, from the terminal and from npm.
      if (Date.now() - since > 1_000) process.exit(1)
      return
    }
    since = Date.now()
    // Ends the process when something hangs beyond the shutdown time, such as a query to a database that is gone.
    setTimeout(() => process.exit(1), env.SHUTDOWN_SECONDS * 1_000 + 2_000).unref()
    await running.stop()
    process.exit(0)
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  if (running.url !== null) {
    console.log(`Quittance is ready.
  ${env.graphql.hasGraphiql ? 'GraphiQL' : 'GraphQL '}  ${running.url}/graphql
  Docs      ${running.url}/docs
  REST      ${running.url}/openapi.json${running.localChain === null ? '' : `\n  Chain     ${running.localChain}`}`)
  } else {
    console.log('Quittance’s worker is ready.')
  }
  if (running.newAdminKey !== null) {
    console.log(`\n  Development administrator key, shown only this once: ${running.newAdminKey}`)
  }
} catch (error) {
  if (error instanceof EnvError) console.error(`These settings cannot be used:\n${error.message}`)
  else if (error instanceof StartError) console.error(error.message)
  else console.error(error)
  process.exit(1)
}
