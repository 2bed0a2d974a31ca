// The common part of the subscriptions that keep a list of receipts or payments current.
import type { Matcher } from './matching.ts'

/** The change of a receipt or payment. */
type Change = {
  cursor: string
  type: string
  occurredAt: Date
  subject: string
  /** The subject was deleted. */
  isGone: boolean
}
export type LiveChange = Change & { matches: boolean }

export const cursorText = 'Increases with every change. Pass the last one seen as `after` to resume.'
export const occurredText = 'When it happened.'
export const matchesText = (one: string) =>
  `Whether the ${one} matches the filter now. If so, it belongs in the list; if not, remove it there.`
export const streamText = (one: string) =>
  `Each change of a ${one} of the caller’s project, from now on or since the event \`after\`, to keep a list with the same filter current. Conditions on values that never change decide whose changes are sent. All conditions decide \`matches\`, so the change with which a ${one} leaves the list is sent too. The stream does not end by itself.`

/** Returns the changes that a stream with this filter sends. Throws `too_many_requests`. */
export async function matched(matcher: Matcher | null, changes: Change[]): Promise<LiveChange[]> {
  const matches = matcher && (await matcher(changes.flatMap(({ subject, isGone }) => (isGone ? [] : subject))))
  return changes.flatMap(change => {
    if (change.isGone) return { ...change, matches: false }
    const isMatch = matches === null || matches.get(change.subject)
    return isMatch === undefined ? [] : { ...change, matches: isMatch }
  })
}
