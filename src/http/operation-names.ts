// The names of operations that are labels: a caller must not be able to make ever more series.
import type { Finished } from './finished.ts'

const mostNames = 100
const mostOfProject = 20

/**
 * A name is kept once an operation with it was answered without an error: of a trusted document always, otherwise the
 * first 20 of a project, and 100 in all. Callers without credentials add none. Every other name is `other`.
 */
export function operationNames() {
  const kept = new Set<string>()
  const ofProjects = new Map<string, number>()
  let free = mostNames

  return {
    labelOf(name: string, { project, document }: Pick<Finished, 'project' | 'document'>, isFailed: boolean): string {
      if (kept.has(name)) return name
      if (isFailed) return 'other'
      if (document === null) {
        const own = ofProjects.get(project) ?? 0
        if (project === 'anonymous' || own >= mostOfProject || free === 0) return 'other'
        ofProjects.set(project, own + 1)
        free -= 1
      }
      kept.add(name)
      return name
    },
  }
}
