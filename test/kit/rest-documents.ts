// REST documents for tests: written to a directory of their own, beside the directives of this project.
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GraphQLSchema } from 'graphql'
import { generateRest, RestErrors } from '../../src/rest/codegen/generate.ts'
import type { Route } from '../../src/rest/route.ts'

type Generated = { routes: Route[]; openapi: Record<string, unknown> }

function inDirectory<Result>(documents: Record<string, string>, work: (directory: string) => Result): Result {
  const directory = mkdtempSync(join(tmpdir(), 'rest-'))
  try {
    copyFileSync(new URL('../../rest/directives.graphql', import.meta.url), join(directory, 'directives.graphql'))
    for (const [name, text] of Object.entries(documents)) writeFileSync(join(directory, `${name}.graphql`), text)
    return work(directory)
  } finally {
    rmSync(directory, { recursive: true })
  }
}

const info = { title: 'Test', version: '1.2.3' }

export function generated(schema: GraphQLSchema, documents: Record<string, string>): Generated {
  return inDirectory(documents, directory => {
    const { files } = generateRest({ schema, directory, info })
    const file = (name: string) => files.get(join(directory, name)) ?? ''
    return {
      routes: routesIn(file('generated/routes.ts')),
      openapi: JSON.parse(file('openapi.json')),
    }
  })
}

/** The generated table is a module whose content is an expression of plain values. */
function routesIn(module: string): Route[] {
  const table = module.slice(module.indexOf('= [') + 2)
  return new Function(`return ${table}`)()
}

/** Returns each mistake as `file:line:column problem`, without the directory. */
export function mistakes(schema: GraphQLSchema, documents: Record<string, string>): string[] {
  return inDirectory(documents, directory => {
    try {
      generateRest({ schema, directory, info })
      return []
    } catch (error) {
      if (!(error instanceof RestErrors)) throw error
      return error.errors.map(({ message }) => message.replace(`${directory}/`, ''))
    }
  })
}
