// Checks that the settings define every compliance provider that the configuration chose.
import type { App } from '../../kit/context.ts'
import { sqlOf } from '../../kit/transaction.ts'
import { presentOrganisation } from '../settings/read.ts'

/** Logs at startup each chosen provider that is missing, because receipts would wait for it. */
export async function logMissingProviders(app: App): Promise<void> {
  const { travelRuleProvider, sanctionsProvider } = (await presentOrganisation(app, sqlOf(app.pool))).compliance
  for (const provider of new Set([travelRuleProvider, sanctionsProvider])) {
    if (provider !== null && !app.compliance.has(provider))
      app.log.error({ provider }, 'ALARM: the configuration chose a provider that COMPLIANCE_PROVIDERS does not name')
  }
}
