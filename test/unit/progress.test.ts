// The line that says how far a long command is: on a terminal, in a log, and when the command is stopped.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'

const source = (file: string) => JSON.stringify(new URL(`../../src/cli/${file}.ts`, import.meta.url).href)
/** A command that does 100 things, and says `began` before the first. */
const program = (pauseMs: number) => `
  import { setTimeout as sleep } from 'node:timers/promises'
  import { command } from ${source('command')}
  import { withProgress } from ${source('progress')}
  process.exitCode = await command('', [], async () => {
    await withProgress('things', 100, async ({ signal, add, print }) => {
      print('began')
      for (let done = 0; done < 100; done++) {
        signal.throwIfAborted()
        await sleep(${pauseMs})
        add()
      }
      print('done')
    })
    return 0
  })`

function start(pauseMs: number, inTerminal: boolean) {
  const words = [process.execPath, '--input-type=module', '--eval', program(pauseMs)]
  const [file = '', ...args] = inTerminal ? ['python3', '-c', terminal, ...words] : words
  const child = spawn(file, args, {
    env: { PATH: process.env.PATH, LANG: 'de_CH.UTF-8' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { out: '', err: '' }
  child.stdout.on('data', chunk => (said.out += chunk))
  child.stderr.on('data', chunk => (said.err += chunk))
  const ended = once(child, 'close').then(([code]) => ({ code, ...said }))
  return { child, ended, said }
}

// Copies what the program writes to its terminal.
const terminal = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))'
const hasPython = spawnSync('python3', ['-c', 'import pty']).status === 0
if (!hasPython) console.warn('There is no python3 with a pseudo terminal here: progress on a terminal is not tested.')

it.skipIf(!hasPython)('a terminal has one line that is rewritten, and is erased before other lines', async () => {
  const { code, out } = await start(10, true).ended
  expect(code).toBe(0)
  const lines = out.split('\n').map(line => line.split('\x1b[K').at(-1)?.trim())
  expect(lines).toEqual(['began', 'done', ''])
  const drawn = out.split('\r\x1b[K').filter(line => line.startsWith('things'))
  expect(drawn.length).toBeGreaterThan(1)
  for (const line of drawn) expect(line).toMatch(/^things: \d+ of 100 \(\d+ %\), [\d.]+\/s(, \d+ s left)?$/)
})

it('a log has a line after a second, and none of a command that is faster', async () => {
  const [fast, slow] = await Promise.all([start(0, false).ended, start(20, false).ended])
  expect(fast).toEqual({ code: 0, out: 'began\ndone\n', err: '' })
  expect(slow.out).toBe('began\ndone\n')
  expect(slow.err).toMatch(/^things: \d+ of 100 \(\d+ %\), [\d.]+\/s, \d+ s left\n$/)
})

it.each(['SIGINT', 'SIGTERM'] as const)('%s stops the work, and says how far it was', async signal => {
  const { child, ended, said } = start(50, false)
  while (!said.out.includes('began')) await once(child.stdout, 'data')
  child.kill(signal)
  const { code, out, err } = await ended
  expect([code, out]).toEqual([130, 'began\n'])
  expect(err).toMatch(/^things: \d+ of 100 .*\nStopped\.\n$/)
})
