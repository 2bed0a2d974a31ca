// The access matrix: every route and every GraphQL root field, for every kind of caller, with the caller's own objects,
// another project's, absent ids and malformed ids. access-rest.txt and access-graphql.txt have the expected outcome of
// each cell; `own` is the project of viewer, project and admin, and another project for the callers named `o.`.
import { print } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../rest/generated/routes.ts'
import openapi from '../../rest/openapi.json' with { type: 'json' }
import { schema } from '../../src/graphql/schema.ts'
import { hasBody } from '../../src/rest/request.ts'
import { type Caller, callers, mark, startWorld, tableOf, type World } from '../kit/access.ts'
import { undeclared } from '../kit/declared-errors.ts'
import { differences } from '../kit/openapi.ts'
import { exampleOf, operationOf, rootOf, variablesOf } from '../kit/route-examples.ts'
import { adminKey, credentials, tipOf } from '../kit/service.ts'
import { messageText, newWallet } from '../kit/sign-in.ts'

/** A message of EIP-4361 for another service. */
const foreignMessage = messageText({
  domain: 'other.example',
  address: newWallet().address,
  uri: 'https://other.example/',
  nonce: 'a'.repeat(32),
})

const rest = await tableOf('../http/access-rest.txt')
const graphql = await tableOf('../http/access-graphql.txt')

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

type Ids = Record<
  | 'receipt'
  | 'project'
  | 'statement'
  | 'statementAccount'
  | 'payment'
  | 'key'
  | 'session'
  | 'agent'
  | 'webhook'
  | 'delivery'
  | 'export'
  | 'coverage',
  string
>

const all = (id: string, number: string): Ids => ({
  receipt: id,
  project: id,
  statement: id,
  statementAccount: id,
  payment: id,
  key: id,
  session: id,
  agent: id,
  webhook: id,
  delivery: number,
  export: id,
  coverage: id,
})

/**
 * Returns the ids of the object that a row is about. A row that revokes a key or deletes an agent gets a new object for
 * each cell.
 */
async function idsOf(object: string, what: string): Promise<Ids> {
  if (object === 'malformed') return all('x', 'x')
  const { absent } = world
  if (/startExport/.test(what)) await world.endExports()
  if (/startWalletCoverage/.test(what)) await world.endCoverages()
  if (object === 'absent') return all(absent, '999999999')
  return {
    receipt: /eraseReceipt/.test(what) ? world.erasable : world.receipt,
    project: world.own.id,
    statement: world.statement,
    statementAccount: world.statementAccount,
    payment: world.payment,
    agent: /DELETE .*agents|deleteAgent/.test(what) ? await world.freshAgent() : world.agent,
    webhook: /deleteWebhook|createWebhook/.test(what) ? await world.freshEndpoint() : world.webhook,
    delivery: world.delivery,
    export: world.export,
    coverage: world.coverage,
    session: /[sS]ession/.test(what) ? await world.freshSession() : absent,
    key: /api-keys|revokeApiKey/.test(what) ? (await world.freshKey()).id : world.ownKeyId,
  }
}

const anchoring = { execution_mode: 'platform', chains: [] }

const address = `0x${'11'.repeat(20)}`
const required = {
  scheme: 'exact',
  network: 'eip155:1',
  amount: '1',
  asset: address,
  payTo: address,
  maxTimeoutSeconds: 60,
}
/** A well-formed but invalid payment. */
const someonesPayment = {
  x402Version: 2,
  accepted: required,
  payload: {
    signature: '0x11',
    authorization: {
      from: address,
      to: address,
      value: '1',
      validAfter: '0',
      validBefore: '0',
      nonce: `0x${'00'.repeat(32)}`,
    },
  },
}

/** The members of documented requests that name an object of a row. */
const wireIds = (ids: Ids) => ({ receipt_id: ids.receipt, original_receipt_id: ids.receipt })

