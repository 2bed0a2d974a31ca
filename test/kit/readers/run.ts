import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Returns what a command prints; ends the command after `milliseconds`. */
export const run = async (command: string, args: string[], milliseconds: number): Promise<string> =>
  (await promisify(execFile)(command, args, { encoding: 'utf8', maxBuffer: 1 << 28, timeout: milliseconds })).stdout
