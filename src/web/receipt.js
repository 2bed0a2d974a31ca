// The public receipt page and its embeddable card: loads one receipt, follows it until anchored, verifies on demand.
// Everything received is shown as text, never as markup.
const { rid: given = '', theme } = Object.fromEntries(new URLSearchParams(location.search))
const rid = given.trim().toLowerCase()
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme

// The service knows receipt.graphql by this id, also where it executes no other documents than listed ones.
const documentId = 'x-quittance:receipt-page'
// The service may be below a path, such as https://example.com/quittance.
const at = path => new URL(`../${path}`, import.meta.url).href
const receiptOperation = document.body.dataset.view === 'embed' ? 'ReceiptCard' : 'ReceiptPage'

const states = {
  ANCHORED: ['good', '✓ Complete: anchored', 'The hash of the evidence is recorded on chain.'],
  AWAITING_ANCHOR: ['wait', 'Not complete: awaiting anchor', 'The evidence is sealed, but not yet anchored on chain.'],
  PENDING: ['wait', 'Not complete: pending', 'The payment is recorded. Its evidence is being prepared.'],
  FAILED: ['bad', '✕ Not complete: failed', 'The evidence failed. This says nothing about the payment itself.'],
}
const contradicted = [
  'bad',
  '✕ Not confirmed by its chain',
  'The evidence is anchored, and the payment’s own chain contradicts the payment.',
]
const anchorWords = {
  WAITING: 'not sent yet',
  EXTERNAL: 'to be sent by the project',
  SENT: 'sent, in no block yet',
  INCLUDED: 'in a block, not final yet',
  SAFE: 'in a block, not final yet',
  FINAL: 'final',
}
const checkWords = { PASSED: '✓ Passed', FAILED: '✕ Failed', SKIPPED: '– Skipped' }

const byId = id => document.getElementById(id)
const proof = receipt => `${receipt.bundleHash} ${receipt.anchorTx}`
const utc = time => `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`
const element = (tag, text, more) => Object.assign(document.createElement(tag), more, { textContent: text })
// Spread out, so that many pages do not come back at one moment.
const loadLater = () => (retry = setTimeout(load, 3000 + Math.random() * 5000))
let shown = null
let stream = null
let retry = 0
let loading = false
let again = false
let over = false

async function ask(operationName, variables, timeoutMs) {
  const response = await fetch(at('graphql'), {
    method: 'POST',
    credentials: 'omit',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ documentId, operationName, variables }),
    signal: AbortSignal.timeout(timeoutMs),
  })
  const { data, errors } = await response.json()
  if (errors?.length || !data) throw new Error('no answer', { cause: errors?.[0]?.extensions?.code })
  return data
}

// Characters that nobody sees, or that change how others are seen: a label with them can show an amount that is none.
const unseen = /[[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]--[ ]]/gv
const nameOf = char => `U+${char.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`
const visible = text => text.replace(unseen, char => `⟨${nameOf(char)}⟩`)

/** The text, each character that cannot be seen by its name. */
function pieces(text) {
  const names = [...text.matchAll(unseen)].map(([char]) =>
    element('span', nameOf(char), { className: 'named', title: 'A character that cannot be seen' }),
  )
  return text.split(unseen).flatMap((piece, index) => (names[index] ? [piece, names[index]] : [piece]))
}

const told = new WeakMap()

function put(name, text) {
  const place = document.querySelector(`[data-slot="${name}"]`)
  // Unchanged text stays untouched, or a screen reader would say it again.
  if (!place || told.get(place) === text) return
  told.set(place, text)
  place.replaceChildren(...pieces(text))
}

function fact(name, value) {
  const line = element('div', `${name} `)
  const told = element('bdi', '', { className: 'code' })
  told.append(...pieces(String(value)))
  line.append(told)
  return line
}

function list(id, values, parts) {
  const place = byId(id)
  const drawn = JSON.stringify(values)
  // Redrawn only when changed, or the keyboard focus inside would be lost.
  if (!place || place.dataset.drawn === drawn) return
  place.dataset.drawn = drawn
  place.replaceChildren(...values.map(() => element('li', '')))
  values.forEach((value, index) => void place.children[index].append(...parts(value)))
}

