// Opens the compliance providers that the settings name. A configuration sent over the API can only choose among them,
// so that the holder of an administrator's key cannot make the service read a file or send payment data to an address.
import type { ComplianceProvider, ProviderSetting } from '../ports/compliance.ts'
import { createHttpCompliance } from './http-compliance.ts'
import { openListCompliance } from './list-compliance.ts'
import { ListFault } from './list-file.ts'
import { createPublicFetch } from './public-fetch.ts'

type Log = Parameters<typeof openListCompliance>[2]

/** Returns the providers by name, or a readable line for each fault. */
export async function openProviders(
  settings: readonly ProviderSetting[],
  log: Log,
): Promise<{ providers: ReadonlyMap<string, ComplianceProvider> } | { faults: string[] }> {
  const faults: string[] = []
  const providers = new Map<string, ComplianceProvider>()
  for (const setting of settings) {
    try {
      providers.set(setting.name, await open(setting, log))
    } catch (error) {
      if (!(error instanceof ListFault)) throw error
      faults.push(`COMPLIANCE_PROVIDERS names the list ${setting.name}, which cannot be used: ${error.message}`)
    }
  }
  return faults.length > 0 ? { faults } : { providers }
}

// Private addresses are allowed, because the operator configured them and a provider is often in the operator's
// network.
const fetchOurs = createPublicFetch({ allowPrivate: true })

function open(setting: ProviderSetting, log: Log): ComplianceProvider | Promise<ComplianceProvider> {
  if (setting.kind === 'http+json') return createHttpCompliance(setting, fetchOurs)
  if (setting.kind === 'list') return openListCompliance(setting.name, setting.path, log)
  const { name, decision } = setting
  const answer = { decision, reason: `the provider ${name} always answers so` }
  return { name, isRemote: false, fault: () => null, ask: async () => answer }
}
