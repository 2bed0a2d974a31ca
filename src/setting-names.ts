// Finds misspelt setting names, because a misspelt setting would silently keep its default.
import { distance, nearest } from './core/nearest.ts'

const ours = /^(ANCHOR|COMPLIANCE|FX|X402)_/
// Kubernetes sets such variables for each of its services, and a service may be called "anchor".
const fromKubernetes = /_SERVICE_(HOST|PORT)(_|$)|_PORT(_\d+_(TCP|UDP|SCTP)(_|$)|$)/

/**
 * Returns a message for every unknown name in `.env`. The environment also contains other programs' variables, so only
 * names that resemble a setting are reported from it.
 */
export function strangeNames(
  known: readonly string[],
  environment: NodeJS.ProcessEnv,
  file: NodeJS.ProcessEnv,
): string[] {
  const resembles = (name: string): boolean => {
    if (ours.test(name)) return !fromKubernetes.test(name)
    const near = nearest(name, known)
    // At most one letter in four may differ, because HOME is not HOST. If the nearest setting is set as well, the name
    // belongs to another program.
    return (
      near !== null &&
      environment[near] === undefined &&
      distance(name, near) <= Math.min(2, Math.floor(name.length / 4))
    )
  }
  const isStrange = (name: string) => !known.includes(name)
  const fault = (name: string, place: string) => {
    const near = nearest(name, known)
    return `${name}${place} is no setting: ${near === null ? '.env.example lists all' : `the nearest is ${near}`}`
  }
  return [
    ...Object.keys(file)
      .filter(isStrange)
      .map(name => fault(name, ' in .env')),
    ...Object.keys(environment)
      .filter(isStrange)
      .filter(resembles)
      .map(name => fault(name, '')),
  ]
}
