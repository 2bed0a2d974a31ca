// The PostgreSQL of the run, by a role whose sessions have the settings of other places.
import type { TestProject } from 'vitest/node'
import setup from './global-setup.ts'
import { asHostile, hostile } from './hostile-role.ts'

export default async function abroad(project: TestProject) {
  const end = await setup(project)
  const { postgresUrl } = project.getProvidedContext()
  project.provide('postgresUrl', await asHostile(postgresUrl, hostile['Lord Howe']))
  return end
}
