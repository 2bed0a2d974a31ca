// Shared by all commands: reading arguments, and reporting wrong ones.
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { z } from 'zod'
import { isChainFault } from '../core/errors.ts'

/** Wrong usage, or a file that cannot be read: reported in a sentence, exit code 2. */
export class UsageError extends Error {}

/** The command did not succeed: reported in a sentence, exit code 1. */
export class CommandError extends Error {}

/** The command was asked to stop, and did: reported in a sentence, exit code 130. */
export class Stopped extends Error {}

/** Runs a command and returns its exit code. `--help` prints `usage`, whatever else was given. */
export async function command(usage: string, args: readonly string[], work: () => Promise<number>): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(usage)
    return 0
  }
  try {
    return await work()
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`${error.message}\n--help says how it is used.`)
      return 2
    }
    if (error instanceof Stopped) {
      console.error(error.message)
      return 130
    }
    if (!(error instanceof CommandError) && !isChainFault(error)) throw error
    console.error(error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message)
    return 1
  }
}

type Options = NonNullable<ParseArgsConfig['options']>

/** Returns the options as `shape` parses them, and `names.length` arguments. Throws UsageError with every fault. */
export function readArguments<T>(
  args: readonly string[],
  options: Options,
  shape: z.ZodType<T>,
  names: readonly string[] = [],
): { values: T; positionals: string[] } {
  const { values, positionals } = parsed(args, options)
  const { success, data, error } = shape.safeParse(values)
  const faults = success ? [] : error.issues.map(({ path, message }) => `--${String(path[0])} ${message}`)
  if (positionals.length !== names.length) {
    faults.push(`${names.length === 0 ? 'No argument is' : `One ${names.join(', one ')} is`} expected.`)
  }
  if (!success || faults.length > 0) throw new UsageError([...new Set(faults)].join('\n'))
  return { values: data, positionals: positionals }
}

function parsed(args: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

export const httpUrl = z
  .string()
  .refine(value => URL.canParse(value) && /^https?:\/\//.test(value), 'must be an http(s) URL')
export const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits')
  .transform(value => value.toLowerCase())
export const confirmations = z
  .string()
  .regex(/^[1-9]\d{0,4}$/, 'must be a whole number of blocks, at least 1')
  .transform(Number)
