// `npm run examples`: runs the scenario on a new service and writes rest/examples.json. It takes about half a minute.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { start } from '../../src/app.ts'
import { readEnv } from '../../src/env.ts'
import { startGateway } from './gateway.ts'
import { startModel } from './model.ts'
import { recorder } from './record.ts'
import { runScenario } from './scenario.ts'
import { settings, textOf } from './settings.ts'

const adminKey = `admin_${randomBytes(24).toString('hex')}`
const folder = await mkdtemp(join(tmpdir(), 'quittance-examples-'))
const gateway = await startGateway()
const model = await startModel()
const own = { DATA_DIR: folder, PORT: '0', ADMIN_API_KEYS: adminKey, LOG_LEVEL: 'error' }
const running = await start(readEnv({ ...own, ...settings(gateway, model) }))
try {
  const { url: base, localChain: rpcUrl } = running
  if (base === null || rpcUrl === null) throw new Error('the examples need the embedded chain and the API')
  const { call, examples } = recorder(base)
  await runScenario({ base, rpcUrl, adminKey, gateway, call })
  await writeFile(new URL('../examples.json', import.meta.url), textOf(examples()))
} finally {
  await running.stop()
  gateway.stop()
  model.stop()
  await rm(folder, { recursive: true, force: true })
}
process.exit(0)
