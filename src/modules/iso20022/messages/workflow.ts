// Elements of the messages that report a payment between institutions, and of those that request or report its
// cancellation or reversal.
import { sentenceOf } from '../../../core/what-is-proven.ts'
import { type Facts, isAnnounced, isSettled, type Occasion, type ReceiptFacts, timeOf } from '../facts.ts'
import { slotId } from '../slots.ts'
import { dateTime, type Element, el } from '../xml.ts'
import { choice, initiator, organisationParty } from './parts.ts'

/** Returns the day of the payment, as an ISODate in UTC. */
export const paidOn = (name: string, { receipt }: Facts): Element => el(name, dateTime(timeOf(receipt)).slice(0, 10))

type Side = (facts: Facts, name: string) => Element

/** Returns Assgnmt: message id, assigner and assignee, both as parties, because a chain has no agents. */
export const assignment = (id: string, facts: Facts, from: Side, to: Side): Element =>
  el('Assgnmt', [
    el('Id', id),
    choice(organisationParty('Assgnr', facts.organisation) ?? from(facts, 'Assgnr')),
    choice(to(facts, 'Assgne')),
    el('CreDtTm', dateTime(facts.occasion.at)),
  ])

/** Returns the id of the case that a request opens. */
export const caseId = ({ id }: { id: string }): string => slotId('CA-', id)

/** Returns a case of this id, opened by the organisation, else the payer. */
export const caseOf = (name: string, id: string, facts: Facts): Element =>
  el(name, [el('Id', id), choice(initiator(facts, 'Cretr'))])

/** Returns how the service knows the payment, in at most 48 characters. */
export const gradeOf = ({ receipt: { settlement } }: Facts): string => sentenceOf(settlement)

const statedWords = ({ statedAs }: Occasion): string[] => (statedAs === null ? [] : [`Stated as ${statedAs}.`])

/** Returns RvslRsnInf or a similar element: the reason code, if any, and sentences of at most 105 characters. */
export const reasonInformation = (name: string, facts: Facts, sentences: string[]): Element =>
  el(name, [
    // Left out when no organisation is configured, because the originator of the message is then unknown.
    organisationParty('Orgtr', facts.organisation),
    facts.occasion.reasonCode === null ? null : el('Rsn', [el('Cd', facts.occasion.reasonCode)]),
    ...[...statedWords(facts.occasion), ...sentences, gradeOf(facts)].map(sentence => el('AddtlInf', sentence)),
  ])

/** For an instruction of at most 140 characters, because an institution that executed the message would pay again. */
export const notToExecute = (facts: Facts): string =>
  `Record only: ${stateOf(facts.receipt)}, do not execute. ${gradeOf(facts)}`

function stateOf(receipt: ReceiptFacts): string {
  if (isAnnounced(receipt)) return 'a refund that is only announced'
  return isSettled(receipt) ? 'settled on chain already' : 'not settled'
}

export const movesNothing = 'Record only: this message moves no funds. A refund on chain has a receipt of its own.'
export const cancelsNothing = 'Record only: a payment on a chain cannot be cancelled. This message moves no funds.'
export const announced = 'The refund is announced: no transaction that gave the money back was stated.'
