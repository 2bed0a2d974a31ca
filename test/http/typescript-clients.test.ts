// TypeScript clients generated from the OpenAPI document, as by a user: compiled in strict mode, and used on a service.
import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ClientWorld, clients, clientWorld, run } from '../kit/clients.ts'
import { isFull } from '../kit/size.ts'

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))
const compilerOptions = {
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable'],
  module: 'nodenext',
  types: ['node'],
  strict: true,
  allowImportingTsExtensions: true,
  noEmit: true,
}
const programs = ['openapi-fetch.ts', 'hey-api.ts']

let world: ClientWorld
beforeAll(async () => {
  world = await clientWorld()
  const { folder } = world
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts', 'hey/**/*.ts'] }))
  symlinkSync(modules, join(folder, 'node_modules'))
  for (const program of programs) copyFileSync(join(clients, 'programs', program), join(folder, program))
  const made = await run(process.execPath, [join(clients, 'generate.ts'), join(folder, 'openapi.json'), folder])
  expect(made).toMatchObject({ code: 0, stderr: '' })
})
afterAll(() => world[Symbol.asyncDispose]())

describe.runIf(isFull)('openapi-typescript and @hey-api/openapi-ts', () => {
  it('compile in strict mode with the programs that use them', async () => {
    const compiler = join(modules, 'typescript/bin/tsc')
    expect(await run(process.execPath, [compiler, '-p', world.folder])).toMatchObject({ code: 0, stdout: '' })
  })

  it.each(programs)('%s records, lists, verifies, downloads, reads the audit trail and both kinds of error', program =>
    world.expectAll(process.execPath, [program]),
  )
})
