// `quittance settings`: prints the settings in force, and where each comes from. Prints no secret.
import { z } from 'zod'
import { readDotEnv } from '../dot-env.ts'
import { type Given, givenIn } from '../env/given.ts'
import { secrecyOf } from '../env/secret.ts'
import { shown } from '../env/shown.ts'
import { EnvError, readEnv, secretSettings, variables } from '../env.ts'
import { command, readArguments, UsageError } from './command.ts'

const usage = `usage: quittance settings [--json]

  --json  prints a JSON array of objects with name, value, source and file

Prints the settings with which a service would start here: their values, and whether each comes from the environment,
from the file .env, from a file that one of them names, or is the default. Of a secret it prints that it is set; of a
URL that may contain one, its scheme, host and port.
Exit code: 0, 1 when the settings cannot be used, 2 when they cannot be read.`

const options = { json: { type: 'boolean' } } as const

type Line = { name: string; value: string | null; source: Given['source'] | 'default'; file: string | null }

export const run = (args: readonly string[]): Promise<number> =>
  command(usage, args, async () => {
    const { values } = readArguments(args, options, z.object({ json: z.boolean().default(false) }))
    const dotEnv = fileSettings()
    const lines = linesOf(process.env, dotEnv)
    if (values.json) console.log(JSON.stringify(lines, null, 2))
    else print(lines)
    try {
      readEnv(process.env, dotEnv)
      return 0
    } catch (error) {
      if (!(error instanceof EnvError)) throw error
      console.error(`These settings cannot be used:\n${error.message}`)
      return 1
    }
  })

function fileSettings(): NodeJS.ProcessEnv {
  try {
    return readDotEnv(process.env)
  } catch (error) {
    if (error instanceof EnvError) throw new UsageError(error.message.trim())
    throw error
  }
}

function linesOf(environment: NodeJS.ProcessEnv, dotEnv: NodeJS.ProcessEnv): Line[] {
  const { given, unread } = givenIn(environment, dotEnv, secretSettings)
  const defaults: Record<string, unknown> = variables.parse({})
  return Object.entries(variables.shape).map(([name, type]) => {
    const one = given.get(name)
    if (one === undefined)
      return {
        name,
        value: unread.has(name) ? 'unreadable' : (written[name] ?? textOf(defaults[name])),
        source: 'default',
        file: null,
      }
    return { name, value: shown(secrecyOf(type), one.value), source: one.source, file: one.file }
  })
}

/** The defaults that are written otherwise than they are read. */
const written: Record<string, string> = {
  NODE_ENV: 'development',
  ALLOWED_ORIGINS: '*',
  EVENT_DAYS: '0',
  GRAPHQL_INTROSPECTION: 'on',
  GRAPHIQL: 'on',
  REQUEST_LOG: 'all',
}

/** Returns a default as it would be written; null for none. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) return value.map(textOf).join(',')
  if (typeof value !== 'object') return String(value)
  return Object.entries(value)
    .map(([name, one]) => `${name}=${one}`)
    .join(',')
}

function print(lines: readonly Line[]): void {
  const width = Math.max(...lines.map(({ name }) => name.length))
  for (const { name, value, source, file } of lines) {
    const place = file === null ? source : `file ${file}, named in ${source === '.env' ? '.env' : `the ${source}`}`
    console.log(`${name.padEnd(width)}  ${value || '–'}  (${place})`)
  }
}
