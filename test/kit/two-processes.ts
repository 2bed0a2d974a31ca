// Two processes of one service on one database, with a project and a receipt whose streams stay open.
import { type Service, startService } from './service.ts'

export type TwoProcesses = {
  one: Service
  two: Service
  project: { id: string; key: string }
  receipt: string
  stop(): Promise<void>
}

export async function startTwoProcesses(): Promise<TwoProcesses> {
  // Without a worker a receipt stays pending, and its streams stay open.
  const one = await startService({ ROLES: 'api' })
  const two = await startService({ ROLES: 'api', DATABASE_URL: one.databaseUrl })
  const project = await one.api.project()
  const receipt = (await one.api.record(project.key)).json.receipt_id
  const stop = async () => {
    await two.stop()
    await one.stop()
  }
  return { one, two, project, receipt, stop }
}
