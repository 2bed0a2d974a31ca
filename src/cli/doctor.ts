// `quittance doctor`: checks the settings and everything they name, and prints a line for each with what to do. It
// starts nothing, and changes nothing but an object in the object store that it writes and deletes.

import { z } from 'zod'
import { configuredChains } from '../adapters/chains-file.ts'
import { readDotEnv } from '../dot-env.ts'
import { type Env, EnvError, readEnv } from '../env.ts'
import { command, readArguments } from './command.ts'
import { inspectAnchorAccount } from './doctor/anchor-account.ts'
import { inspectChain } from './doctor/chain.ts'
import { inspectCompliance } from './doctor/compliance.ts'
import { inspectDatabase } from './doctor/database.ts'
import { inspectDocuments } from './doctor/documents.ts'
import { embeddedChain, embeddedPostgres } from './doctor/embedded.ts'
import { about, type Finding, wordsOf } from './doctor/finding.ts'
import { inspectPaymentChains } from './doctor/payment-chains.ts'
import { inspectPayments } from './doctor/payments.ts'
import { inspectPooler } from './doctor/pooler.ts'
import { inspectRates } from './doctor/rates.ts'
import { inspectSigningKey } from './doctor/signing-key.ts'
import { inspectStandbys } from './doctor/standbys.ts'
import { inspectStorage } from './doctor/storage.ts'
import { inspectGateways, inspectPublicUrl } from './doctor/web.ts'

const usage = `usage: quittance doctor

Reads the settings from the environment and the file .env, as a start does, and checks what they name: database,
signing key, chains and each of their nodes, the sender's funds, what payments need, compliance and rate providers,
object store, gateways, public address. Starts nothing, and changes nothing but an object in the object store that it
writes, reads and deletes.
Exit code: 0, or 1 when any line begins with FAIL.`

export const run = (args: readonly string[]): Promise<number> =>
  command(usage, args, async () => {
    readArguments(args, {}, z.object({}))
    const findings = await examine(process.env)
    const width = Math.max(...findings.map(({ what }) => what.length))
    for (const { status, what, text } of findings) console.log(`${status.padEnd(4)}  ${what.padEnd(width)}  ${text}`)
    const failed = findings.filter(({ status }) => status === 'FAIL').length
    console.log(
      failed === 0
        ? '\nNothing prevents a start.'
        : `\n${failed === 1 ? '1 problem' : `${failed} problems`} must be fixed.`,
    )
    return failed === 0 ? 0 : 1
  })

async function examine(source: NodeJS.ProcessEnv): Promise<Finding[]> {
  const { ok, fail } = about('settings')
  let env: Env
  try {
    env = readEnv(source, readDotEnv(source))
  } catch (error) {
    if (!(error instanceof EnvError)) throw error
    return error.message.split('\n').map(line => fail(line.trim()))
  }
  const mode = env.production ? 'production' : 'development'
  const parts = {
    database: database(env),
    pooler: inspectPooler(env),
    standbys: inspectStandbys(env),
    chains: chains(env),
    'payment chains': inspectPaymentChains(env),
    payments: inspectPayments(env),
    compliance: inspectCompliance(env),
    rates: inspectRates(env),
    storage: inspectStorage(env),
    gateways: inspectGateways(env),
    'public address': inspectPublicUrl(env),
    documents: inspectDocuments(env),
  }
  // An error in the check of one part does not hide the others.
  const findings = Object.entries(parts).map(([what, part]) =>
    part.catch((error: unknown) => [about(what).fail(`It cannot be checked: ${wordsOf(error)}`)]),
  )
  return [ok(`They are valid: ${mode}, roles ${env.ROLES.join(', ')}.`), ...(await Promise.all(findings)).flat()]
}

async function database(env: Env): Promise<Finding[]> {
  if (env.DATABASE_URL === null) {
    return [...(await embeddedPostgres(env.DATA_DIR)), ...(await inspectSigningKey(env, null))]
  }
  const { client, findings } = await inspectDatabase(env.DATABASE_URL, {
    production: env.production,
    migrationUrl: env.MIGRATION_DATABASE_URL,
  })
  try {
    return [...findings, ...(await inspectSigningKey(env, client))]
  } finally {
    await client?.end()
  }
}

async function chains(env: Env): Promise<Finding[]> {
  if (env.chain === null && env.CHAINS_FILE === null) return embeddedChain(env.DATA_DIR)
  const configured = await configuredChains(env)
  if ('faults' in configured) return configured.faults.map(about('chains').fail)
  const findings = configured.chains.map(async config => {
    const { isReachable, findings } = await inspectChain(config)
    return [...findings, ...(await inspectAnchorAccount(config, isReachable))]
  })
  return (await Promise.all(findings)).flat()
}
