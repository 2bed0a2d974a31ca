// All mutants, and which of them no longer fit the code.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { agents } from './agents.ts'
import { anchoring } from './anchoring.ts'
import { assistant } from './assistant.ts'
import { compliance } from './compliance.ts'
import { exportsOfRows } from './exports.ts'
import { finality } from './finality.ts'
import { graphql } from './graphql.ts'
import { machines } from './machines.ts'
import type { Mutant } from './mutant.ts'
import { payments } from './payments.ts'
import { sessions } from './sessions.ts'
import { settings } from './settings.ts'
import { settlement } from './settlement.ts'
import { sql } from './sql.ts'
import { stats } from './stats.ts'
import { storage } from './storage.ts'
import { tenants } from './tenants.ts'
import { verification } from './verification.ts'
import { webhooks } from './webhooks.ts'

export const mutants: readonly Mutant[] = [
  agents,
  anchoring,
  assistant,
  compliance,
  exportsOfRows,
  finality,
  graphql,
  machines,
  payments,
  sessions,
  settings,
  settlement,
  sql,
  stats,
  storage,
  tenants,
  verification,
  webhooks,
].flat()

/**
 * Lists mutants whose text is missing or repeated because the code has changed: they would change nothing, or too much.
 */
export async function stale(root: string): Promise<string[]> {
  const counts = mutants.map(async ({ file, text }) => {
    const source = await readFile(join(root, file), 'utf8')
    return { file, text, count: source.split(text).length - 1 }
  })
  return (await Promise.all(counts)).flatMap(({ file, text, count }) =>
    count === 1 ? [] : [`${file} has this ${count} times: ${text.trim()}`],
  )
}
