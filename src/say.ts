// Says how a start went: in words on a terminal, otherwise in a line of the form of the log, because what a service
// writes is collected with its log.
import { hostname } from 'node:os'
import packageJson from '../package.json' with { type: 'json' }

const levels = { info: 30, warn: 40, fatal: 60 }

type Said = {
  level: keyof typeof levels
  msg: string
  /** The fields of the line. */
  fields: Record<string, unknown>
  /** The text for a terminal. */
  words: string
}

export function say(stream: NodeJS.WriteStream, { level, msg, fields, words }: Said): void {
  const { version } = packageJson
  const about = { level: levels[level], time: Date.now(), hostname: hostname(), pid: process.pid, version }
  stream.write(`${stream.isTTY ? words : JSON.stringify({ ...about, ...fields, msg })}\n`)
}
