import { getPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'

it.runIf(process.platform === 'linux')('the thread that writes pages yields to requests, alone', async () => {
  const file = new URL('../../src/modules/statements/page-thread.ts', import.meta.url).href
  const program = `
    const { getPriority } = require('node:os')
    import(${JSON.stringify(file)}).then(() => require('node:worker_threads').parentPort.postMessage(getPriority()))`
  const before = getPriority()
  const worker = new Worker(program, { eval: true })
  const priority = await new Promise(resolve => worker.once('message', resolve))
  expect([priority, getPriority()]).toEqual([10, before])
})
