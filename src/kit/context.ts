// The context passed to every module: the parts of the running app, and for a request also its principal.
import type pg from 'pg'
import type { Logger } from 'pino'
import type { ChainAliases } from '../core/identity.ts'
import type { LabelledAsset } from '../core/known-assets.ts'
import type { Principal } from '../core/principal.ts'
import type { PrismaClient } from '../generated/prisma/client.ts'
import type { BlobStore } from '../ports/blob-store.ts'
import type { Chain, OpenProjectChain } from '../ports/chain.ts'
import type { ComplianceProvider } from '../ports/compliance.ts'
import type { ContentStore } from '../ports/content-store.ts'
import type { EventFeed } from '../ports/event-feed.ts'
import type { FxRates } from '../ports/fx-rates.ts'
import type { Model, ModelConfig } from '../ports/model.ts'
import type { PaymentChain } from '../ports/payment-chain.ts'
import type { PaymentFacilitator } from '../ports/payment-facilitator.ts'
import type { PublicFetch } from '../ports/public-fetch.ts'
import type { PublicPost } from '../ports/public-post.ts'
import type { Publisher } from '../ports/publisher.ts'
import type { Signer } from '../ports/signer.ts'
import type { Tracing } from '../ports/tracing.ts'
import type { Vault } from '../ports/vault.ts'
import type { Allowance } from './allowance.ts'
import type { Standbys } from './standbys.ts'

/** A key and the name by which stored data refers to it. */
export type NamedKey = { id: string; key: Buffer }

/** Amounts are plain decimals of one currency; prices are per million tokens. */
export type Ai = {
  /** Null: the assistant is off. */
  model: Model | null
  /** Opens a model that a project configured: public addresses only. */
  openModel(config: ModelConfig): Model
  timeoutMs: number
  maxOutputTokens: number
  maxSteps: number
  /** The most that a project may spend in a day (UTC). */
  dailyBudget: string
  inputPrice: string
  outputPrice: string
  /** 0: transcripts are not kept. */
  transcriptDays: number
}

export type App = {
  log: Logger
  /** The share of the successful requests whose lines are written, from 0 to 1. */
  requestShare: number
  /** Null: nothing is traced. */
  tracing: Tracing | null
  /** One pool for Prisma and for the few hot paths. */
  pool: pg.Pool
  /** Connections for reads that are compiled to SQL: PostgreSQL plans each of their prepared statements once. */
  reads: pg.Pool
  /** Standbys for the same reads; null: the primary answers all. */
  standbys: Standbys | null
  db: PrismaClient
  /** Anchoring chains; the first is the default. */
  chains: readonly [Chain, ...Chain[]]
  openProjectChain: OpenProjectChain
  /** The names of the chains of payments: the kept ones, and those of the configuration. */
  chainAliases: ChainAliases
  /** By CAIP-2 id: the chains on which payments are checked. */
  paymentChains: ReadonlyMap<string, PaymentChain>
  /** The assets that labels mean on chains without configuration. */
  knownAssets: readonly LabelledAsset[]
  signer: Signer
  /** By name: the providers that a configuration can choose. */
  compliance: ReadonlyMap<string, ComplianceProvider>
  feed: EventFeed
  /** Stores the bytes of new files; null: the database stores them. */
  blobStore: BlobStore | null
  /** Null: this process cannot publish bundles. */
  publisher: Publisher | null
  /** The stores that have a gateway. */
  contentStores: readonly ContentStore[]
  /** In the order in which they are queried. */
  fxRates: readonly FxRates[]
  /** Null: this service accepts no payments. */
  facilitator: PaymentFacilitator | null
  /** The wallet that is paid, unless a price names another. */
  paymentsTo: string
  ai: Ai
  /** Encrypts secrets that have to be read again; null: no such secret is stored. */
  vault: Vault | null
  /** For URLs that untrusted clients name. */
  fetchPublic: PublicFetch
  postPublic: PublicPost
  /** Whether posting to the URL can ever be allowed; its host name is resolved only when posting. */
  canPost(url: string): boolean
  webhooks: {
    /** The keys from which webhook secrets are derived: the secrets of new endpoints from the first. */
    keys: readonly [NamedKey, ...NamedKey[]]
    /** Number of days for which finished deliveries are kept. */
    deliveryDays: number
  }
  /** Number of days for which events are kept; null: all are kept. */
  eventDays: number | null
  /** Without a trailing slash. */
  publicBaseUrl: string
  /** Origins of front ends; null: any. */
  allowedOrigins: readonly string[] | null
  version: string
  /** SHA-256 (hex) of the service administrators' keys. */
  adminKeyHashes: ReadonlySet<string>
}

/** The payment that came with a request, for the one paid field of its operation. */
export type Paying = {
  /** PAYMENT-SIGNATURE, or its equivalent over another transport. */
  header: string | null
  /** The place of a payment in the request, in words for the challenge. */
  place: string
  /** Returns the challenge extensions that describe how to call this endpoint, which its REST path names. */
  described(path: string, resource: string): Record<string, unknown>
  /** Address of the client. */
  address: string
  /** Path and query of the request; null where they do not show what is bought. */
  resource: string | null
  isTaken: boolean
  /** Adds headers to the response. */
  respond(headers: Record<string, string>): void
  /** Whether the client has left without a response. */
  hasLeft(): boolean
  /** Tells, once the response has ended or its client has left, whether a response without an error was written. */
  whenEnded(listener: (isWritten: boolean) => void): void
}

export type Context = App & {
  principal: Principal
  requestId: string
  paying: Paying
  allowance: Allowance
  /** Cost of each root field of the operation, by its response key. */
  costs: ReadonlyMap<string, number>
  /** Notes in the transaction of a write that the request was carried out; only with an Idempotency-Key. */
  carriedOut?: (sql: (text: string, values: unknown[]) => Promise<unknown[]>) => Promise<void>
}
