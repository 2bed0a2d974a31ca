// Builds the agent template: a ZIP with a small agent that runs as downloaded (`npm ci && npm start`), without secrets.
import { readFile } from 'node:fs/promises'
import { sha256 } from '../../core/hash.ts'
import type { Agent } from '../../generated/prisma/client.ts'
import type { App } from '../../kit/context.ts'
import type { ArtifactFile } from '../artifacts/read-file.ts'
import { writeZip } from '../evidence/zip.ts'

const folder = new URL('./template/', import.meta.url)
const files = ['README.md', 'agent.ts', 'package.json', 'package-lock.json']

/** Returns the template's `.env` file, which `npm start` reads. */
const settingsOf = ({ id }: Agent, { publicBaseUrl }: App): string =>
  [
    `# Agent ${id}`,
    `QUITTANCE_URL=${publicBaseUrl}`,
    '# An API key of the project, with write access.',
    'QUITTANCE_API_KEY=',
    '# Private key of the wallet that the agent pays with: 0x and 64 hex digits. The first start generates a key.',
    'WALLET_PRIVATE_KEY=',
    '# The most that the agent pays per payment, in the smallest units of the token.',
    'MOST_PER_PAYMENT=5000',
    '',
  ].join('\n')

export async function templateOf(agent: Agent, app: App): Promise<ArtifactFile> {
  const entries = await Promise.all(files.map(async name => ({ name, bytes: await readFile(new URL(name, folder)) })))
  const content = await writeZip([...entries, { name: '.env', bytes: Buffer.from(settingsOf(agent, app)) }])
  return { name: `agent-${agent.id}.zip`, mediaType: 'application/zip', sha256: sha256(content), content }
}
