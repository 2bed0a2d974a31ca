// HTML out of values: a template whose every value is escaped, unless it is HTML made here already.
import { visiblePieces } from '../../../core/visible.ts'
import { carryable } from '../xml.ts'

export type Html = { readonly html: string }
type Value = string | number | Html | readonly (Html | null)[] | null

const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** For text and quoted attributes. A raw CR would be read as LF; what no page can carry becomes U+FFFD. */
export const escapeHtml = (text: string): string =>
  carryable(text).replace(/[&<>"'\r]/g, char => named[char] ?? `&#${char.charCodeAt(0)};`)

function markup(value: Value): string {
  if (value === null) return ''
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value))
  return 'html' in value ? value.html : value.map(markup).join('')
}

export const html = (texts: TemplateStringsArray, ...values: Value[]): Html => ({
  html: String.raw({ raw: texts }, ...values.map(markup)),
})

/** What cannot be seen is named: a direction override could show another amount. */
const shown = (text: string): Html[] =>
  visiblePieces(text).map(piece =>
    piece.isName
      ? html`<span class="unseen" title="A character that cannot be seen">${piece.text}</span>`
      : html`${piece.text}`,
  )

/** A value someone else wrote: apart from its surroundings, whatever its direction of writing. */
export const said = (text: string): Html => html`<bdi>${shown(text)}</bdi>`

/** The same for ids, wallets and hashes. */
export const saidCode = (text: string): Html => html`<bdi class="code">${shown(text)}</bdi>`

/** The same for the label of an asset beside an amount: set apart, for it can look like a part of the number. */
export const saidLabel = (text: string): Html => html`<bdi class="label">${shown(text)}</bdi>`

/** One line of a list of facts; none for null. */
export const fact = (label: string, value: Html | null): Html | null =>
  value && html`<div><dt>${label}</dt><dd>${value}</dd></div>\n`

export const time = (at: Date): Html => {
  const iso = at.toISOString()
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`
}

/** A time in a message: our own, in UTC, as everywhere; any other as it stands. */
export function when(text: string | null): Html | null {
  if (text === null) return null
  const isUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text) && !Number.isNaN(Date.parse(text))
  return isUtc ? time(new Date(text)) : said(text)
}