function tell(tone, headline, sentence) {
  byId('state').dataset.state = tone
  put('headline', headline)
  put('sentence', sentence)
}

function show(receipt) {
  const before = shown
  shown = receipt
  over = receipt.status === 'ANCHORED'
  const words = wordsOf(receipt)
  tell(...words)
  document.title = `${words[1]} · ${receipt.amount} ${visible(receipt.currency)} · Quittance receipt`
  for (const [name, value] of Object.entries(receipt)) if (typeof value === 'string') put(name, value)
  showKind(receipt)
  if (receipt.createdAt) put('createdAt', utc(receipt.createdAt))
  put('settlement', onItsChain(receipt))
  put('paidAt', receipt.settlement?.blockTime ? utc(receipt.settlement.blockTime) : 'Not known')
  put('anchoredAt', over && receipt.anchoredAt ? utc(receipt.anchoredAt) : 'Not anchored')
  put('bundleHash', receipt.bundleHash ?? 'Not sealed')
  put('anchorTx', receipt.anchorTx ?? 'None')
  list('anchors', receipt.anchors, anchorParts)
  list('files', receipt.artifacts.nodes, fileParts)
  put('live', `As of ${utc(Date.now())}.${over ? '' : ' Updates by itself until the receipt is complete.'}`)
  if (byId('full')) byId('full').href = at(`ui/receipt.html?rid=${rid}`)
  if (byId('verdict') && before && proof(before) !== proof(receipt)) verdict('', '')
  byId('receipt').hidden = false
  if (!over) return follow()
  unfollow()
  // Reports made after anchoring come a little later.
  if (before && before.status !== 'ANCHORED') loadLater()
}

/** A refund that is only announced has no transaction that its chain could contradict. */
const isContradicted = ({ refundOf, refundTx, isSettled }) => !isSettled && (refundOf === null || refundTx != null)

function wordsOf(receipt) {
  const { status } = receipt
  if (status === 'ANCHORED' && isContradicted(receipt)) return contradicted
  return states[status] ?? ['wait', 'Not complete', 'This page does not know the state of the receipt.']
}

/** A refund is no payment, and without its own transaction it is only announced. */
function showKind({ refundOf, isSettled, refundTx, recordedBy }) {
  const kind = refundOf === null ? 'payment' : isSettled ? 'refund' : 'announced'
  put('title', refundOf ? 'Refund receipt' : 'Payment receipt')
  if (kind === 'announced' && refundTx == null && over)
    put('sentence', 'The hash of the evidence is recorded on chain. The refund itself is not settled.')
  put(
    'kind',
    {
      payment: isSettled ? 'Payment' : 'Payment, not confirmed by its chain',
      refund: 'Refund',
      announced: refundTx == null ? 'Announced refund, not settled' : 'Refund, not confirmed by its chain',
    }[kind],
  )
  put('payerLabel', refundOf ? 'Refunded by' : 'Payer')
  put('payeeLabel', refundOf ? 'Refunded to' : 'Payee')
  put('transactionLabel', refundOf ? 'Transaction of the refund' : 'Settlement transaction')
  if (refundOf) {
    put('settlementTx', refundTx ?? 'Not stated')
    put('refundOf', refundOf.id)
    put('refundedTxHash', refundOf.settlementTx ?? '')
    if (byId('original')) byId('original').href = at(`ui/receipt.html?rid=${refundOf.id}`)
  }
  for (const line of document.querySelectorAll('[data-refund]')) line.hidden = refundOf === null
  const { projectId, ownerWallet } = recordedBy ?? {}
  if (projectId) put('recordedBy', `project ${projectId}${ownerWallet ? `, of wallet ${ownerWallet}` : ''}`)
}

/** Says what the check of the payment found, and each fact that differs. */
function onItsChain({ settlement }) {
  if (!settlement) return 'Stated by the project, not checked on its chain.'
  const found = settlement.differences.map(
    ({ field, stated, found }) =>
      `${field.toLowerCase().replaceAll('_', ' ')} stated as ${stated}, on chain ${found ?? 'none'}`,
  )
  return [settlement.sentence, ...found].join(' ')
}

