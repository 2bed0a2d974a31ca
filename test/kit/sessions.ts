// Sessions for tests: made with an API key or by a wallet, and the request that shows whether one is accepted.
import type { BaseWallet } from 'ethers'
import { enumNameOf } from '../../src/core/enum-name.ts'
import type { Role } from '../../src/core/principal.ts'
import type { Service } from './service.ts'
import { messageText } from './sign-in.ts'

const fields = 'token session { id role project { id } createdBy { __typename name } createdAt expiresAt revokedAt }'

/** Returns the answer, which may have errors. */
export const askForSession = (service: Service, key: string, role: Role | null = null) =>
  service.api.graphql(`mutation ($role: ApiKeyRole) { createSession(input: { role: $role }) { ${fields} } }`, {
    key,
    variables: { role: role && enumNameOf(role) },
  })

export type Made = { id: string; token: string; session: Record<string, string | null> }

export async function sessionOf(service: Service, key: string, role: Role | null = null): Promise<Made> {
  const { token, session } = (await askForSession(service, key, role)).data.createSession
  return { id: session.id, token, session }
}

/** The status of a request that needs any credentials. */
export const statusOf = async (service: Service, key: string) =>
  (await service.api.call('GET', '/v1/auth/me', { key })).status

/** Returns a message with a fresh nonce and the wallet's signature. */
export async function signedBy(service: Service, wallet: BaseWallet) {
  const { data } = await service.api.graphql('mutation { createSignInNonce { signInNonce { nonce domain } } }')
  const { nonce, domain } = data.createSignInNonce.signInNonce
  const message = messageText({ domain, uri: service.base, address: wallet.address, nonce })
  return { message, signature: await wallet.signMessage(message) }
}

/** Registers a project that the wallet owns. */
export async function registered(service: Service, wallet: BaseWallet): Promise<{ id: string; key: string }> {
  const register = 'mutation ($input: RegisterProjectInput!) { registerProject(input: $input) { project { id } key } }'
  const input = { name: 'Of a wallet', ...(await signedBy(service, wallet)) }
  const { project, key } = (await service.api.graphql(register, { variables: { input } })).data.registerProject
  return { id: project.id, key }
}

/** Returns the answer to a sign-in, which may have errors. */
export const signIn = (service: Service, input: Record<string, unknown>, key?: string) =>
  service.api.graphql(`mutation ($input: SignInInput!) { signIn(input: $input) { ${fields} } }`, {
    variables: { input },
    ...(key && { key }),
  })
