// The demos run successfully for someone who has just cloned the repository.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { killWithUs } from '../../src/embedded/on-death.ts'
import { onlyInFull as it } from '../kit/size.ts'

const run = promisify(execFile)
const checkout = fileURLToPath(new URL('../../', import.meta.url))

const demos = [
  [['bin/quittance.js', 'demo'], 'Verified: the payment’s evidence is signed, intact and anchored on chain.'],
  [['demo/pay.ts'], 'Paid: 0.001 TESTUSD charged once, answered twice.'],
] as const

it.each(demos)(
  '%j ends with its good verdict',
  async (program, verdict) => {
    // A bad verdict exits with a code other than 0, for which `run` throws with the whole output.
    const running = run(process.execPath, program, { cwd: checkout })
    running.child.once('exit', killWithUs(running.child.pid))
    const { stdout, stderr } = await running
    expect([stdout.trimEnd().split('\n').at(-1), stderr]).toEqual([verdict, ''])
  },
  60_000,
)
