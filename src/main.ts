// Entry point: reads the settings from the environment and .env, starts the service, prints its URLs, handles signals.
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { format, inspect } from 'node:util'
import type { Running } from './app.ts'
import { readDotEnv } from './dot-env.ts'
import { StartError } from './embedded/start-error.ts'
import { type Env, EnvError, readEnv } from './env.ts'
import type { App } from './kit/context.ts'
import { say } from './say.ts'

const mostWords = 2_000

process.on('uncaughtException', error => {
  sayWhy(error)
  process.exit(1)
})
// Libraries write texts, such as graphile-worker of a database that it has lost.
let log: Pick<App['log'], 'warn' | 'info'> | null = null
const levels = { error: 'warn', trace: 'warn', warn: 'warn', log: 'info', info: 'info' } as const
for (const [method, level] of Object.entries(levels))
  Object.assign(console, {
    [method]: (...said: unknown[]) => {
      const words = said.map(one => (one instanceof Error ? one.message : format(one))).join(' ')
      const err = said.find(one => one instanceof Error)
      if (log) log[level](err === undefined ? {} : { err }, words.slice(0, mostWords))
      else say(process.stderr, { level, msg: words.slice(0, mostWords), fields: {}, words })
    },
  })
// Node itself would write these as text.
process.removeAllListeners('warning')
process.on('warning', ({ name, message }) =>
  say(process.stderr, { level: 'warn', msg: message, fields: { warning: name }, words: `${name}: ${message}` }),
)

// A signal that comes during the start is kept: the files may have been read before it. Without a handler it would end
// the process, and systemd takes such an end for a wanted one.
let isToReload = false
let reload = () => {
  isToReload = true
}
// A terminal that is closed sends it too, and takes its programs with it.
if (!process.stdout.isTTY) process.on('SIGHUP', () => reload())

try {
  const env = readEnv(process.env, readDotEnv(process.env))
  // Loaded only now: a Node that is told to exit while it still compiles what it has loaded may never do so.
  const { start } = await import('./app.ts')
  const running = await start(env)
  log = running.app.log
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
  if (process.stdout.isTTY) process.on('SIGHUP', stop)
  await sayReady(running, env)
  reload = () => void running.reload()
  if (isToReload) reload()
} catch (error) {
  sayWhy(error)
  process.exit(1)
}

async function sayReady(
  { url, localChain, newAdminKey }: Running,
  { graphql, ROLES: roles, DATA_DIR: folder }: Env,
): Promise<void> {
  const pages = { graphql: `${url}/graphql`, docs: `${url}/docs`, rest: `${url}/openapi.json` }
  const words =
    url === null
      ? 'Quittance’s worker is ready.'
      : `Quittance is ready.
  ${graphql.hasGraphiql ? 'GraphiQL' : 'GraphQL '}  ${pages.graphql}
  Docs      ${pages.docs}
  REST      ${pages.rest}${localChain === null ? '' : `\n  Chain     ${localChain}`}`
  // Without a terminal the line may end in a collection of logs, which is no place for a key.
  const keyFile = newAdminKey === null || process.stdout.isTTY ? null : resolve(join(folder, 'admin-key'))
  if (keyFile !== null) await writeFile(keyFile, `${newAdminKey}\n`, { mode: 0o600 })
  say(process.stdout, {
    level: 'info',
    msg: url === null ? 'Quittance’s worker is ready' : 'Quittance is ready',
    fields: {
      roles,
      ...(url !== null && { url, ...pages }),
      ...(localChain !== null && { chain: localChain }),
      ...(keyFile !== null && { newAdminKeyFile: keyFile }),
    },
    words:
      newAdminKey === null
        ? words
        : `${words}\n\n  Development administrator key, shown only this once: ${newAdminKey}`,
  })
}

function sayWhy(error: unknown): void {
  if (error instanceof EnvError) {
    const msg = 'These settings cannot be used'
    const faults = error.message.split('\n').map(fault => fault.trim())
    say(process.stderr, { level: 'fatal', msg, fields: { faults }, words: `${msg}:\n${error.message}` })
  } else if (error instanceof StartError) {
    say(process.stderr, { level: 'fatal', msg: error.message, fields: {}, words: error.message })
  } else {
    const { message, stack } = error instanceof Error ? error : new Error(String(error))
    say(process.stderr, { level: 'fatal', msg: message, fields: { err: { message, stack } }, words: inspect(error) })
  }
}
