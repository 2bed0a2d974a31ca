// What every part is handed: the parts of the running app, and for a request also who calls.
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Principal } from '../core/principal.ts'
import type { PrismaClient } from '../generated/prisma/client.ts'
import type { BlobStore } from '../ports/blob-store.ts'
import type { Chain, OpenProjectChain } from '../ports/chain.ts'
import type { ComplianceProvider } from '../ports/compliance.ts'
import type { ContentStore } from '../ports/content-store.ts'
import type { EventFeed } from '../ports/event-feed.ts'
import type { FxRates } from '../ports/fx-rates.ts'
import type { Model, ModelConfig } from '../ports/model.ts'
import type { PaymentFacilitator } from '../ports/payment-facilitator.ts'
import type { PublicFetch } from '../ports/public-fetch.ts'
import type { PublicPost } from '../ports/public-post.ts'
import type { Publisher } from '../ports/publisher.ts'
import type { Signer } from '../ports/signer.ts'
import type { Vault } from '../ports/vault.ts'
import type { Allowance } from './allowance.ts'

/** A key and the name by which stored data refers to it. */
export type NamedKey = { id: string; key: Buffer }

/** Amounts are plain decimals of one currency, prices of a million tokens. */
export type Ai = {
  /** Null: the assistant is off. */
  model: Model | null
  /** For models that projects name: public addresses only. */
  openModel(config: ModelConfig): Model
  timeoutMs: number
  maxOutputTokens: number
  maxSteps: number
  /** What a project may spend in a day (UTC). */
  dailyBudget: string
  inputPrice: string
  outputPrice: string
  /** 0: transcripts are not kept. */
  transcriptDays: number
}

export type App = {
  log: Logger
  /** One pool for Prisma and for the few hot paths. */
  pool: pg.Pool
  db: PrismaClient
  /** Anchoring chains; the first is the default. */
  chains: readonly [Chain, ...Chain[]]
  openProjectChain: OpenProjectChain
  signer: Signer
  /** By name; those that a configuration can choose. */
  compliance: ReadonlyMap<string, ComplianceProvider>
  feed: EventFeed
  /** Where the bytes of new files go; null: into the database. */
  blobStore: BlobStore | null
  /** Null: bundles cannot be published here. */
  publisher: Publisher | null
  /** Those with a gateway. */
  contentStores: readonly ContentStore[]
  /** In the order in which they are asked. */
  fxRates: readonly FxRates[]
  /** Null: nothing can be paid for here. */
  facilitator: PaymentFacilitator | null
  /** Who is paid, unless a price says otherwise. */
  paymentsTo: string
  ai: Ai
  /** Encrypts what has to be read again; null: nothing of that kind is stored. */
  vault: Vault | null
  /** For URLs that a stranger names. */
  fetchPublic: PublicFetch
  postPublic: PublicPost
  /** Whether anything could ever be posted there; a name is looked up only when it is. */
  canPost(url: string): boolean
  webhooks: {
    /** From which the secrets of receivers are computed: those of new ones from the first. */
    keys: readonly [NamedKey, ...NamedKey[]]
    /** How long deliveries that are over are shown. */
    deliveryDays: number
  }
  /** Without a trailing slash. */
  publicBaseUrl: string
  /** Of front ends; null: any. */
  allowedOrigins: readonly string[] | null
  version: string
  /** SHA-256 (hex) of the service administrators' keys. */
  adminKeyHashes: ReadonlySet<string>
}

/** The payment that came with a request, for the one field it may pay for. */
export type Paying = {
  /** PAYMENT-SIGNATURE, or what stands for it. */
  header: string | null
  /** What a challenge asks for, in words. */
  place: string
  /** The extensions of a challenge that tell how to ask for this endpoint, which is named by its REST path. */
  described(path: string, resource: string): Record<string, unknown>
  /** From which it comes. */
  address: string
  /** Path and query that were asked for; null where they say nothing of what is bought. */
  resource: string | null
  isTaken: boolean
  /** Adds headers to the answer. */
  respond(headers: Record<string, string>): void
}

export type Context = App & {
  principal: Principal
  requestId: string
  paying: Paying
  allowance: Allowance
  /** Cost of each root field of the operation, by its key in the answer. */
  costs: ReadonlyMap<string, number>
}
