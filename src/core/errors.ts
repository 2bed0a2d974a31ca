// Every error that a caller can receive, with its code, HTTP status and meaning in one table; and the class for them.

export const errorCodes = {
  malformed_request: {
    status: 400,
    meaning: 'The request is not valid HTTP/1.1, or does not have exactly one Host header.',
  },
  invalid_json: { status: 400, meaning: 'The body is not readable JSON, or not UTF-8.' },
  invalid_graphql: { status: 400, meaning: 'The GraphQL request or document is not valid against the schema.' },
  document_too_large: {
    status: 400,
    meaning: 'The GraphQL document has more tokens, fields, levels, aliases or directives than allowed.',
  },
  document_too_costly: {
    status: 400,
    meaning:
      'The GraphQL operation costs more than one operation may. Request shorter lists, or split it into several requests.',
  },
  answer_too_large: {
    status: 400,
    meaning:
      'The field would be larger than 16 MiB, or took longer than 10 seconds to read. Request shorter lists, or fewer values of each entry.',
  },
  document_mismatch: {
    status: 400,
    meaning: '`documentId`, or Apollo’s `sha256Hash`, names another document than `query`. Send one of them alone.',
  },
  payment_malformed: { status: 400, meaning: '`PAYMENT-SIGNATURE` is not a valid x402 version 2 payment.' },
  tx_does_not_match_bundle_hash: {
    status: 400,
    meaning: 'The transaction failed, or its contract’s events do not carry the receipt’s bundle hash.',
  },
  unknown_chain: { status: 400, meaning: 'The receipt is not to be anchored on this chain.' },
  chain_required: { status: 400, meaning: 'The receipt has several anchor chains: name this transaction’s chain.' },
  unauthenticated: { status: 401, meaning: 'No credentials, or credentials that are unknown, revoked or expired.' },
  invalid_signature: {
    status: 401,
    meaning: 'The message is not one that this service requested, or was not signed by the wallet it names.',
  },
  payment_required: {
    status: 402,
    meaning: 'This is paid for by x402: `PAYMENT-REQUIRED` says what, and why what was offered was refused.',
  },
  forbidden: { status: 403, meaning: 'The credentials are right but do not allow this.' },
  agent_not_allowed: {
    status: 403,
    meaning: 'An agent with the payer’s wallet is paused or disabled, or may not spend so much. Nothing was charged.',
  },
  compliance_denied: {
    status: 403,
    meaning: 'A compliance check of this payment denied it. Nothing was charged.',
  },
  project_key_required: {
    status: 403,
    meaning: 'This belongs to a project, and a service administrator has no project. Use a key of the project.',
  },
  disabled_by_configuration: { status: 403, meaning: 'The organisation’s configuration turns this off.' },
  document_not_trusted: {
    status: 403,
    meaning:
      'This service executes only the GraphQL documents that its operator lists. Send the `documentId` of one of them, or exactly its text.',
  },
  introspection_disabled: {
    status: 403,
    meaning: 'Introspection is switched off: `__schema` and `__type` cannot be requested. `__typename` can.',
  },
  not_found: { status: 404, meaning: 'There is no such thing, or it is not yours to see.' },
  document_not_found: {
    status: 404,
    meaning:
      'The service has no GraphQL document of this `documentId`. Its operator lists them in `GRAPHQL_DOCUMENTS_FILE`: a new version of a client needs its new list there.',
  },
  route_not_found: { status: 404, meaning: 'There is no such path.' },
  cid_not_found: { status: 404, meaning: 'The content store has no file of this id.' },
  fx_pair_unknown: { status: 404, meaning: 'No provider of rates knows this pair of currencies.' },
  method_not_allowed: {
    status: 405,
    meaning: 'The path exists, but not with this method. `Allow` lists those it has.',
  },
  link_expired: {
    status: 410,
    meaning: 'The link to a file has ended. Ask for the object again, which has a new link.',
  },
  content_erased: {
    status: 410,
    meaning:
      'The content of the file was erased on request. Its hash and its anchor stay: a copy that somebody kept still verifies.',
  },
  request_timeout: { status: 408, meaning: 'The request did not arrive completely in time.' },
  payment_conflict: {
    status: 409,
    meaning: 'This payment, or its payment-identifier, was used for another request, or its response has expired.',
  },
  payment_not_settled: { status: 409, meaning: 'Only a payment that is settled can be recorded as a receipt.' },
  payment_not_final: {
    status: 409,
    retryAfterSeconds: 15,
    meaning:
      'The payment’s settlement does not have the configured number of confirmations yet. `Retry-After` says when to try again.',
  },
  tx_not_mined: {
    status: 409,
    retryAfterSeconds: 5,
    meaning:
      'The transaction is in no block of this chain yet, or unknown to it. `Retry-After` says when to try again.',
  },
  payment_in_progress: {
    status: 409,
    retryAfterSeconds: 2,
    meaning:
      'A request with this payment is still in progress, or the wallet’s other payments in progress need its balance. Repeat the request.',
  },
  idempotency_in_progress: {
    status: 409,
    retryAfterSeconds: 1,
    meaning: 'A request with this Idempotency-Key is still being carried out.',
  },
  conflict: { status: 409, meaning: 'The present state does not allow this.' },
  cursor_ahead: {
    status: 409,
    meaning:
      'The project has no event as new as `after`: the cursor belongs to another project, or the service was restored from a backup. Read the list and `eventCursor` again.',
  },
  cursor_behind: {
    status: 409,
    meaning:
      'Events after `after` may have been deleted, because they are older than the service keeps them. Read the list and `eventCursor` again.',
  },
  not_anchored: { status: 409, meaning: 'Only an anchored receipt can be refunded.' },
  refund_too_large: {
    status: 409,
    meaning:
      'More would be given back than was paid, or than the return transaction is known to have moved. `left` says how much can still be refunded.',
  },
  not_tenant_mode: { status: 409, meaning: 'This receipt is anchored by the service, not by its project.' },
  invalid_status_transition: { status: 409, meaning: 'The receipt’s status does not allow this.' },
  last_admin_key: { status: 409, meaning: 'The last live project_admin key of a project cannot be revoked this way.' },
  too_many_keys: {
    status: 409,
    meaning: 'The project has as many live API keys as it may have. Revoke one that is not used.',
  },
  too_many_sessions: {
    status: 409,
    retryAfterSeconds: 60,
    meaning: 'The project has 10,000 live sessions already. Each ends within 15 minutes, or when it is revoked.',
  },
  too_many_agents: { status: 409, meaning: 'The project has 200 agents already. Delete one that is not used.' },
  too_many_files: {
    status: 409,
    meaning: 'The receipt has 50 files already, and gets no further messages on request.',
  },
  too_many_webhook_endpoints: {
    status: 409,
    meaning: 'The project has 16 webhook endpoints already. Delete one that is not used.',
  },
  statement_too_large: {
    status: 409,
    meaning:
      'More than 10,000 payments fall into the window, or accounts that hold a balance. Request a shorter window, or one account.',
  },
  not_acceptable: {
    status: 406,
    meaning:
      '`Accept` must allow `application/json`, or `text/event-stream` for a subscription. Tables are exported by the mutation `startExport`.',
  },
  payload_too_large: { status: 413, meaning: 'The body is larger than 256 KiB, or holds more than 2,500 values.' },
  unsupported_media_type: { status: 415, meaning: 'The body is not `application/json`.' },
  range_not_satisfiable: {
    status: 416,
    meaning: 'The part that `Range` asks for lies beyond the end of the file. `Content-Range` has its size.',
  },
  validation_failed: {
    status: 422,
    meaning: 'A path, query, header or body value is not acceptable. REST: HTTPValidationError.',
  },
  ai_budget_spent: {
    status: 429,
    meaning:
      'The project has spent its assistant budget for the day (UTC). `Retry-After` says when the next day begins.',
  },
  too_many_requests: { status: 429, meaning: 'Too many requests at once. `Retry-After` says when to try again.' },
  caller_gone: { status: 499, meaning: 'The caller closed the connection before this was carried out.' },
  // The name and the status that clients of Apollo's persisted queries expect.
  PERSISTED_QUERY_NOT_FOUND: {
    status: 200,
    meaning:
      'As `document_not_found`, for a request in the form of Apollo: its client repeats the request with `query`.',
  },
  headers_too_large: { status: 431, meaning: 'The headers are larger than 16 KiB.' },
  delivery_failed: {
    status: 500,
    meaning: 'The payment is settled, but delivery failed. Repeating the request with the same payment is free.',
  },
  file_damaged: {
    status: 500,
    meaning:
      'The file is missing in the object store, or does not have the stored hash. It is not served, and the log reports an alarm.',
  },
  internal_error: { status: 500, meaning: 'An unexpected error. It is logged under the request id.' },
  transfer_coding_unknown: {
    status: 501,
    meaning:
      'The only `Transfer-Encoding` that this service reads is `chunked`. Compress nothing, or say so in `Content-Encoding`.',
  },
  ai_no_answer: {
    status: 502,
    meaning:
      'The language model was reached and gave no answer: it called tools to the end of its steps, or said nothing. Ask something smaller.',
  },
  chain_unavailable: {
    status: 503,
    meaning: 'A chain could not be asked, or not by enough nodes. `Retry-After` says when to try again.',
  },
  chain_disagreement: { status: 503, meaning: 'The nodes of a chain contradict each other, so none is believed.' },
  chain_misconfigured: { status: 503, meaning: 'A node serves another chain, or the contract is not there.' },
  anchor_lookup_unavailable: {
    status: 503,
    meaning: 'The transaction could not be looked up. That is not a match; `Retry-After` says when to try again.',
  },
  cid_store_unavailable: {
    status: 503,
    meaning: 'No gateway to this content store is configured, or it does not answer.',
  },
  compliance_unavailable: {
    status: 503,
    meaning:
      'Payments are accepted only after their compliance checks, and a check provider did not answer. Nothing was charged.',
  },
  fx_unavailable: {
    status: 503,
    meaning:
      'A provider of rates could not be reached, or its rate is older than allowed. `Retry-After` says when to try again.',
  },
  settlement_pending: {
    status: 503,
    meaning: 'The payment is sent and not mined yet. Send the same request with the same payment again.',
  },
  payments_disabled: { status: 503, meaning: 'This service is not configured for payments.' },
  ai_disabled: { status: 503, meaning: 'This service has no language model configured.' },
  ai_unavailable: {
    status: 503,
    meaning:
      'The language model could not be reached, broke off, or took too long. `Retry-After` says when to try again.',
  },
  secrets_disabled: { status: 503, meaning: 'Secrets cannot be stored: this service has no encryption key.' },
  starting: { status: 503, meaning: 'The service is starting. `Retry-After` says when to try again.' },
  project_moving: {
    status: 503,
    retryAfterSeconds: 5,
    meaning:
      'The project is being moved to another installation of the service, or was, and is only read here. `location` is its base URL there, once it is told. Repeat the request.',
  },
  file_store_unavailable: {
    status: 503,
    meaning: 'The object store that keeps the file could not be reached. `Retry-After` says when to try again.',
  },
  database_unavailable: {
    status: 503,
    meaning: 'The database could not be reached. `Retry-After` says when to try again.',
  },
} as const satisfies Record<string, { status: number; retryAfterSeconds?: number; meaning: string }>

