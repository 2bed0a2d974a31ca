// Checks what is reached over HTTP: our own public address, and the gateways to content stores.
import type { Env } from '../../env.ts'
import { about, type Finding, wordsOf } from './finding.ts'

const patienceMs = 5_000

export async function inspectPublicUrl({ PUBLIC_BASE_URL: publicBaseUrl, HOST, PORT }: Env): Promise<Finding[]> {
  const { ok, warn } = about('public address')
  if (publicBaseUrl === null) {
    return [ok(`PUBLIC_BASE_URL is not set: links say http://${HOST}:${PORT}, which is for this machine only.`)]
  }
  const answer = await statusOf(`${publicBaseUrl}/livez`)
  if (answer.fault !== null && isAboutCertificate(answer.code)) {
    const advice = 'NODE_EXTRA_CA_CERTS=<file> in the environment adds a CA of your own'
    return [warn(`${publicBaseUrl} shows a certificate that is not trusted here: ${answer.fault} (${advice}).`)]
  }
  if (answer.fault !== null)
    return [warn(`${publicBaseUrl} does not answer: ${answer.fault}. This is expected while the service is stopped.`)]
  if (answer.status === 502 || answer.status === 503) {
    const reason = 'a proxy that reaches no process. This is expected while the service is stopped'
    return [warn(`${publicBaseUrl}/livez answers ${answer.status}: ${reason}.`)]
  }
  if (answer.status !== 200)
    return [warn(`${publicBaseUrl}/livez answers ${answer.status}: does it lead to this service?`)]
  if (!publicBaseUrl.startsWith('https://')) {
    return [warn(`${publicBaseUrl} answers, but without TLS: API keys are sent unencrypted.`)]
  }
  return [ok(`${publicBaseUrl} answers.`)]
}

export const inspectGateways = ({ IPFS_GATEWAY, ARWEAVE_GATEWAY }: Env): Promise<Finding[]> =>
  Promise.all([gateway('IPFS_GATEWAY', IPFS_GATEWAY), gateway('ARWEAVE_GATEWAY', ARWEAVE_GATEWAY)])

async function gateway(setting: string, url: string | null): Promise<Finding> {
  const { ok, warn } = about('gateway')
  if (url === null) return ok(`${setting} is not set: bundles kept there cannot be verified by their id.`)
  const { status, fault } = await statusOf(url)
  return fault === null ? ok(`${setting} answers (${status}).`) : warn(`${setting} does not answer: ${fault}.`)
}

/** By the codes that Node gives to faults of certificates. */
const isAboutCertificate = (code: string) => /CERT|SIGNED|LEAF_SIGNATURE/.test(code)

export async function statusOf(
  url: string,
): Promise<{ status: number; fault: null } | { status: null; fault: string; code: string }> {
  try {
    const { status } = await fetch(url, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(patienceMs) })
    return { status, fault: null }
  } catch (error) {
    const fault = error instanceof Error && error.cause ? error.cause : error
    return { status: null, fault: wordsOf(fault), code: `${(fault as { code?: unknown } | null)?.code}` }
  }
}
