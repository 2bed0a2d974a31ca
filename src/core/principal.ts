// The principal of a call and its rights. Operations and fields declare the access that they need as an `Access`.
import { AppError } from './errors.ts'

export const roles = ['project_admin', 'project', 'viewer'] as const
export type Role = (typeof roles)[number]

export type Principal =
  | { kind: 'public' }
  | { kind: 'admin'; keyId: string }
  | { kind: 'key'; keyId: string; projectId: string; role: Role }
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

/** Throws `unauthenticated` without credentials, `forbidden` with the wrong ones. */
export function demand(principal: Principal, access: Access): void {
  if (may(principal, access)) return
  if (principal.kind === 'public') throw new AppError('unauthenticated', 'Send an API key in the X-API-Key header.')
  const needed = access === 'admin' ? 'the key of a service administrator' : `a key with ${access} access`
  throw new AppError('forbidden', `This needs ${needed}.`)
}

/** Returns the project of an API key, and throws for any other principal. `what` names the object in the message. */
export function ownProject(principal: Principal, what = 'This'): string {
  if (principal.kind === 'key') return principal.projectId
  if (principal.kind === 'admin') {
    const message = `${what} belongs to a project, and a service administrator has none. Use a key of the project.`
    throw new AppError('project_key_required', message)
  }
  throw new AppError('unauthenticated', 'Send an API key in the X-API-Key header.')
}

/** Returns the actor for the audit trail: a key's id, never the key. */
export function actorOf(principal: Principal): string {
  if (principal.kind === 'public') return 'public'
  return principal.kind === 'payer' ? `payer:${principal.wallet}` : `${principal.kind}:${principal.keyId}`
}
