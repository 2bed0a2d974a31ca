// Lives through generated lives by the API, and keeps books of its own: what was recorded, returned and refused.
import type { Service } from '../service.ts'
import type { Life, Refund, Writing } from './generate.ts'
import { type Dictionary, families, type Spelled } from './spellings.ts'

/** The content of a receipt, by meaning and not by spelling. */
export type Truth = {
  project: number
  /** The number of the project's configuration under which it was recorded. */
  configuration: number
  chain: string
  transaction: string
  sender: string
  receiver: string
  currency: string
  amount: string
  /** The receipt that it refunds. */
  refundOf: string | null
  isSettled: boolean
  isLate: boolean
  /** The return of a payment, recorded as a payment itself. */
  isReturn: boolean
}

type Project = { id: string; key: string }

const scale = 10n ** 18n

/** Reads a decimal with up to 18 fraction digits as a number of its smallest units. */
export function units(decimal: string): bigint {
  const [, sign = '', integer = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,18}))?$/.exec(decimal) ?? []
  if (integer === '') throw new Error(`${decimal} is no plain decimal`)
  const size = BigInt(integer) * scale + BigInt(fraction.padEnd(18, '0'))
  return sign === '-' ? -size : size
}

const decimal = (size: bigint): string =>
  `${size / scale}.${String(size % scale).padStart(18, '0')}`.replace(/\.?0+$/, '')