export type ErrorCode = keyof typeof errorCodes

/** One unacceptable value: its path in the input, why, and a stable type such as `missing` or `string_too_long`. */
export type Issue = { path: (string | number)[]; message: string; type: string }

/**
 * The limit that a request exceeds, and what the request asks for, unless counting stopped at `maximum`. Of a rate
 * limit `remaining` is left.
 */
export type Exceeded = { limit: string; maximum: number; actual?: number; remaining?: number }

type Options = {
  cause?: unknown
  retryAfterSeconds?: number
  issues?: Issue[]
  headers?: Record<string, string>
  body?: Record<string, unknown>
  exceeded?: Exceeded
}

/** The only error class that reaches a caller. `message` is public; `cause` is for the log. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly issues: Issue[]
  readonly retryAfterSeconds: number | null
  /** Whether a GraphQL response has this error's HTTP status too; GraphQL reports other errors by their code alone. */
  isWhole: boolean
  /** Further headers of the response. */
  readonly headers: Record<string, string>
  /** Further members of the response body. */
  readonly body: Record<string, unknown>
  /** Only GraphQL shows it. */
  readonly exceeded: Exceeded | null

  constructor(code: ErrorCode, message?: string, options: Options = {}) {
    super(message ?? errorCodes[code].meaning, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.issues = options.issues ?? []
    const challenge = { 'WWW-Authenticate': 'ApiKey realm="quittance", header="X-API-Key"' }
    this.headers = { ...(errorCodes[code].status === 401 && challenge), ...options.headers }
    this.body = options.body ?? {}
    this.exceeded = options.exceeded ?? null
    this.isWhole = code === 'unauthenticated'
    const known: { status: number; retryAfterSeconds?: number } = errorCodes[code]
    this.retryAfterSeconds = options.retryAfterSeconds ?? known.retryAfterSeconds ?? (known.status === 503 ? 5 : null)
  }

  get status(): number {
    return errorCodes[this.code].status
  }
}

/** Returns whether a chain gave no trustworthy answer, so that the question stays open. */
export const isChainFault = (error: unknown): error is AppError =>
  error instanceof AppError && /^chain_(unavailable|disagreement|misconfigured)$/.test(error.code)

/** Returns the error for unacceptable input; `issues` name each value. */
export const invalid = (issues: Issue[]) =>
  new AppError('validation_failed', issues[0]?.message ?? 'The input is not acceptable.', { issues })

/** Returns the error for a bearer token that is not accepted, with the challenge of RFC 6750. */
export const invalidToken = (message: string) =>
  new AppError('unauthenticated', message, {
    headers: { 'WWW-Authenticate': 'Bearer realm="quittance", error="invalid_token"' },
  })

export const notFound = (what: string) => new AppError('not_found', `There is no such ${what}.`)
