// Renders a message as an HTML page: the payment first, then every element in words; for screen and print, without
// script.

import { readXml, type XmlNode } from '../iso20022/read-xml.ts'
import { html, said, saidCode } from './html.ts'
import { labelOf } from './labels.ts'
import { messageSections } from './rows.ts'
import { pageStyle } from './style.ts'
import { summary } from './summary.ts'

export type MessageFile = {
  xml: string
  /** The file's name. */
  name: string
  /** SHA-256 of the XML, 0x-prefixed. */
  sha256: string
  /** URL of the XML file. */
  downloadUrl: string
}

/** Returns an HTML5 page in English. Throws an Error when the XML cannot be read. */
export function messagePage({ xml, name, sha256, downloadUrl }: MessageFile): string {
  const root = readXml(xml)
  const body = bodyOf(root)
  const version = /[a-z]{4}\.\d{3}\.\d{3}\.\d{2}$/.exec(root.namespace)?.[0]
  const title = `${labelOf(body.name)}${version === undefined ? '' : ` · ${version}`}`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${title} · Quittance</title>
<style>${{ html: pageStyle }}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the message</a>
<header class="bar"><a class="brand" href="../../">Quittance</a></header>
<main id="main" tabindex="-1">
<h1>${title}</h1>
<section aria-labelledby="summary">
<h2 id="summary">Summary</h2>
${summary(body)}</section>
<section aria-labelledby="whole">
<h2 id="whole">The whole message</h2>
${messageSections(body)}</section>
</main>
<footer>
<dl>
<div><dt>File</dt><dd><a class="source" href="${downloadUrl}">${said(name)}</a></dd></div>
<div><dt>SHA-256 of the file</dt><dd>${saidCode(sha256)}</dd></div>
</dl>
<p>This is an ISO 20022-style document; it moves no funds. The XML file is what is hashed and signed; this page only
shows it. All times are UTC.</p>
</footer>
</body>
</html>
`.html
}

/** Returns the message element, which Document only wraps. */
const bodyOf = (root: XmlNode): XmlNode => (root.name === 'Document' ? (root.children[0] ?? root) : root)
