// The files by which the service is deployed: they name settings and versions that exist, and linters accept them.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { secretSettings, variables } from '../../src/env.ts'
import { contextOf, instructionsOf } from '../kit/image.ts'

const repository = join(import.meta.dirname, '../..')
const text = (path: string) => readFileSync(join(repository, path), 'utf8')

const known = new Set([...Object.keys(variables.shape), ...secretSettings.map(name => `${name}_FILE`)])

/** Skips, with the reason in the name of the test, where the program is not installed. */
const withProgram = (program: string, args: string[] = ['--version']) => {
  const isThere = spawnSync(program, args).status === 0
  return (name: string, test: () => void) =>
    isThere ? it(name, test) : it.skip(`${name} (skipped: there is no ${program} here)`, test)
}

function accepted(program: string, args: string[]): void {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: repository, encoding: 'utf8' })
  expect(stdout + stderr).toBe('')
  expect(status).toBe(0)
}

describe('the Dockerfile', () => {
  const instructions = instructionsOf(text('Dockerfile'))

  it('sets what is a setting', () => {
    const names = instructions
      .filter(({ name }) => name === 'ENV')
      .flatMap(({ rest }) => rest.split(' ').map(pair => pair.split('=')[0] ?? ''))
    expect(names.filter(name => !known.has(name))).toEqual(['HOME'])
  })

  it('has the Node of the packages', () => {
    const images = instructions.filter(({ name }) => name === 'FROM').map(({ rest }) => rest.split(' ')[0])
    expect(images[0]).toBe(`node:${packageJson.devDependencies.node}-bookworm-slim`)
  })

  it('gets no file that the stages do not copy, whatever lies in the folder', () => {
    const isIn = contextOf(text('.dockerignore'))
    const never = ['.env', '.git/config', '.data/signing-key.pem', 'signing-key.pem', 'dump.sql', 'test/kit/image.ts']
    expect(never.filter(isIn)).toEqual([])
    expect(['src/main.ts', 'package-lock.json', 'test/clients/package.json'].every(isIn)).toBe(true)
  })

  withProgram('hadolint')('is accepted by hadolint', () => accepted('hadolint', ['Dockerfile']))
})
