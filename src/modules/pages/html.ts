// The HTML template of message pages: escapes every value except HTML that the template itself made.
import { z } from 'zod'
import { visiblePieces } from '../../core/visible.ts'
import { carryable } from '../iso20022/xml.ts'

export type Html = { readonly html: string }
type Value = string | number | Html | readonly (Html | null)[] | null

const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text and quoted attributes. A raw CR would be read as LF; characters a page cannot carry become U+FFFD. */
const escapeHtml = (text: string): string =>
  carryable(text).replace(/[&<>"'\r]/g, char => named[char] ?? `&#${char.charCodeAt(0)};`)

function markup(value: Value): string {
  if (value === null) return ''
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value))
  return 'html' in value ? value.html : value.map(markup).join('')
}

export const html = (texts: TemplateStringsArray, ...values: Value[]): Html => ({
  html: String.raw({ raw: texts }, ...values.map(markup)),
})

/** Shows invisible characters by name, because a direction override could make a page show another amount. */
const shown = (text: string): Html[] =>
  visiblePieces(text).map(piece =>
    piece.isName
      ? html`<span class="unseen" title="A character that cannot be seen">${piece.text}</span>`
      : html`${piece.text}`,
  )

/** Renders an untrusted value, isolated from the text around it whatever its writing direction. */
export const said = (text: string): Html => html`<bdi>${shown(text)}</bdi>`

/** Renders an untrusted id, wallet or hash, isolated like `said`. */
export const saidCode = (text: string): Html => html`<bdi class="code">${shown(text)}</bdi>`

/** Renders an asset label beside an amount: set apart, because an untrusted label can look like part of the number. */
export const saidLabel = (text: string): Html => html`<bdi class="label">${shown(text)}</bdi>`

/** Renders one row of a definition list; no row for null. */
export const fact = (label: string, value: Html | null): Html | null =>
  value && html`<div><dt>${label}</dt><dd>${value}</dd></div>\n`

export const time = (at: Date): Html => {
  const iso = at.toISOString()
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`
}

const utc = z.iso.datetime()

/** Renders a time in a message: a UTC time in the format of the page, any other text unchanged. */
export function when(text: string | null): Html | null {
  if (text === null) return null
  return utc.safeParse(text).success ? time(new Date(text)) : said(text)
}
