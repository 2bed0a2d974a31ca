// Compiles only if the generated types are exactly these.
import type { ReceiptRowFragment, ReceiptsQuery, RecordReceiptInput, SignInMutation } from './gql/graphql.ts'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Page = NonNullable<ReceiptsQuery['receipts']>

export const types: [
  Same<ReceiptRowFragment['id'], string>,
  Same<ReceiptRowFragment['amount'], string>,
  Same<ReceiptRowFragment['createdAt'], string>,
  Same<ReceiptRowFragment['anchorTx'], string | null>,
  Same<ReceiptRowFragment['status'], 'ANCHORED' | 'AWAITING_ANCHOR' | 'FAILED' | 'PENDING'>,
  Same<Page['totalCount'], number>,
  Same<Page['nodes'], ReceiptRowFragment[]>,
  Same<RecordReceiptInput['amount'], string>,
  Same<NonNullable<SignInMutation['createSignInNonce']>['signInNonce']['chainIds'], number[]>,
] = [true, true, true, true, true, true, true, true, true]
