// The principal of a call and its rights. Operations and fields declare the access that they need as an `Access`.
import { AppError } from './errors.ts'

export const roles = ['project_admin', 'project', 'viewer'] as const
export type Role = (typeof roles)[number]

export type Principal =
  | { kind: 'public' }
  | { kind: 'admin'; keyId: string }
  /** An API key of a project, or a session, which has the rights of a key with its role. */
  | ({
      kind: 'key'
      projectId: string
      role: Role
      /** Only of a project that is moved to another installation: the base URL there, null while it is not told. */
      movingTo?: string | null
    } & ({ keyId: string } | { sessionId: string }))
  /** The wallet that paid for one call, lower-case; `projectId` of the API key sent with the payment, if any. */
  | { kind: 'payer'; wallet: string; projectId: string | null }

/**
 * `read` any key · `write` all but viewer · `manage` project_admin or admin · `admin` service administrator · `pay` the
 * payer of this call alone.
 */
export type Access = 'public' | 'read' | 'write' | 'manage' | 'admin' | 'pay'

const granted: Record<Role, readonly Access[]> = {
  viewer: ['public', 'read'],
  project: ['public', 'read', 'write'],
  project_admin: ['public', 'read', 'write', 'manage'],
}

export function may(principal: Principal, access: Access): boolean {
  if (access === 'public') return true
  if (access === 'pay' || principal.kind === 'payer') return access === 'pay' && principal.kind === 'payer'
  if (principal.kind === 'admin') return true
  return principal.kind === 'key' && granted[principal.role].includes(access)
}

/** Returns whether a role has no right that the other role lacks. */
export const isAtMost = (role: Role, other: Role): boolean =>
  granted[role].every(access => granted[other].includes(access))

/** The message of REST. In GraphQL it names the token of a session too, because a browser must send no API key. */
export const withoutCredentials = 'Send an API key in the X-API-Key header.'

/** Throws `unauthenticated` without credentials, `forbidden` with the wrong ones. */
export function demand(principal: Principal, access: Access): void {
  if (may(principal, access)) return
  if (principal.kind === 'public') throw new AppError('unauthenticated', withoutCredentials)
  const needed = access === 'admin' ? 'the key of a service administrator' : `a key with ${access} access`
  throw new AppError('forbidden', `This needs ${needed}.`)
}

/** Throws unless the principal belongs to a project. `what` names the object in the message. */
export function demandProject(
  principal: Principal,
  what: string,
): asserts principal is Extract<Principal, { kind: 'key' }> {
  if (principal.kind === 'key') return
  if (principal.kind === 'admin') {
    const message = `${what} belongs to a project, and a service administrator has none. Use a key of the project.`
    throw new AppError('project_key_required', message)
  }
  throw new AppError('unauthenticated', withoutCredentials)
}

/** Returns the project of an API key or a session. Throws as `demandProject` does. */
export function ownProject(principal: Principal, what = 'This'): string {
  demandProject(principal, what)
  return principal.projectId
}

/** Throws `forbidden` for a session. `what` says what it may not do, because what it obtained would outlive it. */
export function demandNoSession(
  principal: Principal,
  what: string,
): asserts principal is Exclude<Principal, { sessionId: string }> {
  if (!('sessionId' in principal)) return
  const message = `A session may not ${what}, because what it obtained would outlive it. Use an API key.`
  throw new AppError('forbidden', message)
}

/**
 * Returns the filter of what the principal may read and change: rows of the API key's project, or all rows for a
 * service administrator. Throws `unauthenticated` for any other principal.
 */
export const ownedBy = (principal: Principal): { projectId?: string } =>
  principal.kind === 'admin' ? {} : { projectId: ownProject(principal) }

/** Returns the condition of a filter by project, which narrows what the principal may read. */
export const onlyOf = (filter: { projectId?: string | null | undefined } | null | undefined): { projectId?: string } =>
  filter?.projectId ? { projectId: filter.projectId } : {}

/** Whether a project and its rows are the principal's, by the same rule. */
export const owns = (principal: Principal, projectId: string | null): boolean =>
  principal.kind === 'admin' || (principal.kind === 'key' && principal.projectId === projectId)

/**
 * Names what a principal reads: inside the answer of a subscription, two principals with the same name read the same
 * values of all fields.
 */
export function readerOf(principal: Principal): string {
  if (principal.kind === 'payer') return `payer ${principal.wallet} ${principal.projectId}`
  if (principal.kind !== 'key') return principal.kind
  // Values that outlive a session, such as a webhook secret, are hidden from it.
  return `${'sessionId' in principal ? 'session' : 'key'} ${principal.role} ${principal.projectId}`
}

/** Returns the actor for the audit trail: the id of a key or a session, never the key or token. */
export function actorOf(principal: Principal): string {
  if (principal.kind === 'public') return 'public'
  if ('sessionId' in principal) return `session:${principal.sessionId}`
  return principal.kind === 'payer' ? `payer:${principal.wallet}` : `${principal.kind}:${principal.keyId}`
}
