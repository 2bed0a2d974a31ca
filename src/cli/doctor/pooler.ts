// Checks the pooler of DATABASE_POOLER_URL as a process with the role api alone does before it starts.
import { poolerFault } from '../../adapters/pg-pooler.ts'
import type { Env } from '../../env.ts'
import { about, type Finding } from './finding.ts'

const { ok, fail } = about('pooler')

export async function inspectPooler({ DATABASE_URL, DATABASE_POOLER_URL: url }: Env): Promise<Finding[]> {
  if (url === null) return []
  if (DATABASE_URL === null)
    return [fail('DATABASE_POOLER_URL needs DATABASE_URL, which leads to the database itself.')]
  const fault = await poolerFault(url, DATABASE_URL)
  return fault === null
    ? [ok('It gives sessions with the settings of the service, and carries prepared statements along.')]
    : [fail(`DATABASE_POOLER_URL cannot be used: ${fault}.`)]
}
