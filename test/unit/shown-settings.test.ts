// `quittance settings` prints what is in force, and no secret.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { secrecyOf } from '../../src/env/secret.ts'
import { shown } from '../../src/env/shown.ts'
import { secretSettings, variables } from '../../src/env.ts'
import { runCommand } from '../kit/command.ts'

const folder = mkdtempSync(join(tmpdir(), 'quittance-shown-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Line = { name: string; value: string | null; source: string; file: string | null }
async function linesOf(env: Record<string, string>) {
  const { code, out, err } = await runCommand(['settings', '--json'], env)
  return { code, err, lines: JSON.parse(out) as Line[] }
}

describe('a URL', () => {
  it.each([
    ['https://rpc.example.com', 'https://rpc.example.com'],
    ['https://rpc.example.com:8545/', 'https://rpc.example.com:8545'],
    ['https://rpc.example.com/v3/canary', 'https://rpc.example.com/***'],
    ['https://rpc.example.com?key=canary', 'https://rpc.example.com/***'],
    ['https://me:canary@rpc.example.com', 'https://***@rpc.example.com'],
    ['https://a.example/canary, http://b.example/canary', 'https://a.example/***,http://b.example/***'],
    [
      'acme=http+json:https://s.example/canary,eu=list:/etc/eu.txt,x=fixed:flag',
      'acme=http+json:https://s.example/***,eu=list:/etc/eu.txt,x=fixed:flag',
    ],
    ['off', 'off'],
    ['postgresql://me:canary@db.example:5432/q', 'postgresql://me:***@db.example:5432/q'],
    ['postgres://me@db.example/q', 'postgres://me@db.example/q'],
    [
      'postgres://me:can%40ary@a:1,b:2/q?target_session_attrs=read-write',
      'postgres://me:***@a:1,b:2/q?target_session_attrs=read-write',
    ],
    [
      'postgres://a/q?sslmode=verify-full&sslrootcert=/ca.pem&password=canary&sslpassword=canary',
      'postgres://a/q?sslmode=verify-full&sslrootcert=/ca.pem&password=***&sslpassword=***',
    ],
    ['postgres://me:canary@a/q,postgres://me:canary@b/q', 'postgres://me:***@a/q,postgres://me:***@b/q'],
    ['postgres://me:canary@b@c/q', 'postgres://me:***@c/q'],
    // Nothing is shown of what is not understood.
    ['postgres://me:can/ary@db/q', 'set'],
    ['postgres://me:can#ary@db/q', 'set'],
    ['rpc.example.com/canary', 'set'],
    ['canary,https://rpc.example.com', 'set'],
    ['acme=canary', 'set'],
  ])('%s is shown as %s', (value, text) => {
    expect(shown('url', value)).toBe(text)
  })
})

const canary = 'cAnArY'
const forms = (name: string): string[] => [
  `${canary}-${name}`,
  `https://user:${canary}@host.example/${canary}?key=${canary}#${canary}`,
  `https://host.example/{base}{quote}/${canary}`,
  `postgresql://user:${canary}@host.example/db?password=${canary}&sslpassword=${canary}&x=${canary}`,
  `name=http+json:https://host.example/${canary}`,
  `name=Bearer ${canary}`,
]

it('no secret is printed, in whatever form, from whatever place, and whether it is valid or not', async () => {
  const texts = await Promise.all(
    forms('x').flatMap((_, form) => {
      const values = secretSettings.map(name => [name, forms(name)[form] ?? ''] as const)
      const files = values.map(([name, value]) => {
        const path = join(folder, `${name}-${form}`)
        writeFileSync(path, value)
        return [`${name}_FILE`, path] as const
      })
      return [
        runCommand(['settings'], Object.fromEntries(values)),
        runCommand(['settings', '--json'], Object.fromEntries(files)),
      ]
    }),
  )
  for (const { out, err } of texts) {
    expect(out).toContain('DATABASE_URL')
    expect(out + err).not.toContain(canary)
  }
})

it('says where each value comes from', async () => {
  const path = join(folder, 'key')
  writeFileSync(path, 'Zt4nQ8wK2mX7vB1cJ6hY3pLd')
  const { code, lines } = await linesOf({
    PORT: '8080',
    ADMIN_API_KEYS_FILE: path,
    PUBLIC_BASE_URL: 'https://me:x@q.example/a',
  })
  const line = (name: string) => lines.find(one => one.name === name)
  expect(code).toBe(0)
  expect(line('PORT')).toEqual({ name: 'PORT', value: '8080', source: 'environment', file: null })
  expect(line('ADMIN_API_KEYS')).toEqual({ name: 'ADMIN_API_KEYS', value: 'set', source: 'environment', file: path })
  expect(line('HOST')).toEqual({ name: 'HOST', value: '127.0.0.1', source: 'default', file: null })
  expect(line('SECRETS_KEY')).toEqual({ name: 'SECRETS_KEY', value: null, source: 'default', file: null })
  expect(line('PUBLIC_BASE_URL')?.value).toBe('https://***@q.example/a')
  const { out } = await runCommand(['settings'], { ADMIN_API_KEYS_FILE: path })
  expect(out).toMatch(new RegExp(`^ADMIN_API_KEYS +set {2}\\(file ${path}, named in the environment\\)$`, 'm'))
})

it('the defaults are those of .env.example', async () => {
  const { lines } = await linesOf({})
  const stated = parseEnv(readFileSync(new URL('../../.env.example', import.meta.url), 'utf8'))
  const differing = Object.entries(stated).filter(
    ([name, value]) =>
      (lines.find(line => line.name === name)?.value ?? '') !== value &&
      secrecyOf(variables.shape[name as 'PORT']) === null,
  )
  expect(differing).toEqual([])
})

it('settings that cannot be used are printed with their faults, and exit code 1', async () => {
  const { code, err, lines } = await linesOf({ PORT: 'eighty', ADMIN_API_KEYS_FILE: '/nowhere/at/all' })
  expect(code).toBe(1)
  expect(err).toMatch(/^These settings cannot be used:\n {2}ADMIN_API_KEYS_FILE names .*\n {2}PORT must be/)
  expect(lines.find(({ name }) => name === 'ADMIN_API_KEYS')?.value).toBe('unreadable')
})
