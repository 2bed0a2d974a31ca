// Every background job, declared once: its task, its payload, the queue that serialises it, the key that merges it.
import { z } from 'zod'

declare const isDeclared: unique symbol

/** A job for `tx.job`. Only the functions in `jobs` make one. */
export type Job = {
  task: string
  payload: object
  /** Jobs of one queue run one after another. */
  queue: string | null
  /** A job is merged into a waiting one of the same key, which keeps its time. */
  key: string | null
  /** The job starts no earlier than this many milliseconds after the transaction. */
  afterMs: number
  [isDeclared]: true
}

/** `task`: one queue or key for all jobs of the task. Otherwise one for each value of the field. */
type By<Payload> = 'task' | (keyof Payload & string)

function declare<Name extends string, Payload extends z.ZodObject>(
  task: Name,
  payload: Payload,
  { queueBy, keyBy }: { queueBy?: By<z.output<Payload>>; keyBy?: By<z.output<Payload>> } = {},
) {
  const nameOf = (by: string | undefined, values: Record<string, unknown>) =>
    by === undefined ? null : by === 'task' ? task : `${task}:${values[by]}`
  const make = (
    values: z.output<Payload>,
    {
      afterMs = 0,
      queue = nameOf(queueBy, values),
      key = nameOf(keyBy, values),
    }: Partial<Pick<Job, 'afterMs' | 'queue' | 'key'>> = {},
  ) => ({ task, payload: values, queue, key, afterMs }) as unknown as Job
  return Object.assign(make, {
    task,
    payload,
    /** An SQL condition: a job waits or runs whose key is made from this SQL expression, the text of `keyBy`. */
    isQueued: (value: string) => `exists (select from graphile_worker.jobs job where job.key = '${task}:' || ${value})`,
  })
}

const receipts = z.strictObject({ receipts: z.array(z.guid()).min(1) })
const block = z.strictObject({ blockNumber: z.int(), blockHash: z.string() })
export type Block = z.output<typeof block>

export const jobs = {
  screen: declare('screen', receipts),
  // A slow provider occupies one job slot of the workers.
  askCompliance: declare('ask_compliance', z.strictObject({ provider: z.string() }), {
    queueBy: 'provider',
    keyBy: 'provider',
  }),
  value: declare('value', receipts),
  valueWaiting: declare('value_waiting', z.strictObject({}), { keyBy: 'task' }),
  checkSettlement: declare('check_settlement', receipts),
  seal: declare('seal', receipts),
  // A chain has one signer, whose nonces are used in order.
  anchor: declare('anchor', z.strictObject({ chain: z.string() }), { queueBy: 'chain', keyBy: 'chain' }),
  confirm: declare(
    'confirm',
    z.strictObject({
      transaction: z.guid(),
      /** The newest block when another transaction was first seen to have the nonce. */
      overtakenAt: block.optional(),
    }),
    { keyBy: 'transaction' },
  ),
  report: declare('report', receipts),
  // An IPFS node that does not answer occupies one job slot of one worker.
  publish: declare('publish', receipts, { queueBy: 'task' }),
  // The statements of a project occupy one job slot of the workers.
  writeStatement: declare('write_statement', z.strictObject({ statement: z.guid(), projectId: z.guid() }), {
    queueBy: 'projectId',
    keyBy: 'statement',
  }),
  // A chain whose nodes hang occupies one job slot of the workers.
  closingBalance: declare('closing_balance', z.strictObject({ statement: z.guid(), chain: z.string() }), {
    queueBy: 'chain',
    keyBy: 'statement',
  }),
  reprove: declare('reprove', z.strictObject({ transaction: z.guid() })),
  // Exports occupy one job slot of the workers, and take turns in it.
  writeExport: declare('write_export', z.strictObject({ export: z.guid() }), { queueBy: 'task', keyBy: 'export' }),
  // Comparisons occupy one job slot of the workers, and take turns in it.
  coverWallet: declare('cover_wallet', z.strictObject({ coverage: z.guid() }), { queueBy: 'task', keyBy: 'coverage' }),
  // An object store that is down occupies one job slot of the workers.
  eraseObjects: declare('erase_objects', z.strictObject({ sha256s: z.array(z.string()).min(1) }), { queueBy: 'task' }),
  // A facilitator's node that hangs occupies one job slot of the workers.
  settle: declare('settle', z.strictObject({ payment: z.guid() }), { queueBy: 'task', keyBy: 'payment' }),
}

type Declared = (typeof jobs)[keyof typeof jobs]
/** Payloads by the name of their task. */
type Payloads = { [Each in Declared as Each['task']]: z.output<Each['payload']> }
export type TaskName = keyof Payloads
/** A job over receipts. */
export type ReceiptJob = Extract<Declared, { payload: typeof receipts }>

declare global {
  namespace GraphileWorker {
    interface Tasks extends Payloads {}
  }
}
