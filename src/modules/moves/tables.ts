// Names the rows of a project in each table, for its archive. A model without a rule does not compile.
import type { Prisma } from '../../generated/prisma/client.ts'

/**
 * `of`: SQL, the condition of the rows of the project $1 in the table. Without it the rows stay, for this reason.
 * `table`: its name in the database.
 */
type Rule = { table: string; of: string } | { stays: string }

const receipts = 'select id from receipts where project_id = $1'
const statements = 'select id from statements where project_id = $1'
const agents = 'select id from agents where project_id = $1'
const keys = `select 'key:' || id from api_keys where project_id = $1
  union all select 'session:' || id from sessions where project_id = $1`
// Four queries, because each owner has an index.
const anchors = (columns: string) => `select ${columns} from anchors where receipt_id in (${receipts})
  union all select ${columns} from anchors where statement_id in (${statements})
  union all select ${columns} from anchors where settlement_id in (${receipts})
  union all select ${columns} from anchors where agent_id in (${agents})`
// A transaction of the service anchors hashes of several projects, and goes with each of them.
const transactions = `select id from anchor_transactions where project_id = $1
  union select transaction_id from (${anchors('transaction_id')}) as own where transaction_id is not null`

const artifacts = `id in (select id from artifacts where receipt_id in (${receipts})
  union all select id from artifacts where statement_id in (${statements}))`

/** In the order in which the rows can be inserted. */
export const rules = {
  OrganisationConfig: {
    table: 'organisation_configs',
    of: `version in (select config_version from receipts where project_id = $1
      union select config_version from statements where project_id = $1)`,
  },
  SigningKey: {
    table: 'signing_keys',
    of: `key_id in (select signed_by from artifacts where receipt_id in (${receipts})
      union select signed_by from artifacts where statement_id in (${statements}))`,
  },
  Project: { table: 'projects', of: 'id = $1' },
  ProjectConfig: { table: 'project_configs', of: 'project_id = $1' },
  ApiKey: { table: 'api_keys', of: 'project_id = $1' },
  Session: { table: 'sessions', of: 'project_id = $1' },
  WalletProof: { table: 'wallet_proofs', of: 'project_id = $1' },
  LinkedWallet: { table: 'linked_wallets', of: 'project_id = $1' },
  // A client that repeats a request at the new place gets the answer of the first.
  IdempotentRequest: { table: 'idempotent_requests', of: `principal in (${keys})` },
  Agent: { table: 'agents', of: 'project_id = $1' },
  AgentAiKey: { table: 'agent_ai_keys', of: `agent_id in (${agents})` },
  Receipt: { table: 'receipts', of: 'project_id = $1' },
  FiatEquivalent: { table: 'fiat_equivalents', of: `receipt_id in (${receipts})` },
  Settlement: { table: 'settlements', of: `receipt_id in (${receipts})` },
  Payment: { table: 'payments', of: 'project_id = $1' },
  ComplianceCheck: {
    table: 'compliance_checks',
    of: `id in (select id from compliance_checks where receipt_id in (${receipts})
      union all select id from compliance_checks where payment_id in (select id from payments where project_id = $1))`,
  },
  StatementAccount: { table: 'statement_accounts', of: 'project_id = $1' },
  Statement: { table: 'statements', of: 'project_id = $1' },
  StatementEntry: { table: 'statement_entries', of: `statement_id in (${statements})` },
  // The archive has the bytes as files. Erased ones have none.
  Blob: { table: 'blobs', of: `erased_at is not null and sha256 in (select sha256 from artifacts where ${artifacts})` },
  Artifact: {
    table: 'artifacts',
    of: artifacts,
  },
  AnchorTransaction: { table: 'anchor_transactions', of: `id in (${transactions})` },
  AnchorAttempt: { table: 'anchor_attempts', of: `transaction_id in (${transactions})` },
  Anchor: { table: 'anchors', of: `id in (${anchors('id')})` },
  WebhookEndpoint: { table: 'webhook_endpoints', of: 'project_id = $1' },
  WebhookSecret: { table: 'webhook_secrets', of: 'project_id = $1' },
  Event: { table: 'events', of: 'project_id = $1' },
  WebhookDelivery: { table: 'webhook_deliveries', of: 'project_id = $1' },
  WebhookAttempt: {
    table: 'webhook_attempts',
    of: 'delivery_id in (select id from webhook_deliveries where project_id = $1)',
  },
  AuditEvent: { table: 'audit_events', of: 'project_id = $1' },
  AuditHead: { table: 'audit_heads', of: 'chain = $1::text' },
  AssistantExchange: { table: 'assistant_exchanges', of: 'project_id = $1' },
  ModelUsage: { table: 'model_usage', of: `subject = 'project:' || $1::text` },
  ReceiptCount: { stays: 'the database counts the receipts that are inserted' },
  ReceiptTimeCount: { stays: 'the database counts the receipts that are inserted' },
  EventHorizon: { stays: 'the import raises that of the other database' },
  ProjectMove: { stays: 'it tells where the project works, which is not here any more' },
  Export: { stays: 'it ends within a day, and can be asked for again' },
  ExportPart: { stays: 'it belongs to an export' },
  WalletCoverage: { stays: 'the chain and the receipts have all that it says, and it can be asked for again' },
  CoverageTransfer: { stays: 'it belongs to a coverage' },
  CoverageReceipt: { stays: 'it belongs to a coverage' },
  SignInNonce: { stays: 'it belongs to a sign-in of the last minutes' },
  RateWindow: { stays: 'it limits the use of this installation' },
  PriceSetting: { stays: 'prices belong to the installation' },
} satisfies Record<Prisma.ModelName, Rule>

type Moved = Extract<Rule, { of: string }>

/** The tables with rows of the project, in the order in which these can be inserted. */
export const moved: readonly Moved[] = Object.values(rules).flatMap((rule: Rule) => ('of' in rule ? [rule] : []))
