// The settings that name providers of compliance decisions. No fault quotes a value: URLs and headers contain secrets.
import { z } from 'zod'
import type { ProviderSetting } from '../ports/compliance.ts'
import { secret, secretUrl } from './secret.ts'
import { list } from './values.ts'

const providerName = /^[a-z0-9][a-z0-9-]{0,39}$/
const isHttpUrl = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}
// Provider names in checks that no provider made.
const reservedProviders = ['none', 'threshold']
/** `name=http+json:<url>`, `name=list:<file>` or `name=fixed:<decision>`. */
const complianceProviders = list.transform((entries, { addIssue }): ProviderSetting[] => {
  const read = entries.map((entry): ProviderSetting | null => {
    const [, name = '', kind = '', target = ''] = /^([^=]*)=([^:]*):(.*)$/.exec(entry) ?? []
    if (!providerName.test(name) || reservedProviders.includes(name)) return null
    if (kind === 'list' && target !== '') return { name, kind, path: target }
    if (kind === 'http+json' && isHttpUrl(target)) return { name, kind, url: target, authorization: null }
    const decision = z.enum(['allow', 'flag', 'deny']).safeParse(target)
    return kind === 'fixed' && decision.success ? { name, kind, decision: decision.data } : null
  })
  const known = read.filter(entry => entry !== null)
  if (known.length < read.length || new Set(known.map(({ name }) => name)).size < known.length)
    addIssue(
      'must be entries such as name=http+json:https://…, name=list:/path or name=fixed:flag, each name once, in lower-case letters, digits and hyphens, not none or threshold',
    )
  return known
})
/** `name=Bearer …`: the `Authorization` header of requests to this provider. */
const complianceAuthorization = list.transform((entries, { addIssue }) =>
  entries.map(entry => {
    const [, name = '', value = ''] = /^([^=]+)=([\x20-\x7e]+)$/.exec(entry) ?? []
    // The value is a secret, so the fault does not quote it.
    if (value === '') addIssue('must be entries such as name=Bearer …, in printable ASCII')
    return [name, value] as const
  }),
)

export const complianceVariables = {
  COMPLIANCE_PROVIDERS: secretUrl(complianceProviders.default([])),
  COMPLIANCE_AUTHORIZATION: secret(complianceAuthorization.default([])),
}
const variables = z.object({ ...complianceVariables, NODE_ENV: z.string().optional() })
type Data = z.output<typeof variables>

export function complianceFaults({ NODE_ENV, COMPLIANCE_PROVIDERS: providers, ...data }: Data): string[] {
  const isUsed = ([named]: readonly [string, string]) =>
    providers.some(({ name, kind }) => name === named && kind === 'http+json')
  const faults: string[] = []
  if (!data.COMPLIANCE_AUTHORIZATION.every(isUsed))
    faults.push('COMPLIANCE_AUTHORIZATION names a provider that is no http+json entry of COMPLIANCE_PROVIDERS')
  if (NODE_ENV === 'production' && providers.some(({ kind }) => kind === 'fixed'))
    faults.push('COMPLIANCE_PROVIDERS: fixed answers are for development only')
  return faults
}

/** Returns the providers that a configuration can choose, each with its `Authorization` header. */
export function readProviders({ COMPLIANCE_PROVIDERS, COMPLIANCE_AUTHORIZATION }: Data): ProviderSetting[] {
  const authorizations = new Map(COMPLIANCE_AUTHORIZATION)
  return COMPLIANCE_PROVIDERS.map(provider =>
    provider.kind === 'http+json'
      ? { ...provider, authorization: authorizations.get(provider.name) ?? null }
      : provider,
  )
}
