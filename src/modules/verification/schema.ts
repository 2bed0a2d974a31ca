// The GraphQL types and queries for verification.
import { builder } from '../../kit/builder.ts'
import { described } from '../../kit/enum-names.ts'
import { argumentsOf } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import type { CheckResult, Verification } from './checks.ts'
import { locators, oneAtLeast, verify } from './verify.ts'
import { contentLocator, verifyContent } from './verify-content.ts'

const CheckStatusEnum = builder.enumType('CheckStatus', {
  description: 'The outcome of a check.',
  values: described({
    passed: 'The statement of the check is true.',
    failed: 'The statement of the check is not true.',
    skipped:
      'The check was not made: there was nothing to check, an earlier check did not pass, or the service does not make it. It is no error.',
  }),
})

const CheckType = builder.objectRef<CheckResult>('VerificationCheck').implement({
  description: 'One check of a verification.',
  fields: t => ({
    code: t.exposeString('id', {
      description: 'Names the check, never changed; listed in `errors` when the check failed.',
    }),
    title: t.exposeString('title', { description: 'The statement that is true when the check passes.' }),
    status: t.expose('status', { type: CheckStatusEnum, description: 'The outcome of the check.' }),
    detail: t.exposeString('detail', { nullable: true, description: 'The reason, in a sentence.' }),
  }),
})

export const VerificationType = builder.objectRef<Verification>('Verification').implement({
  description: 'What a bundle, a hash or a transaction proves. Nothing is proved while `errors` is not empty.',
  fields: t => ({
    matchesOnchain: t.exposeBoolean('matchesOnchain', {
      description:
        'A final, successful transaction of the expected contract carries exactly this hash, or each hash that may be meant.',
    }),
    bundleHash: t.expose('bundleHash', {
      type: 'Hash32',
      nullable: true,
      description:
        'The bundle hash that was searched for, 0x-prefixed. Null when only a transaction was given and anchors several bundles, of which not exactly one is of the caller’s project.',
    }),
    anchorTx: t.expose('ledgerTxid', {
      type: 'Hash32',
      nullable: true,
      description: 'The anchor transaction, 0x-prefixed.',
    }),
    anchoredAt: t.expose('anchoredAt', { type: 'DateTime', nullable: true, description: 'Block time of the anchor.' }),
    errors: t.exposeStringList('errors', { description: 'The `code` of each check that failed.' }),
    checks: t.expose('checks', { type: [CheckType], description: 'Every check, in order.' }),
  }),
})

builder.queryField('verifyEvidence', t =>
  t.field({
    type: VerificationType,
    description:
      'Verifies a bundle by its URL, its hash, its anchor transaction, or several of them, which must then agree.',
    args: argumentsOf(locators),
    access: 'public',
    input: locators,
    errors: ['validation_failed', 'too_many_requests'],
    extensions: { cost: 50, hasOwnSemaphore: true },
    resolve: (_, args, context) => verify(context, parse(oneAtLeast, args)),
  }),
)

builder.queryField('verifyContent', t =>
  t.field({
    type: VerificationType,
    description: 'Verifies a bundle by its id in IPFS or Arweave; its bytes are checked against the id first.',
    args: argumentsOf(contentLocator),
    access: 'public',
    input: contentLocator,
    errors: [
      'validation_failed',
      'not_found',
      'conflict',
      'cid_not_found',
      'cid_store_unavailable',
      'too_many_requests',
    ],
    extensions: { cost: 50, hasOwnSemaphore: true },
    resolve: (_, args, context) => verifyContent(context, parse(contentLocator, args)),
  }),
)
