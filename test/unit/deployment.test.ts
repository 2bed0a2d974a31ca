// The files by which the service is deployed: they name settings and versions that exist, and linters accept them.
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

/** Returns what the program prints. */
function accepted(program: string, args: string[], cwd = repository): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  expect(status, stdout + stderr).toBe(0)
  return stdout + stderr
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

  withProgram('hadolint')('is accepted by hadolint', () => {
    expect(accepted('hadolint', ['Dockerfile'])).toBe('')
  })
})

describe('the units of systemd', () => {
  const units = ['quittance-api@8000.service', 'quittance-worker@9464.service', 'quittance-migrate.service']
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'quittance-units-'))
    cpSync(join(repository, 'ops/systemd'), folder, { recursive: true })
    // It asks for the programs, too.
    for (const file of globSync(join(folder, '*.service')))
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll('/usr/bin/node', process.execPath))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('set what is a setting, and load each secret that they name', () => {
    for (const path of globSync('ops/systemd/**/*.{service,conf}', { cwd: repository })) {
      const lines = text(path).split('\n')
      const pairs = lines.flatMap(line => /^Environment=(.*)/.exec(line)?.[1]?.split(' ') ?? [])
      const loaded = lines.flatMap(line => /^LoadCredential=([^:]+):/.exec(line)?.[1] ?? [])
      expect(pairs.map(pair => pair.split('=')[0] ?? '').filter(name => !known.has(name))).toEqual([])
      expect(pairs.flatMap(pair => /=%d\/(.*)/.exec(pair)?.[1] ?? [])).toEqual(loaded)
    }
  })

  withProgram('systemd-analyze')('are accepted by systemd, and shut the process in', () => {
    const paths = units.map(unit => `./${unit}`)
    expect(accepted('systemd-analyze', ['verify', '--man=no', ...paths], folder)).toBe('')
    for (const unit of paths) {
      const path = unit.replace(/@\d+/, '@')
      // The scale ends at 100; a unit without any of it has 96.
      accepted('systemd-analyze', ['security', '--offline=true', '--threshold=20', '--no-pager', path], folder)
    }
  })
})
