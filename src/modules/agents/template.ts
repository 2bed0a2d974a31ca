// A small agent to start from, as a ZIP that runs as downloaded: `npm ci && npm start`. It holds no secret.
import { readFile } from 'node:fs/promises'
import { sha256 } from '../../core/hash.ts'
import type { Agent } from '../../generated/prisma/client.ts'
import type { App } from '../../kit/context.ts'
import type { ArtifactFile } from '../artifacts/read-file.ts'
import { writeZip } from '../evidence/zip.ts'

const folder = new URL('./template/', import.meta.url)
const files = ['README.md', 'agent.ts', 'package.json', 'package-lock.json']

/** Its settings, which `npm start` reads. */
const settingsOf = ({ id }: Agent, { publicBaseUrl }: App): string =>
  [
    `# Agent ${id}`,
    `QUITTANCE_URL=${publicBaseUrl}`,
    '# An API key of the project, with write access.',
    'QUITTANCE_API_KEY=',
    '# The wallet it pays with: 0x and 64 hex digits. The first start makes one.',
    'WALLET_PRIVATE_KEY=',
    '# The most it pays at once, in the smallest units of the token.',
    'MOST_PER_PAYMENT=5000',
    '',
  ].join('\n')

export async function templateOf(agent: Agent, app: App): Promise<ArtifactFile> {
  const entries = await Promise.all(files.map(async name => ({ name, bytes: await readFile(new URL(name, folder)) })))
  const content = await writeZip([...entries, { name: '.env', bytes: Buffer.from(settingsOf(agent, app)) }])
  return { name: `agent-${agent.id}.zip`, mediaType: 'application/zip', sha256: sha256(content), content }
}
