// Validates the same messages with a second engine: Xerces on a JDK, else xmllint. Xerces counts lengths in UTF-16
// units where libxml2 counts code points, so a message that is valid for both is cut correctly.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyFactsOf } from '../kit/facts.ts'
import { allMessages } from '../kit/messages.ts'
import { anyText } from '../kit/receipts.ts'
import { sized, some } from '../kit/size.ts'
import { isoSchemaFile, skipWithoutSchemas } from '../kit/xsd.ts'

const has = (command: string, args: string[]) => spawnSync(command, args).status === 0

type Engine = { name: string; run(schema: string, folder: string): string }

const output = (command: string, args: string[]) => {
  const { stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 26 })
  if (error) throw error
  return stdout + stderr
}

const engines: Engine[] = [
  ...(has('javac', ['-version'])
    ? [{ name: 'Xerces', run: (schema: string, folder: string) => output('java', [source, schema, folder]) }]
    : []),
  ...(has('xmllint', ['--version'])
    ? [
        {
          name: 'xmllint',
          run: (schema: string, folder: string) =>
            output('sh', ['-c', 'xmllint --noout --schema "$0" "$1"/*.xml', schema, folder]),
        },
      ]
    : []),
]
const source = new URL('../kit/Validate.java', import.meta.url).pathname

const samples = sized(10, 150)
// A JVM starts for each type.
const types = some(allMessages, 20)
const engine = engines[0]
const skipped = engine === undefined || skipWithoutSchemas
if (skipped) console.warn('SKIPPED: no second XML Schema engine here (a JDK or xmllint), or no ISO schemas.')

describe.skipIf(skipped)(`${engine?.name ?? 'no second engine'} accepts what libxml2 accepts`, () => {
  test.each(types)(
    '$version',
    ({ version, build }) => {
      const folder = mkdtempSync(join(tmpdir(), 'quittance-messages-'))
      const facts = fc.sample(anyFactsOf(anyText), { numRuns: samples, seed: 20_022 })
      for (const [index, one] of facts.entries()) writeFileSync(join(folder, `${index}.xml`), build(one))
      const said = engine?.run(isoSchemaFile(version), folder) ?? ''
      rmSync(folder, { recursive: true })
      expect(said.split('\n').filter(line => line !== '' && !/ validates$|^validated \d+$/.test(line))).toEqual([])
      expect(said.match(/ validates$/gm)?.length ?? Number(/validated (\d+)/.exec(said)?.[1])).toBe(samples)
    },
    60_000,
  )

  test('refuses an invalid message', () => {
    const folder = mkdtempSync(join(tmpdir(), 'quittance-messages-'))
    writeFileSync(
      join(folder, 'wrong.xml'),
      '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><X/></Document>',
    )
    const said = engine?.run(isoSchemaFile('pain.001.001.09'), folder) ?? ''
    rmSync(folder, { recursive: true })
    expect(said).toContain('wrong.xml')
    expect(said).toMatch(/element/i)
  })
})
