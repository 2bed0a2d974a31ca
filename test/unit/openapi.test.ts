// The OpenAPI document passes two linters, and keeps the names that generated clients use.
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore from '@stoplight/spectral-core'
import { Json } from '@stoplight/spectral-parsers'
import { oas } from '@stoplight/spectral-rulesets'
import { describe, expect, it } from 'vitest'
import openapi from '../../rest/openapi.json' with { type: 'json' }

async function byRedocly(document: unknown): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: JSON.stringify(document), config })
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
}

async function bySpectral(document: unknown): Promise<string[]> {
  const spectral = new spectralCore.Spectral()
  // Spectral's types do not recognise its own rule set as one.
  spectral.setRuleset({ extends: [[oas as never, 'recommended']] })
  const problems = await spectral.run(new spectralCore.Document(JSON.stringify(document), Json))
  return problems.map(({ code, message, path }) => `${code}: ${message} ${path.join('/')}`)
}

describe('with all recommended rules', () => {
  it.each([
    ['Redocly', byRedocly],
    ['Spectral', bySpectral],
  ])('%s reports nothing, and reports an invalid document', async (_, problemsOf) => {
    expect(await problemsOf(openapi)).toEqual([])
    const nonsense = { '/x': { get: { responses: { '200': { content: {} } } } } }
    expect(await problemsOf({ ...openapi, paths: nonsense })).not.toEqual([])
  })
})

it('gives each operation one tag and a stable name, because clients are generated from them', () => {
  const operations: { tags: string[]; operationId: string }[] = Object.values(openapi.paths).flatMap(Object.values)
  const named = operations.map(({ tags, operationId }) => `${tags} ${operationId}`)
  expect(named.toSorted()).toMatchInlineSnapshot(`
    [
      "agents agentAnchors",
      "agents agentTemplate",
      "agents agents",
      "agents anchorForAgent",
      "agents configureAgentAi",
      "agents configureAgentAnchoring",
      "agents createAgent",
      "agents deleteAgent",
      "agents getAgent",
      "agents getAgentActivity",
      "agents getAgentAnchoring",
      "agents getAgentStats",
      "agents testAgent",
      "agents testAgentAi",
      "agents updateAgent",
      "ai getAssistantStatus",
      "ai postAssist",
      "audit auditEvents",
      "auth apiKeys",
      "auth createApiKey",
      "auth me",
      "auth projects",
      "auth revokeApiKey",
      "health embedPageRedirect",
      "health getHealth",
      "health ping",
      "health receiptPageRedirect",
      "payments getFacilitatorConfig",
      "payments getPayment",
      "payments getRevenue",
      "payments paymentComplianceChecks",
      "payments payments",
      "payments postVerifyPayment",
      "payments recordPayment",
      "premium getPremiumIsoMessage",
      "premium postPremiumBulkVerify",
      "premium postPremiumFxLookup",
      "premium postPremiumStatement",
      "premium premiumRefund",
      "premium premiumVerifyBundle",
      "premium pricing",
      "premium setPricing",
      "projects configureProject",
      "projects getProjectConfig",
      "receipts anchors",
      "receipts complianceChecks",
      "receipts events",
      "receipts file",
      "receipts getReceipt",
      "receipts messages",
      "receipts postRecordTip",
      "receipts receipts",
      "sdk buildSdk",
      "settings configureOrganisation",
      "settings organisation",
      "signin getNonce",
      "signin linkedWallets",
      "signin postRegisterProject",
      "signin postSiweMintKey",
      "signin postSiweVerify",
      "signin unlinkWallet",
      "verification getEvidenceKeys",
      "verification postConfirmAnchor",
      "verification postDebugAnchor",
      "verification postVerify",
      "verification postVerifyCid",
      "workflow camt029",
      "workflow camt056",
      "workflow pacs007",
      "workflow pacs009",
      "workflow postRefund",
    ]
  `)
})
