// Runs test/kit/second_control.py, which checks control.json without any of the service's code.
import { spawnSync } from 'node:child_process'
import { expect } from 'vitest'
import { pythonOf } from './python.ts'

const { command, args, env, lacks } = pythonOf('')

/** Why it cannot be run here, as a sentence; null when it can. */
export const lacksPython = lacks

type Seen = { listed: boolean; receiver: boolean; project: boolean; signed: boolean | null }

/** Returns what the program says of these bundles; null for one without control.json. */
export function secondControl(bundles: readonly Buffer[]): (Seen | null)[] {
  const program = new URL('second_control.py', import.meta.url).pathname
  const { status, stdout, stderr } = spawnSync(command, [...args, program], {
    input: JSON.stringify(bundles.map(bundle => bundle.toString('base64'))),
    env: { ...env, PATH: process.env.PATH, PYTHONIOENCODING: 'utf-8' },
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  })
  expect([status, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}
