// Reads settings from the file `.env` in the working directory.
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { withoutMark } from './core/text.ts'
import { EnvError } from './env.ts'

/** Empty without the file, and in tests, which a developer's own settings must not disturb. Throws `EnvError`. */
export function readDotEnv({ NODE_ENV }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (NODE_ENV === 'test') return {}
  try {
    return parseEnv(withoutMark(readFileSync('.env', 'utf8')))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw new EnvError(`  .env cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}