/** `faults` collects answers of the service that contradict what was sent. */
export function teller(service: Service, projects: readonly Project[], words: Dictionary) {
  const { api } = service
  const truths = new Map<string, Truth>()
  const faults: string[] = []
  const waiting: { life: Life; receipt: string }[] = []
  let configuration = 0
  let serial = 0

  const keyOf = (life: Life) => projects[life.project]?.key ?? ''
  const leg = (number: number | null) => (number === null ? '' : `#${number}`)

  /** A request to record the transfer, in one of its spellings. */
  function tip(life: Life, writing: Writing, transfer: { receiver: Spelled; amount: string; leg: number | null }) {
    serial += 1
    return {
      chain: words.write(families[life.family].chain, writing.chain),
      tip_tx_hash: words.write(life.transaction, writing.transaction) + leg(transfer.leg),
      sender_wallet: words.write(life.sender, writing.sender),
      receiver_wallet: words.write(transfer.receiver, writing.receiver),
      amount: transfer.amount,
      currency: life.currency,
      reference: `${life.text} ${serial}`,
    }
  }

  async function recorded(life: Life, transfer: { receiver: Spelled; amount: string; leg: number | null }) {
    const sent = tip(life, life.writing, transfer)
    const { status, json } = await api.call('POST', '/v1/iso/record-tip', { key: keyOf(life), body: sent })
    if (status !== 200) {
      faults.push(`${JSON.stringify(sent)} is answered ${status}: ${JSON.stringify(json)}`)
      return null
    }
    if (truths.has(json.receipt_id)) faults.push(`${JSON.stringify(sent)} is taken for the earlier ${json.receipt_id}`)
    truths.set(json.receipt_id, {
      project: life.project,
      configuration,
      chain: families[life.family].chain.meaning,
      transaction: life.transaction.meaning + leg(transfer.leg),
      sender: life.sender.meaning,
      receiver: transfer.receiver.meaning,
      currency: life.currency,
      amount: transfer.amount,
      refundOf: null,
      isSettled: true,
      isLate: life.isLate,
      isReturn: false,
    })
    return json.receipt_id as string
  }

  /** Records a payment once more: the answer is the first receipt, and says so where the facts differ. */
  async function repeat(life: Life, receipt: string, { writing, differs }: Life['again'][number]) {
    const amount = differs ? decimal(units(life.amount) + 1n) : life.amount
    if (differs && !/^\d{1,20}(\.|$)/.test(amount)) return
    const sent = tip(life, writing, { receiver: life.receiver, amount, leg: life.leg })
    const { status, json, headers } = await api.call('POST', '/v1/iso/record-tip', { key: keyOf(life), body: sent })
    const said = headers.get('receipt-differs') ?? ''
    if (status !== 200 || json.receipt_id !== receipt)
      faults.push(`${JSON.stringify(sent)} is ${receipt} in other words, and is answered ${status} ${json?.receipt_id}`)
    else if (said.includes('amount') !== differs)
      faults.push(
        `${JSON.stringify(sent)} ${differs ? 'differs from' : 'is'} ${receipt}, and Receipt-Differs is "${said}"`,
      )
  }

  async function record(life: Life): Promise<void> {
    const { amount, receiver, leg: number, other } = life
    const receipt = await recorded(life, { amount, receiver, leg: number })
    if (receipt === null) return
    for (const again of life.again) await repeat(life, receipt, again)
    if (other !== null) await recorded(life, { ...other, leg: ((number ?? 0) + 1) % 2 ** 31 })
    if (life.refunds.length > 0) waiting.push({ life, receipt })
  }

  async function refund(life: Life, receipt: string): Promise<void> {
    let left = units(life.amount)
    const announced = new Set<bigint>()
    for (const part of life.refunds) {
      const amount = part.quarters === null ? null : decimal((left * BigInt(part.quarters)) / 4n)
      if (amount === '0') continue
      // The whole of it, asked for after a part of it: too much.
      const requested = amount === null ? units(life.amount) : units(amount)
      // A request for what is only announced means that refund.
      if (announced.has(requested)) continue
      const made = await refunded(life, receipt, part, amount, requested <= left ? null : decimal(left))
      if (made) left -= requested
      if (made && part.settled === 'never') announced.add(requested)
      if (left === 0n) return
    }
  }

  /** `tooMuch`: what is left, if less than was asked for. Returns whether the refund was made. */
  async function refunded(
    life: Life,
    receipt: string,
    { settled, transaction, isRecordedToo }: Refund,
    amount: string | null,
    tooMuch: string | null,
  ): Promise<boolean> {
    const key = keyOf(life)
    const refund_tx_hash = words.write(transaction, 0)
    const body = {
      original_receipt_id: receipt,
      ...(amount !== null && { amount }),
      ...(settled === 'at once' && { refund_tx_hash }),
    }
    const { status, json } = await api.call('POST', '/v1/iso/refund', { key, body })
    if (tooMuch !== null) {
      if (status !== 409)
        faults.push(`${JSON.stringify(body)} is more than the ${tooMuch} left, and is answered ${status}`)
      return false
    }
    if (status !== 200) {
      faults.push(`${JSON.stringify(body)} is answered ${status}: ${JSON.stringify(json)}`)
      return false
    }
    const id: string = json.refund_receipt_id
    const original = truths.get(receipt)
    if (original === undefined) throw new Error('a refund has an original')
    truths.set(id, {
      ...original,
      transaction: transaction.meaning,
      sender: original.receiver,
      receiver: original.sender,
      amount: amount ?? original.amount,
      refundOf: receipt,
      isSettled: settled !== 'never',
    })
    if (settled === 'later') {
      const query = `mutation ($id: ID!, $tx: String!) { confirmRefund(input: { receiptId: $id, refundTx: $tx }) { refund { id } } }`
      const { errors } = await api.graphql(query, { key, variables: { id, tx: refund_tx_hash } })
      if (errors) faults.push(`refund ${id} is not settled: ${JSON.stringify(errors)}`)
    }
    if (isRecordedToo && settled !== 'never') await recordReturn(life, id, refund_tx_hash)
    return true
  }

  /** Records the transaction of a refund as if it were a payment. It stays one movement of money. */
  async function recordReturn(life: Life, refundId: string, transaction: string): Promise<void> {
    const refund = truths.get(refundId)
    if (refund === undefined) throw new Error('the refund is in the books')
    serial += 1
    const body = {
      chain: words.write(families[life.family].chain, life.writing.chain),
      tip_tx_hash: transaction,
      sender_wallet: words.write(life.receiver, life.writing.receiver),
      receiver_wallet: words.write(life.sender, life.writing.sender),
      amount: refund.amount,
      currency: life.currency,
      reference: `return ${serial}`,
    }
    const { status, json } = await api.call('POST', '/v1/iso/record-tip', { key: keyOf(life), body })
    if (status !== 200) faults.push(`the return ${JSON.stringify(body)} is answered ${status}: ${JSON.stringify(json)}`)
    else if (!truths.has(json.receipt_id))
      truths.set(json.receipt_id, { ...refund, configuration, refundOf: null, isReturn: true })
  }

  const inTurns = async <T>(list: readonly T[], work: (item: T) => Promise<void>): Promise<void> => {
    const queue = [...list]
    const worker = async () => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
    }
    await Promise.all(Array.from({ length: 16 }, worker))
  }

  return {
    truths,
    faults,
    isLate: (receipt: string): boolean => truths.get(receipt)?.isLate ?? false,
    /** Receipts are recorded from now on under the configuration with this number. */
    configured: (number: number) => {
      configuration = number
    },
    /** Refunds what was recorded in earlier calls and is anchored by now, and records these lives. */
    async tell(lives: readonly Life[]): Promise<void> {
      const due = waiting.splice(0)
      await inTurns(due, ({ life, receipt }) => refund(life, receipt))
      await inTurns(lives, record)
    },
  }
}
