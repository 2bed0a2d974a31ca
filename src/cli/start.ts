// `quittance start`: starts the service as `npm start` does.
import { z } from 'zod'
import { command, readArguments } from './command.ts'

const usage = `usage: quittance start

Starts the service with the settings of the environment and of the file .env. ROLES says which parts this process runs.
In production the database must have been migrated (quittance migrate); otherwise the start migrates it.
Exit code: 0 after SIGTERM or SIGINT, 1 when the service cannot start or stops by itself.`

export const run = (args: readonly string[]): Promise<number> =>
  command(usage, args, async () => {
    readArguments(args, {}, z.object({}))
    await import('../main.ts')
    return 0
  })
