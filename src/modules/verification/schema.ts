// What GraphQL shows of verification.
import { z } from 'zod'
import { hash32, httpUrl } from '../../core/text.ts'
import { builder } from '../../kit/builder.ts'
import { argumentsOf } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import { paidErrors, pay } from '../payments/pay.ts'
import type { CheckResult, Verification } from './checks.ts'
import { verify } from './verify.ts'
import { contentLocator, verifyContent } from './verify-content.ts'

const CheckStatusEnum = builder.enumType('CheckStatus', {
  description: 'skipped: there was nothing to check it on, or an earlier check did not pass.',
  values: ['passed', 'failed', 'skipped'] as const,
})

const CheckType = builder.objectRef<CheckResult>('VerificationCheck').implement({
  description: 'One check of a verification.',
  fields: t => ({
    id: t.exposeString('id', { description: 'Stable; stands in `errors` when it did not pass.' }),
    title: t.exposeString('title', { description: 'What it looks at.' }),
    status: t.expose('status', { type: CheckStatusEnum, description: 'What came of it.' }),
    detail: t.exposeString('detail', { nullable: true, description: 'Why, in a sentence.' }),
  }),
})

const VerificationType = builder.objectRef<Verification>('Verification').implement({
  description: 'What a bundle, a hash or a transaction proves. Nothing is proved while `errors` is not empty.',
  fields: t => ({
    matchesOnchain: t.exposeBoolean('matchesOnchain', {
      description: 'A final, successful transaction of the expected contract carries exactly this hash.',
    }),
    bundleHash: t.exposeString('bundleHash', {
      nullable: true,
      description: 'The hash that was looked for, 0x-prefixed.',
    }),
    ledgerTxid: t.exposeString('ledgerTxid', { nullable: true, description: 'The anchor transaction, 0x-prefixed.' }),
    anchoredAt: t.expose('anchoredAt', { type: 'DateTime', nullable: true, description: 'Time of its block.' }),
    errors: t.exposeStringList('errors', { description: 'Ids of the checks that did not pass.' }),
    checks: t.expose('checks', { type: [CheckType], description: 'Every check, in order.' }),
  }),
})

const locators = z.strictObject({
  bundleUrl: httpUrl.nullish().describe('Where the evidence ZIP is.'),
  bundleHash: hash32.nullish().describe('The expected SHA-256 of the ZIP, 0x-prefixed.'),
  txid: hash32.nullish().describe('The anchor transaction, 0x-prefixed.'),
})

const oneAtLeast = locators.refine(({ bundleUrl, bundleHash, txid }) => bundleUrl || bundleHash || txid, {
  error: 'Give at least one of bundle_url, bundle_hash and txid.',
  params: { type: 'missing' },
})

builder.queryField('verifyEvidence', t =>
  t.field({
    type: VerificationType,
    description:
      'Verifies a bundle by its URL, its hash, its anchor transaction, or several of them, which must then agree. Public. Errors: validation_failed.',
    args: argumentsOf(locators),
    extensions: { access: 'public', input: locators },
    complexity: 2_000,
    resolve: (_, args, context) => verify(context, parse(oneAtLeast, args)),
  }),
)

builder.queryField('verifyContent', t =>
  t.field({
    type: VerificationType,
    description:
      'Verifies a bundle by its id in IPFS or Arweave; its bytes are checked against the id first. Public. Errors: validation_failed, not_found, conflict, cid_not_found, cid_store_unavailable, too_many_requests.',
    args: argumentsOf(contentLocator),
    extensions: { access: 'public', input: contentLocator },
    complexity: 2_000,
    resolve: (_, args, context) => verifyContent(context, parse(contentLocator, args)),
  }),
)

const verificationAnswer = z.object({
  matchesOnchain: z.boolean(),
  bundleHash: z.string().nullable(),
  ledgerTxid: z.string().nullable(),
  anchoredAt: z.coerce.date<Date>().nullable(),
  errors: z.array(z.string()),
  checks: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      status: z.enum(['passed', 'failed', 'skipped']),
      detail: z.string().nullable(),
    }),
  ),
})

builder.queryField('premiumVerifyEvidence', t =>
  t.field({
    type: VerificationType,
    description: `Verifies a bundle as \`verifyEvidence\` does. Paid for by x402. Errors: ${paidErrors}, validation_failed, chain_unavailable.`,
    args: argumentsOf(locators),
    extensions: { access: 'public', input: locators },
    complexity: 2_000,
    resolve: (_, args, context) =>
      pay(
        context,
        {
          endpoint: 'verifyBundle',
          input: oneAtLeast,
          output: verificationAnswer,
          run: (_context, given) => verify(context, given),
        },
        args,
      ),
  }),
)
