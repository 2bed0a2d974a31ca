// Finds names that are meant as settings and are none, because a setting with a typing mistake would silently have its default.
import { distance, nearest } from './core/nearest.ts'

const ours = /^(ANCHOR|COMPLIANCE|FX|X402)_/
// Kubernetes gives every process such names for each service it runs; one of them may be called "anchor".
const fromKubernetes = /_SERVICE_(HOST|PORT)(_|$)|_PORT(_\d+_(TCP|UDP|SCTP)(_|$)|$)/

/** Every unknown name in the file `.env`; of the environment, which is full of other programs' names, those near to ours. */
export function strangeNames(
  known: readonly string[],
  environment: NodeJS.ProcessEnv,
  file: NodeJS.ProcessEnv,
): string[] {
  const isMeant = (name: string): boolean => {
    if (ours.test(name)) return !fromKubernetes.test(name)
    const near = nearest(name, known)
    // At most one letter in four may differ, because HOME is not HOST. Where the near setting is given too, another program
    // means this name.
    return environment[near] === undefined && distance(name, near) <= Math.min(2, Math.floor(name.length / 4))
  }
  const isStrange = (name: string) => !known.includes(name)
  const fault = (name: string, place: string) => `${name}${place} is no setting: the nearest is ${nearest(name, known)}`
  return [
    ...Object.keys(file)
      .filter(isStrange)
      .map(name => fault(name, ' in .env')),
    ...Object.keys(environment)
      .filter(isStrange)
      .filter(isMeant)
      .map(name => fault(name, '')),
  ]
}
