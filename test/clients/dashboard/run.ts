// The common part of the programs: each lists receipts, then records one, then subscribes to what has changed since the
// list. Prints the results.
import type {
  ReceiptChangedSubscription,
  ReceiptsQuery,
  RecordReceiptInput,
  RecordReceiptMutation,
} from './gql/graphql.ts'

type Program = {
  list(first: number): Promise<ReceiptsQuery | null | undefined>
  record(input: RecordReceiptInput): Promise<RecordReceiptMutation | null | undefined>
  /** Returns the function that ends the subscription. */
  onChange(
    after: string,
    next: (result: { data?: ReceiptChangedSubscription | null }) => void,
    error: (error: unknown) => void,
  ): () => void
}

export async function run({ list, record, onChange }: Program): Promise<void> {
  const listed = await list(2)
  const recorded = await record(JSON.parse(process.env.PAYMENT ?? ''))
  const after = listed?.eventCursor ?? ''
  let end = () => {}
  const changed = await new Promise((resolve, reject) => {
    end = onChange(after, ({ data }) => resolve(data), reject)
  })
  end()
  console.log(JSON.stringify({ listed, recorded, changed }))
}
