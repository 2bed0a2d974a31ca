// Checks the compliance providers: lists can be read, services answer. No payment is sent to a service, because the
// provider would keep the request as a screening.
import { ListFault, readList } from '../../adapters/list-file.ts'
import type { Env } from '../../env.ts'
import type { ProviderSetting } from '../../ports/compliance.ts'
import { about, type Finding } from './finding.ts'
import { statusOf } from './web.ts'

export async function inspectCompliance({ complianceProviders }: Env): Promise<Finding[]> {
  if (complianceProviders.length === 0)
    return [about('compliance').ok('COMPLIANCE_PROVIDERS is not set: no provider is queried, checks say unavailable.')]
  return Promise.all(complianceProviders.map(inspect))
}

async function inspect(provider: ProviderSetting): Promise<Finding> {
  const { ok, warn, fail } = about('compliance')
  const { name } = provider
  if (provider.kind === 'fixed') return warn(`${name} always answers ${provider.decision}, whatever it is asked.`)
  if (provider.kind === 'list') {
    try {
      return ok(`The list ${name} has ${(await readList(provider.path)).entries.size} entries.`)
    } catch (error) {
      if (error instanceof ListFault) return fail(`The list ${name} cannot be used: ${error.message}.`)
      throw error
    }
  }
  // Findings name the provider and not its URL, which may contain a secret.
  const { status, fault } = await statusOf(provider.url)
  if (fault !== null) return warn(`${name} does not answer: ${fault}.`)
  const isPlain = provider.url.startsWith('http://')
  const text = `${name} answers (${status}).`
  return isPlain ? warn(`${text} Without TLS, requests to it are not encrypted.`) : ok(text)
}