/** Bodies, as valid as possible, of the routes whose documented body would not be valid here or would change more. */
const bodies: Record<string, (ids: Ids) => unknown> = {
  'POST /v1/iso/record-tip': () => tipOf(),
  'POST /v1/sdk/build': () => ({ lang: 'ts' }),
  'POST /v1/iso/verify': () => ({ bundle_hash: `0x${'00'.repeat(32)}` }),
  'POST /v1/x402/pricing': () => [{ path: '/v1/x402/premium/fx-lookup', enabled: true }],
  'POST /v1/x402/verify-payment': () => ({ payment_payload: someonesPayment, payment_requirements: required }),
  'POST /v1/iso/verify-cid': () => ({ cid: 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG' }),
  'POST /v1/iso/confirm-anchor': ids => ({ receipt_id: ids.receipt, ledger_txid: `0x${'00'.repeat(32)}` }),
  'POST /v1/debug/anchor': () => ({ bundle_hash: `0x${'00'.repeat(32)}` }),
  'POST /v1/iso/camt056/{rid}': () => ({}),
  'POST /v1/iso/camt029/{rid}': () => ({}),
  'POST /v1/iso/pacs007/{rid}': () => ({}),
  'POST /v1/iso/refund': ids => ({ original_receipt_id: ids.receipt }),
  'POST /v1/agents': () => ({ name: 'made by the matrix', wallet_address: '0x1' }),
  'PUT /v1/agents/{agent_id}': () => ({ name: `changed ${mark}` }),
  'PUT /v1/agents/{agent_id}/anchoring-config': () => ({ anchor_on_payment: false }),
  'POST /v1/agents/{agent_id}/anchor': () => ({ bundle_hash: `0x${'00'.repeat(32)}` }),
  'POST /v1/agents/{agent_id}/test': () => ({ command: 'list' }),
  'PUT /v1/agents/{agent_id}/ai-config': () => ({ ai_mode: 'simple' }),
  'POST /v1/agents/{agent_id}/test-ai': () => ({ test_message: 'list' }),
  'POST /v1/ai/assist': () => ({ messages: [{ role: 'user', content: 'x' }] }),
  'PUT /v1/config': () => ({}),
  'PUT /v1/projects/{project_id}/config': () => ({ anchoring }),
  'POST /v1/auth/api-keys': () => ({ label: 'made by the matrix' }),
  'POST /v1/auth/siwe-verify': () => ({
    address: `0x${'11'.repeat(20)}`,
    nonce: '0'.repeat(32),
    signature: `0x${'11'.repeat(65)}`,
  }),
  'POST /v1/auth/siwe-mint-key': () => ({ message: foreignMessage, signature: `0x${'11'.repeat(65)}` }),
  'POST /v1/projects/register': () => ({ name: 'x', message: foreignMessage, signature: `0x${'11'.repeat(65)}` }),
}

const queries: Record<string, (ids: Ids) => string> = {
  'GET /v1/receipts': ids => `?project_id=${ids.project}`,
  'GET /embed/receipt': ids => `?rid=${ids.receipt}`,
  'GET /v1/audit/events': ids => `?object_id=${ids.receipt}`,
}

function pathOf(route: string, ids: Ids): string {
  const path = route
    .replace(/^\S+ /, '')
    .replace('{rid}', ids.receipt)
    .replace('{receipt_id}', ids.receipt)
    .replace('{project_id}', ids.project)
    .replace('{payment_id}', ids.payment)
    .replace('{agent_id}', ids.agent)
    .replace('{id}', ids.key)
    .replace('{name}', 'pain001.xml')
    .replace('{type}', 'pain.001')
    .replace('{address}', `0x${'22'.repeat(20)}`)
  return path + (queries[route]?.(ids) ?? '')
}

function bodyOf(what: string, ids: Ids): unknown {
  const own = bodies[what]
  if (own !== undefined) return own(ids)
  const route = routes.find(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}` === what)
  return route && hasBody(route) ? exampleOf(route, wireIds(ids)).body : undefined
}

async function ask(route: string, ids: Ids, key: string | null) {
  const method = route.split(' ')[0] ?? ''
  const body = bodyOf(route, ids)
  const path = pathOf(route, ids)
  const answer = await world.api.call(method, path, { ...(key && { key }), ...(body !== undefined && { body }) })
  // Every answer must match the OpenAPI document.
  expect(differences(method, path, answer)).toEqual([])
  return answer
}

/** These routes are public to any caller who knows the receipt's id. */
const isPublic = (route: string) =>
  /\/files\/|\/iso\/(receipts|messages|events)\/|\/anchors\/|\/iso-message\//.test(route)

describe('REST', () => {
  it.each(rest)('$what · $object', async ({ what, object, expected }) => {
    const got = new Map<Caller, string>()
    const texts = new Map<Caller, string>()
    for (const caller of callers) {
      const { status, text } = await ask(what, await idsOf(object, what), world.keys[caller])
      got.set(caller, String(status))
      texts.set(caller, text)
    }
    expect(Object.fromEntries(got)).toEqual(Object.fromEntries(expected))
    const strangers: Caller[] = ['none', 'o.viewer', 'o.project', 'o.admin', 'revoked', 'expired']
    if (!isPublic(what)) for (const caller of strangers) expect(texts.get(caller)).not.toContain(mark)
  })

  it('gives a session the rights of a key with its role, except to a further key', async () => {
    const refused = ['POST /v1/auth/api-keys', 'POST /v1/auth/siwe-mint-key', 'POST /v1/projects/register']
    for (const { what, object, expected } of rest.filter(({ what }) => !refused.includes(what))) {
      for (const caller of ['viewer', 'admin'] as const) {
        const { status } = await ask(what, await idsOf(object, what), world.sessions[caller])
        expect([what, object, caller, String(status)]).toEqual([what, object, caller, expected.get(caller)])
      }
    }
  })

  it('has every route of the OpenAPI document in the table', () => {
    const routes = Object.entries(openapi.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
    )
    expect([...new Set(rest.map(({ what }) => what.replace(/\?.*/, '')))].toSorted()).toEqual(routes.toSorted())
  })

  it('answers for another project’s object exactly as for an absent one', async () => {
    const routes = rest.filter(({ what, object }) => object === 'own' && !isPublic(what) && what.includes('{'))
    const plain = (text: string) => text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    for (const { what } of routes) {
      const [others, none] = [await idsOf('own', what), await idsOf('absent', what)]
      const [one, two] = [await ask(what, others, world.keys['o.admin']), await ask(what, none, world.keys['o.admin'])]
      if (one.status < 400) continue
      expect([what, one.status, plain(one.text)]).toEqual([what, two.status, plain(two.text)])
    }
  })
})

const inDocument = (members: Record<string, unknown>) =>
  `{ ${Object.entries(members)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(', ')} }`

/** Documents of what has no route, or is not asked for with the document and the documented request of its route. */
const operations: Record<string, (ids: Ids) => string> = {
  health: () => '{ health { status } }',
  rateLimit: () => '{ rateLimit { cost remaining resetAt } }',
  sdk: () => '{ sdk(lang: PYTHON) { name } }',
  evidenceKeys: () => '{ evidenceKeys { keys { keyId } } }',
  createSignInNonce: () => 'mutation { createSignInNonce { signInNonce { nonce } } }',
  receipt: ids => `{ receipt(id: "${ids.receipt}") { id pageUrl embedUrl(theme: DARK) } }`,
  file: ids => `{ file(owner: "${ids.receipt}", name: "pain001.xml") { name } }`,
  verifyEvidence: () => `{ verifyEvidence(bundleHash: "0x${'00'.repeat(32)}") { matchesOnchain } }`,
  setPrices: () =>
    'mutation { setPrices(input: { prices: [{ path: "/v1/x402/premium/fx-lookup", enabled: true }] }) { prices { path } } }',
  pricing: () => '{ pricing { path } }',
  payments: () => '{ payments { nodes { currency } } }',
  payment: ids => `{ payment(id: "${ids.payment}") { currency receipt { reference } } }`,
  recordPayment: ids =>
    `mutation { recordPayment(input: { paymentId: "${ids.payment}" }) { receipt { reference } payment { currency } } }`,
  revenue: () => '{ revenue { totalRevenue } }',
  facilitatorConfig: () => '{ facilitatorConfig { network } }',
  verifyPayment: () => `{
    verifyPayment(
      paymentPayload: {
        x402Version: 2, accepted: ${inDocument(required)},
        payload: { signature: "0x11", authorization: ${inDocument(someonesPayment.payload.authorization)} }
      }
      paymentRequirements: ${inDocument(required)}
    ) { valid }
  }`,
  verifyContent: () => '{ verifyContent(cid: "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG") { matchesOnchain } }',
  confirmAnchor: ids =>
    `mutation { confirmAnchor(input: { receiptId: "${ids.receipt}", anchorTx: "0x${'00'.repeat(32)}" }) { receipt { id } } }`,
  confirmSettlementAnchor: ids =>
    `mutation { confirmSettlementAnchor(input: { receiptId: "${ids.receipt}", anchorTx: "0x${'00'.repeat(32)}" }) { receipt { id } } }`,
  confirmStatementAnchor: ids =>
    `mutation { confirmStatementAnchor(input: { statementId: "${ids.statement}", anchorTx: "0x${'00'.repeat(32)}" }) { statement { id } } }`,
  eraseReceipt: ids => `mutation { eraseReceipt(input: { receiptId: "${ids.receipt}" }) { files } }`,
  retryReceipt: ids => `mutation { retryReceipt(input: { receiptId: "${ids.receipt}" }) { receipt { id } } }`,
  debugAnchor: () => `mutation { debugAnchor(input: { bundleHash: "0x${'00'.repeat(32)}" }) { anchorTx } }`,
  retireSigningKey: () => 'mutation { retireSigningKey(input: { keyId: "none" }) { signingKey { keyId } } }',
  'receipt { project }': ids => `{ receipt(id: "${ids.receipt}") { project { id } } }`,
  'receipt { payment }': ids => `{ receipt(id: "${ids.receipt}") { payment { currency } } }`,
  'receipt { statements }': ids => `{ receipt(id: "${ids.receipt}") { statements { totalCount nodes { url } } } }`,
  'receipt { statementEntries }': ids =>
    `{ receipt(id: "${ids.receipt}") { statementEntries { side statement { number } } } }`,
  'receipt { events }': ids => `{ receipt(id: "${ids.receipt}") { events { totalCount nodes { type } } } }`,
  'receipt { anchors { transaction } }': ids =>
    `{ receipt(id: "${ids.receipt}") { anchors { transaction { hash status } } } }`,
  'receipt { refunds }': ids => `{ receipt(id: "${ids.receipt}") { refunds { nodes { id } } } }`,
  'receipt { messages }': ids => `{ receipt(id: "${ids.receipt}") { messages { id } } }`,
  'receipt { anchors }': ids => `{ receipt(id: "${ids.receipt}") { anchors { id } } }`,
  'receipt { complianceChecks }': ids => `{ receipt(id: "${ids.receipt}") { complianceChecks { type } } }`,
  'receipt { callbackUrl }': ids => `{ receipt(id: "${ids.receipt}") { callbackUrl } }`,
  receipts: ids => `{ receipts(filter: { projectId: "${ids.project}" }) { nodes { reference } } }`,
  webhookEndpoints: () => '{ webhookEndpoints { nodes { url } } }',
  'webhookEndpoints { secret }': () => '{ webhookEndpoints { nodes { secret } } }',
  'projects { callbackSecret }': () => '{ projects { nodes { callbackSecret } } }',
  'projects { webhookEndpoints }': () => '{ projects { nodes { webhookEndpoints { nodes { url } } } } }',
  webhookEndpoint: ids => `{ webhookEndpoint(id: "${ids.webhook}") { url } }`,
  webhookDeliveries: () => '{ webhookDeliveries { nodes { type endpoint { url } } } }',
  'webhookDeliveries { filter }': ids =>
    `{ webhookDeliveries(filter: { projectId: "${ids.project}", statuses: [WAITING, FAILED] }) { totalCount nodes { type endpoint { url } } } }`,
  exports: () => '{ exports { totalCount nodes { kind downloadUrl } } }',
  'exports { filter }': ids => `{ exports(filter: { projectId: "${ids.project}" }) { totalCount nodes { rowCount } } }`,
  export: ids => `{ export(id: "${ids.export}") { kind rowCount } }`,
  startExport: ids =>
    `mutation { startExport(input: { kind: RECEIPTS, format: JSONL, receiptFilter: { projectId: "${ids.project}" } }) { export { status } } }`,
  walletCoverages: () => '{ walletCoverages { totalCount nodes { failureReason } } }',
  'walletCoverages { filter }': ids =>
    `{ walletCoverages(filter: { projectId: "${ids.project}" }) { totalCount nodes { failureReason } } }`,
  walletCoverage: ids => `{ walletCoverage(id: "${ids.coverage}") { failureReason transfers { totalCount } } }`,
  startWalletCoverage: () =>
    `mutation { startWalletCoverage(input: { wallet: "${address}", chain: "local", currency: "TESTUSD", since: "${new Date(Date.now() - 86_400_000).toISOString()}" }) { walletCoverage { status } } }`,
  'agents { filter }': ids => `{ agents(filter: { projectId: "${ids.project}" }) { totalCount nodes { name } } }`,
  'webhookEndpoints { filter }': ids =>
    `{ webhookEndpoints(filter: { projectId: "${ids.project}" }) { totalCount nodes { url } } }`,
  'payments { filter }': ids => `{ payments(filter: { projectId: "${ids.project}" }) { totalCount nodes { payer } } }`,
  'auditTrail { filter }': ids =>
    `{ auditTrail(filter: { projectId: "${ids.project}" }) { totalCount nodes { action } } }`,
  'apiKeys { filter }': ids => `{ apiKeys(filter: { projectId: "${ids.project}" }) { totalCount nodes { label } } }`,
  createWebhookEndpoint: ids =>
    `mutation { createWebhookEndpoint(input: { projectId: "${ids.project}", url: "http://127.0.0.1:9" }) { webhookEndpoint { id } } }`,
  updateWebhookEndpoint: ids =>
    `mutation { updateWebhookEndpoint(input: { id: "${ids.webhook}" }) { webhookEndpoint { url } } }`,
  enableWebhookEndpoint: ids =>
    `mutation { enableWebhookEndpoint(input: { id: "${ids.webhook}" }) { webhookEndpoint { url } } }`,
  disableWebhookEndpoint: ids =>
    `mutation { disableWebhookEndpoint(input: { id: "${ids.webhook}" }) { webhookEndpoint { url } } }`,
  deleteWebhookEndpoint: ids =>
    `mutation { deleteWebhookEndpoint(input: { id: "${ids.webhook}" }) { deletedWebhookEndpointId } }`,
  rotateWebhookSecret: ids =>
    `mutation { rotateWebhookSecret(input: { id: "${ids.webhook}" }) { webhookEndpoint { url } } }`,
  rotateCallbackSecret: ids =>
    `mutation { rotateCallbackSecret(input: { projectId: "${ids.project}" }) { project { callbackSecret } } }`,
  testWebhookEndpoint: ids =>
    `mutation { testWebhookEndpoint(input: { id: "${ids.webhook}" }) { webhookDelivery { id } } }`,
  replayWebhookDelivery: ids =>
    `mutation { replayWebhookDelivery(input: { id: "${ids.delivery}" }) { webhookDelivery { type } } }`,
  replayWebhookEvents: ids =>
    `mutation { replayWebhookEvents(input: { endpointId: "${ids.webhook}", after: "0" }) { count } }`,
  agents: () => '{ agents { totalCount nodes { name } } }',
  agent: ids => `{ agent(id: "${ids.agent}") { name } }`,
  'agent { stats }': ids =>
    `{ agent(id: "${ids.agent}") { stats { payments { nodes { currency } } } anchors { totalCount nodes { bundleHash } } activity { totalCount nodes { ... on Payment { currency } ... on Anchor { bundleHash } } } } }`,
  createAgent: () =>
    'mutation { createAgent(input: { name: "made by the matrix", walletAddress: "0x1" }) { agent { name } } }',
  updateAgent: ids =>
    `mutation { updateAgent(input: { id: "${ids.agent}", name: "changed ${mark}" }) { agent { name } } }`,
  deleteAgent: ids => `mutation { deleteAgent(input: { id: "${ids.agent}" }) { deletedAgentId } }`,
  configureAgentAnchoring: ids =>
    `mutation { configureAgentAnchoring(input: { id: "${ids.agent}", anchorOnPayment: false }) { agent { name } } }`,
  anchorForAgent: ids =>
    `mutation { anchorForAgent(input: { agentId: "${ids.agent}", bundleHash: "0x${'00'.repeat(32)}" }) { anchor { status } } }`,
  runAgentCommand: ids =>
    `mutation { runAgentCommand(input: { agentId: "${ids.agent}", command: "list" }) { response } }`,
  agentTemplate: ids => `{ agentTemplate(id: "${ids.agent}") { name } }`,
  configureAgentAi: ids =>
    `mutation { configureAgentAi(input: { id: "${ids.agent}", aiMode: SIMPLE }) { agent { aiMode } } }`,
  testAgentAi: ids =>
    `mutation { testAgentAi(input: { agentId: "${ids.agent}", testMessage: "list" }) { command { command } } }`,
  assist: () => 'mutation { assist(input: { messages: [{ role: USER, content: "x" }] }) { answer { reply } } }',
  assistantStatus: () => '{ assistantStatus { enabled } }',
  assistantTranscript: () => '{ assistantTranscript(sessionId: "x") { totalCount nodes { reply } } }',
  eventCursor: ids => `{ eventCursor(projectId: "${ids.project}") }`,
  receiptStats: ids =>
    `{ receiptStats(by: { currency: true }, filter: { projectId: "${ids.project}" }) { nodes { key { currency } count } } }`,
  'receiptStats { by project }': ids =>
    `{ receiptStats(by: [{ project: true }, { agent: true }], filter: { projectId: "${ids.project}", or: [{ isRefund: false }] }) {
      totalCount nodes { key { project { name } agent { name } } count sums { gross } } } }`,
  paymentStats: ids =>
    `{ paymentStats(by: { payer: true }, filter: { projectId: "${ids.project}" }) { totalCount nodes { key { payer } sums { settled } } } }`,
  'projects { paymentStats }': () =>
    '{ projects { nodes { paymentStats(by: { project: true }) { nodes { key { project { name } } count } } } } }',
  search: ids => `{ search(text: "${ids.receipt}") { match node { id } } }`,
  'projects { receiptStats }': () =>
    '{ projects { nodes { receiptStats(by: { chain: true }) { nodes { key { chain } count } } } } }',
  'projects { revenue }': () => '{ projects { nodes { revenue { totalRevenue currency } } } }',
  'projects { statementAccounts }': () =>
    '{ projects { nodes { statementAccounts { nodes { balance statements { nodes { number } } } } } } }',
  'projects { statements }': () =>
    '{ projects { nodes { statements(filter: { types: [CAMT_053] }) { nodes { date } } } } }',
  me: () => '{ me { role } }',
  'me { project }': () => '{ me { project { id } } }',
  'projects { config }': () => '{ projects { nodes { config { anchoring { executionMode } } } } }',
  'projects { agents }': () => '{ projects { nodes { agents { totalCount nodes { name } } } } }',
  'projects { auditTrail }': () => '{ projects { nodes { auditTrail { totalCount nodes { objectId } } } } }',
  'projects { linkedWallets }': () => '{ projects { nodes { linkedWallets { totalCount nodes { address } } } } }',
  'node (Receipt)': ids => `{ node(id: "${ids.receipt}") { id } }`,
  'node (Project)': ids => `{ node(id: "${ids.project}") { ... on Project { name } } }`,
  'node (Payment)': ids => `{ node(id: "${ids.payment}") { ... on Payment { currency } } }`,
  'node (Agent)': ids => `{ node(id: "${ids.agent}") { ... on Agent { name } } }`,
  'node (ApiKey)': ids => `{ node(id: "${ids.key}") { ... on ApiKey { label } } }`,
  'node (Session)': ids => `{ node(id: "${ids.session}") { ... on Session { createdBy { name } } } }`,
  'node (StatementAccount)': ids => `{ node(id: "${ids.statementAccount}") { ... on StatementAccount { balance } } }`,
  'node (Statement)': ids => `{ node(id: "${ids.statement}") { ... on Statement { url } } }`,
  'node (Export)': ids => `{ node(id: "${ids.export}") { ... on Export { kind downloadUrl } } }`,
  'node (WalletCoverage)': ids => `{ node(id: "${ids.coverage}") { ... on WalletCoverage { failureReason } } }`,
  'node (WebhookEndpoint)': ids => `{ node(id: "${ids.webhook}") { ... on WebhookEndpoint { url } } }`,
  nodes: ids => `{ nodes(ids: ["${ids.agent}", "${ids.project}"]) { ... on Agent { name } ... on Project { name } } }`,
  organisation: () => '{ organisation { org { name } } }',
  organisationHistory: () => '{ organisationHistory { nodes { actor { name } } } }',
  projects: () => '{ projects { totalCount nodes { name } } }',
  'projects { history }': () => '{ projects { nodes { configHistory { nodes { actor { name } } } } } }',
  'projects { apiKeys }': () => '{ projects { nodes { apiKeys { totalCount nodes { id } } } } }',
  apiKeys: () => '{ apiKeys { totalCount nodes { label } } }',
  auditTrail: () => '{ auditTrail { nodes { objectId } } }',
  auditChain: () => '{ auditChain { rows } }',
  statement: ids => `{ statement(id: "${ids.statement}") { id } }`,
  linkedWallets: () => '{ linkedWallets { totalCount nodes { address } } }',
  generateMessage: ids =>
    `mutation { generateMessage(input: { receiptId: "${ids.receipt}", type: PACS_009 }) { artifact { url } } }`,
  refundReceipt: ids => `mutation { refundReceipt(input: { originalReceiptId: "${ids.receipt}" }) { refund { id } } }`,
  confirmRefund: ids =>
    `mutation { confirmRefund(input: { receiptId: "${ids.receipt}", refundTx: "0x01" }) { refund { id } } }`,
  configureProject: ids =>
    `mutation { configureProject(input: { projectId: "${ids.project}", anchoring: { executionMode: PLATFORM, chains: [] } }) { config { anchoring { executionMode } } } }`,
  createSession: () => 'mutation { createSession(input: {}) { session { id } } }',
  signIn: () =>
    `mutation { signIn(input: { message: ${JSON.stringify(foreignMessage)}, signature: "0x${'11'.repeat(65)}" }) { session { id } } }`,
  revokeSession: ids => `mutation { revokeSession(input: { id: "${ids.session}" }) { session { id } } }`,
  'projects { sessions }': () => '{ projects { nodes { sessions { totalCount nodes { createdBy { name } } } } } }',
  revokeApiKey: ids => `mutation { revokeApiKey(input: { id: "${ids.key}" }) { apiKey { id } } }`,
  recordReceipt: () => {
    const tip = tipOf()
    return `mutation { recordReceipt(input: { settlementTx: "${tip.tip_tx_hash}", chain: "base", amount: "1", currency: "USDC", senderWallet: "a", receiverWallet: "b", reference: "${tip.reference}" }) { receipt { id } } }`
  },
  recordReceipts: () => {
    const tip = tipOf()
    return `mutation { recordReceipts(input: { receipts: [{ settlementTx: "${tip.tip_tx_hash}", chain: "base", amount: "1", currency: "USDC", senderWallet: "a", receiverWallet: "b", reference: "${tip.reference}" }] }) { results { receipt { id } } } }`
  },
  recordReceiptFromChain: () =>
    'mutation { recordReceiptFromChain(input: { settlementTx: "0x1", chain: "base", reference: "a" }) { receipt { id } } }',
  generateStatement: ids =>
    `mutation { generateStatement(input: { projectId: "${ids.project}" }) { statement { id } } }`,
  configureSettlement: () => 'mutation { configureSettlement(input: {}) { organisation { org { name } } } }',
  configureOrganisation: () => 'mutation { configureOrganisation(input: {}) { organisation { org { name } } } }',
  markHouseProject: ids =>
    `mutation { markHouseProject(input: { projectId: "${ids.project}", isHouse: false }) { project { isHouse } } }`,
  createProject: () => 'mutation { createProject(input: { name: "made by the matrix" }) { project { id } } }',
  createApiKey: ids =>
    `mutation { createApiKey(input: { projectId: "${ids.project}", label: "made by the matrix" }) { apiKey { id } } }`,
  verifyWallet: () =>
    `mutation { verifyWallet(input: { address: "0x${'11'.repeat(20)}", nonce: "${'0'.repeat(32)}", signature: "0x${'11'.repeat(65)}" }) { linked } }`,
  registerProject: () =>
    `mutation { registerProject(input: { name: "x", message: ${JSON.stringify(foreignMessage)}, signature: "0x${'11'.repeat(65)}" }) { apiKey { id } } }`,
  mintApiKey: () =>
    `mutation { mintApiKey(input: { message: ${JSON.stringify(foreignMessage)}, signature: "0x${'11'.repeat(65)}" }) { apiKey { id } } }`,
  unlinkWallet: () => `mutation { unlinkWallet(input: { address: "0x${'22'.repeat(20)}" }) { unlinkedAddress } }`,
}

const words: Record<string, string> = {
  unauthenticated: 'unauth',
  forbidden: 'forbidden',
  not_found: 'missing',
  validation_failed: 'invalid',
  invalid_signature: 'unsigned',
  project_key_required: 'project',
  not_tenant_mode: 'platform',
  invalid_status_transition: 'state',
  cid_store_unavailable: 'nostore',
  payment_required: 'unpaid',
  ai_disabled: 'off',
  conflict: 'conflict',
}

function documentOf(what: string, ids: Ids): { query: string; variables?: Record<string, unknown> } {
  const own = operations[what]
  if (own !== undefined) return { query: own(ids) }
  const route = routes.find(route => rootOf(operationOf(route)).name.value === what)
  if (route === undefined) throw new Error(`no document asks for ${what}`)
  return { query: print(operationOf(route)), variables: variablesOf(route, wireIds(ids)) }
}

const isRefused = (key: string | null) => key === world.keys.revoked || key === world.keys.expired

/** Returns `ok`, `null` for a root field that is null, or a word for the error code. */
async function outcome(
  body: { query: string; variables?: Record<string, unknown> },
  key: string | null,
): Promise<{ word: string; text: string }> {
  const { json, text } = await world.api.call('POST', '/graphql', { body, ...(key && { key }) })
  if (!isRefused(key)) expect(undeclared(schema, body.query, json)).toEqual([])
  const code = json.errors?.[0]?.extensions?.code
  if (code !== undefined) return { word: words[code] ?? code, text }
  return { word: Object.values(json.data)[0] === null ? 'null' : 'ok', text }
}

const subscriptions: Record<string, (ids: Ids) => string> = {
  receiptEvents: ids => `subscription { receiptEvents(receiptId: "${ids.receipt}") { cursor status } }`,
  receiptChanged: ids =>
    `subscription { receiptChanged(after: "0", projectId: "${ids.project}") { type receipt { id } } }`,
  receiptStatsChanged: ids =>
    `subscription { receiptStatsChanged(after: "0", projectId: "${ids.project}") { changes } }`,
  'receiptChanged { filter }': ids =>
    `subscription { receiptChanged(after: "0", filter: { projectId: "${ids.project}" }) { receipt { reference } } }`,
  paymentChanged: ids => `subscription { paymentChanged(after: "0", projectId: "${ids.project}") { type } }`,
  webhookEvents: ids => `subscription { webhookEvents(after: "0", projectId: "${ids.project}") { type data } }`,
  assistEvents: () => 'subscription { assistEvents(input: { messages: [{ role: USER, content: "x" }] }) { text } }',
}

/** Returns the first event of a stream, or its text until it ends or is quiet for a while. */
async function beginningOf({ body }: Response): Promise<string> {
  if (body === null) return ''
  const quiet = AbortSignal.timeout(quietMs)
  let text = ''
  const reader = body.pipeThrough(new TextDecoderStream(), { signal: quiet })
  try {
    for await (const chunk of reader) {
      text += chunk
      if (/^data: .*\n/m.test(text)) break
    }
  } catch (error) {
    if (!quiet.aborted) throw error
  }
  return text
}
const quietMs = 1_000

/** Returns the first result of a subscription. */
async function streamOutcome(query: string, key: string | null): Promise<{ word: string; text: string }> {
  const response = await fetch(`${world.base}/graphql/stream`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream', ...(key && credentials(key)) },
    body: JSON.stringify({ query }),
  })
  const text = await beginningOf(response)
  const result = /^data: (\{.*\})$/m.exec(text)?.[1]
  if (result !== undefined && !isRefused(key)) expect(undeclared(schema, query, JSON.parse(result))).toEqual([])
  const code = /"code":"(\w+)"/.exec(text)?.[1]
  return { word: code === undefined ? (/^data: \{"data"|^:/m.test(text) ? 'ok' : text) : (words[code] ?? code), text }
}

/** A session may not do these, because what it obtained would outlive it. */
const notForSessions = [
  ...['createSession', 'createApiKey', 'mintApiKey', 'registerProject'],
  ...['webhookEndpoints { secret }', 'projects { callbackSecret }', 'rotateWebhookSecret', 'rotateCallbackSecret'],
]

describe('GraphQL', () => {
  async function ask(what: string, object: string, key: string | null) {
    const ids = await idsOf(object, what)
    const subscription = subscriptions[what]?.(ids)
    return subscription ? streamOutcome(subscription, key) : outcome(documentOf(what, ids), key)
  }

  it('gives a session the rights of a key with its role, except to what would outlive it', async () => {
    for (const { what, object, expected } of graphql) {
      for (const caller of ['viewer', 'admin'] as const) {
        const ofKey = expected.get(caller)
        const isRefused = notForSessions.includes(what) && ofKey !== 'invalid'
        const { word } = await ask(what, object, world.sessions[caller])
        expect([what, object, caller, word]).toEqual([what, object, caller, isRefused ? 'forbidden' : ofKey])
      }
    }
  })

  it.each(graphql)('$what · $object', async ({ what, object, expected }) => {
    const got = new Map<Caller, string>()
    for (const caller of callers) {
      const key = world.keys[caller]
      const { word, text } = await ask(what, object, key)
      got.set(caller, word)
      if (caller.startsWith('o.') || key === null) expect(text).not.toContain(mark)
    }
    expect(Object.fromEntries(got)).toEqual(Object.fromEntries(expected))
  })

  it.each([
    'agents',
    'apiKeys',
    'auditTrail',
    'exports',
    'payments',
    'receipts',
    'walletCoverages',
    'webhookDeliveries',
    'webhookEndpoints',
  ])('lists and counts nothing of another project in %s by its id', async field => {
    const query = `{ ${field}(filter: { projectId: "${world.own.id}" }) { totalCount nodes { __typename } } }`
    const listed = async (key: string | null) =>
      (await world.api.call('POST', '/graphql', { body: { query }, key: key ?? '' })).json.data[field]
    expect(await listed(world.keys['o.admin'])).toEqual({ totalCount: 0, nodes: [] })
    for (const key of [world.keys.admin, world.keys.service]) expect((await listed(key)).totalCount).toBeGreaterThan(0)
  })

  it('has every root field in the table', () => {
    const types = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
    const fields = types.flatMap(type => Object.keys(type?.getFields() ?? {}))
    expect([...new Set(graphql.map(({ what }) => what.replace(/[ (].*/, '')))].toSorted()).toEqual(fields.toSorted())
  })
})

it('keeps no raw API key in the database, the log or any file', async () => {
  const secrets = [...Object.values(world.keys), ...Object.values(world.sessions)].filter(key => key !== null)
  const { rows } = await world.database.query<{ name: string }>(
    `select table_schema || '.' || quote_ident(table_name) as name from information_schema.tables
     where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE'`,
  )
  expect(rows.length).toBeGreaterThan(10)
  for (const { name } of rows) {
    const { rows: found } = await world.database.query<{ text: string }>(`select t::text as text from ${name} t`)
    for (const { text } of found)
      for (const secret of secrets) expect([name, text.includes(secret)]).toEqual([name, false])
    // bytea columns are printed in hex.
    const bytes = secrets.map(secret => Buffer.from(secret).toString('hex'))
    for (const { text } of found)
      for (const secret of bytes) expect([name, text.includes(secret)]).toEqual([name, false])
  }
  expect(world.log()).toContain('"level":')
  for (const secret of secrets) expect(world.log()).not.toContain(secret)
  for (const { name, text } of await world.files()) {
    for (const secret of secrets) expect([name, text.includes(secret)]).toEqual([name, false])
  }
  expect(secrets).toContain(adminKey)
})
