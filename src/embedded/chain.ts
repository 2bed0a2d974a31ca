// placeholder until the real file is written
import type { Logger } from 'pino'
export async function startChain(
  _dataDir: string,
  _log: Logger,
): Promise<{ rpcUrl: string; chainId: number; contract: string; anchorPrivateKey: string; stop(): Promise<void> }> {
  throw new Error('not yet')
}
