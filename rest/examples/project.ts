// The operations that set up a project: wallets, keys, and the parties in its messages.
import { testWallet } from '../../demo/test-wallet.ts'
import { ask, type Stage } from './stage.ts'
import { accountOf, signIn, walletOf } from './wallets.ts'

/** `key` is a project_admin key. */
export type Project = { id: string; key: string; secondKey: string; agent: string }

const units = 5_000_000n

export async function callProject({ base, rpcUrl, adminKey, call }: Stage): Promise<Project> {
  const owner = accountOf('owner')
  const fresh = async (name: string) => signIn(accountOf(name), base, (await call('nonce')).json)
  const signed = await signIn(owner, base, (await call('nonce')).json)
  const registered = await call('registerProject', { body: { name: 'Corner Shop', ...signed } })
  const { project, api_key: key } = registered.json
  // The same signed message is refused, because its nonce has been used.
  await call('registerProject', { body: { name: 'Corner Shop', ...signed } }, 401)
  await call('me', { key })
  await call('me', {}, 401)
  await call('projects', { key })

  const path = { project_id: project.id }
  const wallets = [{ address: walletOf('owner'), chain: 'base' }]
  const shop = { name: 'Corner Shop Ltd', country: 'IE', lei: '529900T8BM49AURSDO55', wallets }
  await call('configureProject', {
    path,
    body: { anchoring: { execution_mode: 'platform', chains: [] }, parties: { creditor: shop } },
    key,
  })
  await call('projectConfig', { path, key })
  await call('organisation', { key })
  await call('configureOrganisation', {
    body: {
      org: { name: 'Quittance Example Ltd', jurisdiction: 'IE', default_message_families: ['pain.002', 'camt.054'] },
      mapping: { purpose: 'GDDS', assets: [{ label: 'USDC', chain: 'base', currency: 'USD' }] },
    },
    key: adminKey,
  })
  await call('configureOrganisation', { body: {}, key }, 403)

  const label = { label: 'till 2', role: 'project', expires_at: '2036-12-31T23:59:59.000Z' }
  const second = await call('createApiKey', { body: label, key })
  await call('createApiKey', { body: { ...label, role: 'owner' }, key }, 422)
  await call('apiKeys', { key })
  await call('siweMintKey', { body: { ...(await fresh('owner')), label: 'found again', project_id: project.id } })
  await call('siweVerify', { body: await fresh('buyer'), key })
  await call('linkedWallets', { key })

  const agent = await call('createAgent', {
    body: {
      name: 'Rate watcher',
      wallet_address: walletOf('buyer'),
      pricing_rules: { max_per_call: '0.05', max_per_day: '1' },
    },
    key,
  })
  const [{ asset }] = await ask(base, '/v1/x402/pricing')
  await testWallet({ rpcUrl, asset, units, account: accountOf('buyer') })
  await testWallet({ rpcUrl, asset, units, account: owner })
  return { id: project.id, key, secondKey: second.json.id, agent: agent.json.id }
}
