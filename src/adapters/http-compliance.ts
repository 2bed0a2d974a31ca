// A compliance provider behind a URL: it receives the payment as JSON and responds with a decision. docs/operations.md
// describes both.
import { z } from 'zod'
import { withoutMark } from '../core/text.ts'
import type { ComplianceAnswer, ComplianceProvider, ProviderSetting } from '../ports/compliance.ts'
import type { PublicFetch } from '../ports/public-fetch.ts'

// The URL may contain a secret, so no error quotes it.
type Setting = Extract<ProviderSetting, { kind: 'http+json' }>

const limits = { maxBytes: 16 * 1024, timeoutMs: 5_000 }
const longestReason = 500

const answer = z.object({
  decision: z.enum(['allow', 'flag', 'deny']),
  reason: z
    .string()
    .nullish()
    .transform(text => (text ? shown(text) : null)),
})

/** Removes control and format characters, which a page or a terminal could interpret. */
const shown = (text: string): string | null =>
  [...text.toWellFormed().replace(/[\p{Cc}\p{Cf}]+/gu, ' ')].slice(0, longestReason).join('').trim() || null

export function createHttpCompliance({ name, url, authorization }: Setting, fetch: PublicFetch): ComplianceProvider {
  let fault: string | null = null
  const unavailable = (why: string): ComplianceAnswer => {
    fault = `the provider ${name} ${why}`
    return { decision: 'unavailable', reason: fault }
  }
  return {
    name,
    isRemote: true,
    fault: () => fault,
    async ask(check, { kind, txHash, ...subject }) {
      const json = { check, kind, tx_hash: txHash, ...subject }
      const bytes = await fetch(url, { ...limits, json, accept: 'application/json', authorization })
      if (bytes === null) return unavailable('gave no answer')
      const read = answer.safeParse(readJson(bytes))
      if (!read.success) return unavailable('gave an answer that cannot be read')
      fault = null
      return read.data
    },
  }
}

function readJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(withoutMark(bytes.toString('utf8')))
  } catch {
    return undefined
  }
}
