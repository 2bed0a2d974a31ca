// The public receipt page and its embeddable card: loads one receipt, follows it until anchored, verifies on demand.
// Everything received is shown as text, never as markup.
const parameters = new URLSearchParams(location.search)
const rid = (parameters.get('rid') ?? '').trim().toLowerCase()
const theme = parameters.get('theme')
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
const embedded = document.body.dataset.view === 'embed'

const receiptQuery = `query PublicReceipt($id: ID!) {
  receipt(id: $id) {
    id status amount currency senderWallet receiverWallet chain tipTxHash reference
    createdAt anchoredAt bundleHash bundleUrl ledgerTxid
    artifacts { type name url sha256 createdAt }
    anchors { chain txid blockNumber contract state }
  }
}`
const cardQuery = `query PublicReceiptCard($id: ID!) {
  receipt(id: $id) { id status amount currency reference anchoredAt }
}`
const verifyQuery = `query VerifyReceipt($bundleUrl: String, $bundleHash: String, $txid: String) {
  verifyEvidence(bundleUrl: $bundleUrl, bundleHash: $bundleHash, txid: $txid) {
    matchesOnchain errors
    checks { id title status detail }
  }
}`

const states = {
  anchored: ['good', '✓ Complete: anchored', 'The hash of the evidence is recorded on chain.'],
  awaiting_anchor: ['wait', 'Not complete: awaiting anchor', 'The evidence is sealed, but not yet anchored on chain.'],
  pending: ['wait', 'Not complete: pending', 'The payment is recorded. Its evidence is being prepared.'],
  failed: ['bad', '✕ Not complete: failed', 'The evidence could not be completed. This says nothing about the payment itself.'],
}
const unknownState = ['wait', 'Not complete', 'The receipt is in a state that this page does not know.']
const anchorWords = { waiting: 'not sent yet', sent: 'sent, not final yet', confirmed: 'final' }
const checkWords = { passed: '✓ Passed', failed: '✕ Failed', skipped: '– Skipped' }

const byId = id => document.getElementById(id)
const slot = name => document.querySelector(`[data-slot="${name}"]`)
const proof = receipt => `${receipt.bundleHash} ${receipt.ledgerTxid}`
let shown = null
let stream = null
let retry = 0
let failures = 0
let loading = false
let again = false
let over = false

async function ask(query, variables, timeoutMs) {
  const response = await fetch('/graphql', {
    method: 'POST',
    credentials: 'omit',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query, variables }),
    signal: AbortSignal.timeout(timeoutMs),
  })
  const { data, errors } = await response.json()
  if (errors?.length || !data) throw new Error('no answer', { cause: errors?.[0]?.extensions?.code })
  return data
}

function put(name, text) {
  // Unchanged text stays untouched, or a screen reader would say it again.
  if (slot(name) && slot(name).textContent !== text) slot(name).textContent = text
}

