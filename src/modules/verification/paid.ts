// The paid queries for verification, of one bundle and of many. Paid work waits for a slot and is not refused.
import { z } from 'zod'
import { builder } from '../../kit/builder.ts'
import { ErrorCodeEnum } from '../../kit/error-code.ts'
import { objectType } from '../../kit/input.ts'
import { paidField } from '../x402/field.ts'
import { VerificationType } from './schema.ts'
import { semaphoreOf } from './semaphore.ts'
import { type Locators, locators, oneAtLeast, verify } from './verify.ts'
import { type Entry, exactlyOneList, manyLocators, type VerifiedMany, verifyMany } from './verify-many.ts'

const verification = z.object({
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
    ...paidField({
      description: 'Verifies a bundle as `verifyEvidence` does.',
      errors: ['validation_failed', 'too_many_requests'],
      args: locators,
      endpoint: 'verifyBundle',
      input: oneAtLeast,
      output: verification,
      admit: async context => semaphoreOf(context).admit(context.allowance),
      run: verify,
    }),
  }),
)

const LocatorType = objectType('VerifyLocator', 'The evidence to verify, as given in the request.', locators)

const VerifiedType = builder.objectRef<Extract<Entry, { result: unknown }>>('VerifiedEntry').implement({
  description: 'An entry that was verified, whatever the result.',
  fields: t => ({
    input: t.field({ type: LocatorType, description: 'The entry of the request.', resolve: ({ input }) => input }),
    result: t.field({ type: VerificationType, description: 'The result.', resolve: ({ result }) => result }),
  }),
})

const UnverifiedType = builder.objectRef<Extract<Entry, { error: string }>>('UnverifiedEntry').implement({
  description: 'An entry whose verification could not be carried out: its evidence is neither proven nor refuted.',
  fields: t => ({
    input: t.field({ type: LocatorType, description: 'The entry of the request.', resolve: ({ input }) => input }),
    error: t.expose('error', { type: ErrorCodeEnum, description: 'The error code of the failure.' }),
  }),
})

const EntryType = builder.unionType('VerificationEntry', {
  description: 'The outcome of one entry.',
  types: [VerifiedType, UnverifiedType],
  resolveType: entry => ('result' in entry ? VerifiedType : UnverifiedType),
})

const ManyType = builder.objectRef<VerifiedMany>('VerificationList').implement({
  description: 'The outcomes of many bundles, hashes or transactions.',
  fields: t => ({
    verified: t.exposeInt('verified', { description: 'How many entries are proven: anchored, and without errors.' }),
    results: t.field({
      type: [EntryType],
      description: 'One outcome for each entry, in the order of the request.',
      resolve: ({ results }) => results,
    }),
  }),
})

const input: z.ZodType<Locators> = z.object({
  bundleUrl: z.string().nullish(),
  bundleHash: z.string().nullish(),
  anchorTx: z.string().nullish(),
})

builder.queryField('premiumVerifyBundles', t =>
  t.field({
    type: ManyType,
    ...paidField({
      description: 'Verifies up to 100 bundles as `verifyEvidence` does. It may take minutes.',
      errors: ['validation_failed', 'too_many_requests'],
      args: manyLocators,
      endpoint: 'bulkVerify',
      input: exactlyOneList,
      output: z.object({
        verified: z.int(),
        results: z.array(z.union([z.object({ input, result: verification }), z.object({ input, error: z.string() })])),
      }),
      admit: async context => semaphoreOf(context).admit(context.allowance),
      run: verifyMany,
    }),
  }),
)
