// Ends an embedded server whose process died without ending it, without loss of data. on-death.ts starts this file.
import { setTimeout as sleep } from 'node:timers/promises'
import { endOrphanedChain } from './chain.ts'
import { endOrphanedPostgres } from './postgres.ts'

// A process that is restarted at once takes its servers over, which is quicker than starting them.
const restartMs = 3_000

const [kind, folder = '', owner = '', pid] = process.argv.slice(2)
await sleep(restartMs)
if (kind === 'postgres') await endOrphanedPostgres(folder)
else await endOrphanedChain(folder, owner, Number(pid))