function utc(value) {
  return `${new Date(value).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

function element(tag, text, more = {}) {
  return Object.assign(document.createElement(tag), more, { textContent: text })
}

function fact(name, value) {
  const line = element('div', `${name} `)
  line.append(element('span', String(value), { className: 'code' }))
  return line
}

function list(id, values, parts) {
  const place = byId(id)
  const drawn = JSON.stringify(values)
  // Redrawn only when changed, or the keyboard focus inside would be lost.
  if (place.dataset.drawn === drawn) return
  place.dataset.drawn = drawn
  const items = values.map(value => {
    const li = document.createElement('li')
    li.append(...parts(value))
    return li
  })
  place.replaceChildren(...items)
}

function tell([tone, headline, sentence]) {
  byId('state').dataset.state = tone
  put('headline', headline)
  put('sentence', sentence)
}

function show(receipt) {
  const before = shown
  shown = receipt
  const anchored = receipt.status === 'anchored'
  const words = states[receipt.status] ?? unknownState
  tell(words)
  document.title = `${words[1]} · ${receipt.amount} ${receipt.currency} · Quittance receipt`
  for (const [name, value] of Object.entries(receipt)) if (typeof value === 'string') put(name, value)
  put('anchoredAt', anchored && receipt.anchoredAt ? utc(receipt.anchoredAt) : 'Not anchored')
  put('live', `As of ${utc(Date.now())}.${anchored ? '' : ' Updates by itself until the receipt is complete.'}`)
  if (embedded) byId('full').href = `/ui/receipt.html?${new URLSearchParams({ rid })}`
  else details(receipt, before)
  byId('receipt').hidden = false
  over = anchored
  if (!over) return follow()
  unfollow()
  // Reports made after anchoring come a little later.
  if (before && before.status !== 'anchored') retry = setTimeout(load, 5000)
}

function details(receipt, before) {
  put('createdAt', utc(receipt.createdAt))
  put('bundleHash', receipt.bundleHash ?? 'Not sealed')
  put('ledgerTxid', receipt.ledgerTxid ?? 'None')
  list('anchors', receipt.anchors, anchorParts)
  list('files', receipt.artifacts, fileParts)
  if (before && proof(before) !== proof(receipt)) verdict('', '')
}

function anchorParts({ chain, txid, blockNumber, contract, state }) {
  const facts = Object.entries({ Transaction: txid, Block: blockNumber, Contract: contract })
  const known = facts.filter(([, value]) => value !== null).map(([name, value]) => fact(name, value))
  return [element('bdi', chain), `: ${anchorWords[state] ?? state}`, ...known]
}

function fileParts({ type, name, url, sha256, createdAt }) {
  const target = URL.canParse(url, location.href) ? new URL(url, location.href) : null
  const link = target && ['http:', 'https:'].includes(target.protocol)
  const title = link ? element('a', name, { href: target.href, download: name }) : element('span', name)
  return [title, element('div', `${type}, made ${utc(createdAt)}`), fact('SHA-256', sha256)]
}

async function load() {
  again = loading
  if (loading) return
  loading = true
  clearTimeout(retry)
  try {
    const { receipt } = await ask(embedded ? cardQuery : receiptQuery, { id: rid }, 20_000)
    failures = 0
    if (receipt) show(receipt)
    else stop('No such receipt', 'There is no receipt with this id. Please check the link you were given.')
  } catch {
    failures += 1
    if (shown) put('live', 'Connection lost: what is shown may be out of date. Trying again.')
    else tell(['wait', 'The receipt could not be loaded', 'The service does not answer. Trying again.'])
    retry = setTimeout(load, Math.min(60_000, 1000 * 2 ** failures))
  }
  loading = false
  if (again) load()
}

function stop(headline, sentence) {
  over = true
  unfollow()
  tell(['bad', headline, sentence])
  byId('receipt').hidden = true
}

function follow() {
  if (stream || document.hidden) return
  stream = new EventSource(`/v1/iso/events/${rid}`)
  stream.addEventListener('update', load)
  stream.addEventListener('error', () => {
    // Unless closed, it reconnects by itself.
    if (stream?.readyState !== EventSource.CLOSED) return
    unfollow()
    retry = setTimeout(load, 10_000)
  })
}

function unfollow() {
  clearTimeout(retry)
  stream?.close()
  stream = null
}

function verdict(tone, text, checks = []) {
  byId('verdict').dataset.state = tone
  byId('verdict').textContent = text
  list('checks', checks, ({ id, title, status, detail }) => [
    element('strong', checkWords[status] ?? status),
    ` ${title} `,
    element('span', `(${id})`, { className: 'code' }),
    ...(detail ? [element('div', detail)] : []),
  ])
}

async function verify() {
  const button = byId('verify')
  if (!shown || button.ariaDisabled === 'true') return
  const { bundleUrl, bundleHash, ledgerTxid: txid } = shown
  if (!bundleHash) return verdict('wait', 'Nothing to verify: the evidence has not been sealed.')
  const subject = proof(shown)
  button.ariaDisabled = 'true'
  verdict('', 'Verifying…')
  try {
    const { matchesOnchain, errors, checks } = (await ask(verifyQuery, { bundleUrl, bundleHash, txid }, 60_000)).verifyEvidence
    const rest = shown.status === 'anchored' ? '' : ' The receipt is not complete.'
    const failed = errors.length ? `Not passed: ${errors.join(', ')}.` : 'The hash was not found in a final anchor.'
    if (proof(shown) !== subject) verdict('wait', 'The receipt has changed meanwhile. Please verify again.')
    else if (matchesOnchain === true && errors.length === 0)
      verdict('good', `✓ Verified at ${utc(Date.now())}. The chain carries exactly this hash.${rest}`, checks)
    else verdict(rest ? 'wait' : 'bad', `✕ Not verified at ${utc(Date.now())}. ${failed}${rest}`, checks)
  } catch {
    verdict('wait', 'The verification could not be carried out. This says nothing about the evidence. Please try later.')
  }
  button.ariaDisabled = 'false'
}

byId('verify')?.addEventListener('click', verify)
document.addEventListener('visibilitychange', () => {
  // A hidden page keeps no connection: browsers allow only a few to one server.
  if (document.hidden) unfollow()
  else if (!over) load()
})
if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(rid)) load()
else stop('Not a receipt id', 'The link has no valid receipt id: 36 characters, digits and the letters a to f in five groups.')
