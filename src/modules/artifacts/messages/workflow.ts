// Parts of the messages that tell a payment between institutions, and of those that ask to take it back.
import type { Facts } from '../facts.ts'
import { dateTime, type Element, el } from '../xml.ts'
import { choice, messageId, organisationParty } from './parts.ts'

/** ISODate, in UTC, of when the payment was recorded. */
export const recordedOn = (name: string, { receipt }: Facts): Element =>
  el(name, dateTime(receipt.createdAt).slice(0, 10))

type Side = (facts: Facts, name: string) => Element

/** Assgnmt: the id of the message, and who hands the case to whom. As parties, since a chain has no agents. */
export const assignment = (type: 'camt.029' | 'camt.056', facts: Facts, from: Side, to: Side): Element =>
  el('Assgnmt', [
    el('Id', messageId(type, facts.occasion)),
    choice(organisationParty('Assgnr', facts.organisation) ?? from(facts, 'Assgnr')),
    choice(to(facts, 'Assgne')),
    el('CreDtTm', dateTime(facts.occasion.at)),
  ])

/** RvslRsnInf and its kin: the code, when one was given, and sentences of at most 105 characters. */
export const reasonInformation = (name: string, facts: Facts, sentences: string[]): Element =>
  el(name, [
    // Left out when nothing is configured: who asked for the message is not known then.
    organisationParty('Orgtr', facts.organisation),
    facts.occasion.reasonCode === null ? null : el('Rsn', [el('Cd', facts.occasion.reasonCode)]),
    ...sentences.map(sentence => el('AddtlInf', sentence)),
  ])

export const movesNothing = 'Record only: this message moves no funds. A refund on chain has a receipt of its own.'
export const cancelsNothing = 'Record only: a payment on a chain cannot be cancelled. This message moves no funds.'
export const announced = 'The refund is announced: no transaction that gave the money back was stated.'
