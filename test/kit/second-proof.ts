// Two readers of proofs of payments that share no code with the service: ethers alone, and Python's standard library
// (test/kit/second_proof.py). Both want a proof with a receipt and a transaction.
import { spawnSync } from 'node:child_process'
import { decodeRlp, encodeRlp, keccak256, type RlpStructuredData, toBeHex } from 'ethers'
import { expect } from 'vitest'
import type { PaymentProof } from '../../src/core/payment-proof.ts'
import { pythonOf } from './python.ts'

export type Case = {
  proof: PaymentProof
  claimed: { blockHash: string; transactionHash: string; index: number }
}
export type Said = {
  number: number
  timestamp: number
  succeeded: boolean
  logs: { address: string; topics: string[]; data: string }[]
  to: string | null
  value: string
}

const { command, args, env, lacks } = pythonOf('')

/** Why Python cannot be run here, as a sentence; null when it can. */
export const lacksPython = lacks

/** Returns what the program says of each; null for a proof that does not hold. */
export function byPython(cases: readonly Case[]): (Said | null)[] {
  const { status, stdout, stderr } = spawnSync(
    command,
    [...args, new URL('second_proof.py', import.meta.url).pathname],
    {
      input: JSON.stringify(cases),
      env: { ...env, PATH: process.env.PATH, PYTHONIOENCODING: 'utf-8' },
      encoding: 'utf8',
      maxBuffer: 64 << 20,
    },
  )
  expect([status, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

export const byEthers = (cases: readonly Case[]): (Said | null)[] =>
  cases.map(({ proof, claimed }) => {
    try {
      return said(proof, claimed)
    } catch {
      return null
    }
  })

function need(holds: boolean): void {
  if (!holds) throw new Error('The proof does not hold.')
}

type Rlp = RlpStructuredData | undefined

function text(value: Rlp): string {
  if (typeof value !== 'string') throw new Error('No string.')
  return value
}

function list(value: Rlp): readonly RlpStructuredData[] {
  if (typeof value !== 'object') throw new Error('No list.')
  return value
}

/** ethers reads longer forms of RLP too. */
function rlp(encoded: string) {
  const value = decodeRlp(encoded)
  need(encodeRlp(value) === encoded)
  return list(value)
}

function follow(root: string, index: number, nodes: readonly string[]): string {
  let expected = root
  let left = encodeRlp(index === 0 ? '0x' : toBeHex(index)).slice(2)
  for (const [at, node] of nodes.entries()) {
    need(keccak256(node) === expected)
    const parts = rlp(node)
    if (parts.length === 17) {
      expected = text(parts[Number.parseInt(left.slice(0, 1), 16)])
      left = left.slice(1)
      continue
    }
    const [, prefix = 'none', digits = ''] = /^0x([02]0|[13])(.*)$/.exec(text(parts[0])) ?? []
    need(prefix !== 'none' && left.startsWith(digits))
    left = left.slice(digits.length)
    expected = text(parts[1])
    if (prefix !== '20' && prefix !== '3') continue
    need(left === '' && at === nodes.length - 1)
    return expected
  }
  throw new Error('The nodes end before the leaf.')
}

const opened = (raw: string) =>
  raw.slice(2, 4) >= 'c0'
    ? { type: 0, fields: rlp(raw) }
    : { type: Number(raw.slice(0, 4)), fields: rlp(`0x${raw.slice(4)}`) }

/** The places of the receiver and of the value. */
const places: Readonly<Record<number, [number, number]>> = {
  ...{ 0: [3, 4], 1: [4, 5], 2: [5, 6], 3: [5, 6], 4: [5, 6] },
  126: [2, 4],
}

function said({ header, receipt, transaction, ...more }: PaymentProof, claimed: Case['claimed']): Said {
  need(Object.keys(more).length === 0)
  need([header, ...receipt, ...(transaction ?? [])].every(part => part === part.toLowerCase()))
  need(keccak256(header) === claimed.blockHash)
  const fields = rlp(header)
  const found = opened(follow(text(fields[5]), claimed.index, receipt))
  need(text(found.fields[2]).length === 514)
  const raw = follow(text(fields[4]), claimed.index, transaction ?? [])
  need(keccak256(raw) === claimed.transactionHash)
  const { type, fields: payload } = opened(raw)
  const [to = 0, value = 0] = places[type] ?? []
  need(type === found.type && to > 0)
  const logs = list(found.fields[3]).map(list)
  return {
    number: Number(fields[8]),
    timestamp: Number(fields[11]),
    succeeded: found.fields[0] === '0x01',
    logs: logs.map(([at, topics, data]) => ({ address: text(at), topics: list(topics).map(text), data: text(data) })),
    to: payload[to] === '0x' ? null : text(payload[to]),
    value: BigInt(payload[value] === '0x' ? 0 : text(payload[value])).toString(),
  }
}
