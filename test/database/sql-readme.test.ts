// The README of the compiler to SQL shows what the compiler does with its document.
import { readFile } from 'node:fs/promises'
import { parse } from 'graphql'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { schema } from '../../src/graphql/schema.ts'
import { unlimited } from '../../src/kit/allowance.ts'
import type { Context } from '../../src/kit/context.ts'
import { compiledToSql } from '../../src/kit/sql-host.ts'
import { noPayment } from '../kit/documents/both.ts'
import { fill } from '../kit/documents/world.ts'
import { type Service, startService } from '../kit/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ ROLES: 'api', LOG_LEVEL: 'silent' })
})
afterAll(() => service?.stop())

const blocks = async (language: string): Promise<string[]> => {
  const readme = await readFile(new URL('../../src/kit/sql/README.md', import.meta.url), 'utf8')
  return [...readme.matchAll(RegExp(`\`\`\`${language}\\n([^\`]*)\`\`\``, 'g'))].map(([, text = '']) => text)
}

/** White space is for readers, and each process has sentinels of its own. */
const plain = (sql: string) =>
  sql
    .replace(/\s+/g, ' ')
    .replace(/([(]) | (?=[)])/g, '$1')
    .replace(/(refused|too large) [0-9a-f-]{36}/g, '$1 …')
    .trim()

test('the example in the README is what the compiler does', async () => {
  const { callers } = await fill(service.app.pool)
  const principal = callers.find(({ name }) => name === 'project')?.principal
  if (!principal) throw new Error('no caller')
  const sent: { text: string; values: unknown }[] = []
  const connect = async () => {
    const client = await service.app.reads.connect()
    const query = (config: pg.QueryArrayConfig) => {
      sent.push({ text: config.text, values: config.values })
      return client.query(config)
    }
    return { query, release: () => client.release() }
  }
  const base = { principal, requestId: '', paying: noPayment, allowance: unlimited('test'), costs: new Map() }
  const context: Context = { ...service.app, ...base, reads: { connect } as unknown as pg.Pool }

  const [document = ''] = await blocks('graphql')
  const plan = compiledToSql(schema, parse(document))?.(context, { first: 2 })
  const texts = await plan?.read(context)

  const shown = { fields: [...(plan?.fields.keys() ?? [])], inSql: plan?.inSql }
  const answer = Object.fromEntries([...(texts ?? [])].map(([key, text]) => [key, JSON.parse(text)]))
  const [sql = ''] = await blocks('sql')
  expect(sent.map(({ text }) => plain(text))).toEqual([plain(sql)])
  expect((await blocks('json')).map(text => JSON.parse(text))).toEqual([
    { ...shown, parameters: sent[0]?.values },
    answer,
  ])
})
