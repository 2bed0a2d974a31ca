// The settings that name providers of compliance decisions. No fault quotes a value: URLs and headers hold secrets.
import { z } from 'zod'
import type { ProviderSetting } from './ports/compliance.ts'

const list = z.string().transform(value =>
  value
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== ''),
)

const providerName = /^[a-z0-9][a-z0-9-]{0,39}$/
const isHttpUrl = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}
// What stands in checks that no provider made.
const reservedProviders = ['none', 'threshold']
/** `name=http+json:<url>`, `name=list:<file>` or `name=fixed:<decision>`. */
export const complianceProviders = list.transform((entries, { addIssue }): ProviderSetting[] => {
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
/** `name=Bearer …`: what is sent to this provider as `Authorization`. */
export const complianceAuthorization = list.transform((entries, { addIssue }) =>
  entries.map(entry => {
    const [, name = '', value = ''] = /^([^=]+)=([\x20-\x7e]+)$/.exec(entry) ?? []
    // What was given is a secret and stays out of the fault.
    if (value === '') addIssue('must be entries such as name=Bearer …, in printable ASCII')
    return [name, value] as const
  }),
)

type Authorizations = z.output<typeof complianceAuthorization>

export const providerFaults = (providers: readonly ProviderSetting[], authorizations: Authorizations): string[] =>
  authorizations.every(([named]) => providers.some(({ name, kind }) => name === named && kind === 'http+json'))
    ? []
    : ['COMPLIANCE_AUTHORIZATION names a provider that is no http+json entry of COMPLIANCE_PROVIDERS']

/** The providers, each with what it is sent as `Authorization`. */
export const authorized = (providers: readonly ProviderSetting[], authorizations: Authorizations): ProviderSetting[] =>
  providers.map(provider =>
    provider.kind === 'http+json'
      ? { ...provider, authorization: new Map(authorizations).get(provider.name) ?? null }
      : provider,
  )