function anchorParts({ chain, anchorTx, blockNumber, contract, status }) {
  const facts = Object.entries({ Transaction: anchorTx, Block: blockNumber, Contract: contract })
  const known = facts.filter(([, value]) => value !== null)
  return [element('bdi', chain), `: ${anchorWords[status] ?? status}`, ...known.map(pair => fact(...pair))]
}

/** The address, when it is one a link may lead to. */
function address(url) {
  const target = URL.canParse(url ?? '', location.href) ? new URL(url, location.href) : null
  return url && ['http:', 'https:'].includes(target?.protocol) ? target.href : null
}

function fileParts({ type, name, url, pageUrl, sha256, createdAt }) {
  const [file, page] = [address(url), address(pageUrl)]
  const title = file ? element('a', name, { href: file, download: name }) : element('bdi', name)
  const read = page ? [' · ', element('a', 'read as a page', { href: page })] : []
  return [title, ...read, element('div', `${type}, made ${utc(createdAt)}`), fact('SHA-256', sha256)]
}

async function load() {
  again = loading
  if (loading) return
  loading = true
  clearTimeout(retry)
  try {
    const { receipt } = await ask(receiptOperation, { id: rid }, 20_000)
    if (receipt) show(receipt)
    else stop('No such receipt', 'There is no receipt with this id. Please check the link.')
  } catch (error) {
    if (error.cause === 'validation_failed') stop(...malformed)
    else if (shown) put('live', 'Connection lost: what is shown may be out of date. Trying again.')
    else tell('wait', 'The receipt could not be loaded', 'The service does not answer. Trying again.')
    if (!over) loadLater()
  }
  loading = false
  if (again) load()
}

function stop(headline, sentence) {
  over = true
  unfollow()
  tell('bad', headline, sentence)
  byId('receipt').hidden = true
}

function follow() {
  if (stream || document.hidden) return
  stream = new EventSource(at(`v1/iso/events/${rid}`))
  stream.addEventListener('update', load)
  stream.addEventListener('error', () => {
    // Unless closed, it reconnects by itself.
    if (stream?.readyState !== EventSource.CLOSED) return
    unfollow()
    loadLater()
  })
}

function unfollow() {
  clearTimeout(retry)
  stream?.close()
  stream = null
}

function verdict(tone, text, checks = []) {
  Object.assign(byId('verdict'), { textContent: text }).dataset.state = tone
  list('checks', checks, ({ code, title, status, detail }) => {
    const failed = status === 'FAILED' ? [' ', element('span', `(${code})`, { className: 'code' })] : []
    return [element('strong', checkWords[status] ?? status), ` ${title}`, ...failed, element('div', detail ?? '')]
  })
}

async function verify({ currentTarget: button }) {
  if (!shown || button.ariaDisabled === 'true') return
  const { bundleUrl, bundleHash, anchorTx } = shown
  if (!bundleHash) return verdict('wait', 'Nothing to verify: the evidence has not been sealed.')
  const subject = proof(shown)
  button.ariaDisabled = 'true'
  verdict('', 'Verifying…')
  try {
    const { verifyEvidence: found } = await ask('VerifyReceipt', { bundleUrl, bundleHash, anchorTx }, 60_000)
    const at = `at ${utc(Date.now())}`
    const rest = over ? '' : ' The receipt is not complete.'
    const why = found.errors.length ? `Not passed: ${found.errors.join(', ')}.` : 'No final anchor has this hash.'
    const verified = found.matchesOnchain === true && found.errors.length === 0
    if (proof(shown) !== subject) verdict('wait', 'The receipt has changed meanwhile. Please verify again.')
    else if (verified) verdict('good', `✓ Verified ${at}. The chain carries exactly this hash.${rest}`, found.checks)
    else verdict(rest ? 'wait' : 'bad', `✕ Not verified ${at}. ${why}${rest}`, found.checks)
  } catch {
    verdict('wait', 'The check could not be carried out, which says nothing about the evidence. Please try later.')
  }
  button.ariaDisabled = 'false'
}

const malformed = ['Not a receipt id', 'The link must hold a receipt id: a UUID of 36 characters.']
byId('verify')?.addEventListener('click', verify)
// A hidden page keeps no connection: browsers allow only a few to one server.
document.addEventListener('visibilitychange', () => (document.hidden ? unfollow() : shown && load()))
if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(rid)) load()
else stop(...malformed)
