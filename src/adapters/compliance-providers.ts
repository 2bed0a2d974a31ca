// The providers that the settings name. A configuration that comes over the API chooses among them and can name no other, so
// that nobody with an administrator's key makes the service read a file, or send payments to an address.
import type { ComplianceProvider, ProviderSetting } from '../ports/compliance.ts'
import { createHttpCompliance } from './http-compliance.ts'
import { openListCompliance } from './list-compliance.ts'
import { ListFault } from './list-file.ts'
import { createPublicFetch } from './public-fetch.ts'

type Log = Parameters<typeof openListCompliance>[2]

/** The providers by name, or every fault as a line for people. */
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

// The operator named their addresses; a provider often stands in the operator's own network.
const fetchOurs = createPublicFetch({ allowPrivate: true })

function open(setting: ProviderSetting, log: Log): ComplianceProvider | Promise<ComplianceProvider> {
  if (setting.kind === 'http+json') return createHttpCompliance(setting, fetchOurs)
  if (setting.kind === 'list') return openListCompliance(setting.name, setting.path, log)
  const { name, decision } = setting
  const answer = { decision, reason: `the provider ${name} always answers so` }
  return { name, isRemote: false, fault: () => null, ask: async () => answer }
}
