// One line in the log for each request that has ended. The lines of what is refused are bounded for each caller:
// beyond, one line a minute counts them.
import type { Logger } from 'pino'
import { isSampled } from '../core/sampling.ts'
import { outOfScope } from '../core/scope.ts'
import type { Finished } from './finished.ts'

/** `successes`: the share that gets a line, from 0 to 1. */
export type RequestLogging = { successes: number; errors: boolean }

const minuteMs = 60_000
/** Refused requests with a line of their own, in a minute. */
const most = { project: 300, network: 60, anonymous: 600, networks: 5_000 }

// Answered alike every few seconds.
const probes = new Set(['/livez', '/readyz', '/metrics'])

export function requestLog(log: Pick<Logger, 'info' | 'warn'>, { successes, errors }: RequestLogging) {
  const more = refusalsOfMinute(log)

  function isTold(finished: Finished): boolean {
    const { status, codes, route, requestId } = finished
    if ((status ?? 0) >= 400 || codes.length > 0) return errors && more.isWithin(finished)
    return !probes.has(route ?? '') && isSampled(requestId, successes)
  }

  return (finished: Finished): void => {
    if (!isTold(finished)) return
    const { status, codes, isAborted, isStream, isRelayed, operation, document, network: _, ...facts } = finished
    const line = {
      ...facts,
      status,
      ...(operation !== null && { operation }),
      ...(document !== null && { document }),
      ...(codes.length > 0 && { codes }),
      ...(isAborted && { isAborted }),
      ...(isStream && { isStream }),
      ...(isRelayed && { isRelayed }),
    }
    if ((status ?? 0) >= 500) log.warn(line, 'request')
    else log.info(line, 'request')
  }
}

type Refused = Pick<Finished, 'status' | 'codes' | 'project' | 'network'>

function refusalsOfMinute(log: Pick<Logger, 'info'>) {
  let counts = new Map<string, number>()
  let beyond = new Map<string, number>()
  let isCounting = false

  function end(): void {
    if (beyond.size > 0) log.info({ requests: Object.fromEntries(beyond) }, 'further refused requests')
    counts = new Map()
    beyond = new Map()
    isCounting = false
  }

  function counted(name: string): number {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count
  }

  const isKnown = (network: string) => counts.has(network) || counts.size < most.networks

  return {
    /** Counts a refused request; false if its line would be one too many. */
    isWithin({ status, codes, project, network }: Refused): boolean {
      if (!isCounting) outOfScope(() => setTimeout(end, minuteMs).unref())
      isCounting = true
      const isWithin =
        project === 'anonymous'
          ? isKnown(network) && counted(network) <= most.network && counted(project) <= most.anonymous
          : counted(project) <= most.project
      if (!isWithin) {
        // One code, because a document can be made to have any set of them.
        const name = [status ?? 'no answer', ...codes.slice(0, 1)].join(' ')
        beyond.set(name, (beyond.get(name) ?? 0) + 1)
      }
      return isWithin
    },
  }
}
