// Runs Prisma's schema engine as WebAssembly, because its binary cannot be downloaded everywhere: returns the
// difference between a database and the models as SQL; empty when they agree.
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils'

// The engine requests PostgreSQL's type "char", which the catalogs use, and the adapter does not know that type.
const charOid = 18
const bpcharOid = 1042

type Field = { dataTypeID: number }
type Client = { query(...args: unknown[]): Promise<{ fields?: Field[] }> }
type Connection = { client: Client; queryRaw(query: unknown): Promise<{ columnTypes: number[] }> }

class CatalogAdapter extends PrismaPg {
  override async connect() {
    const connection = await super.connect()
    knowChar(connection as unknown as Connection)
    return connection
  }
}

function knowChar(connection: Connection): void {
  const { client } = connection
  const query = client.query.bind(client)
  const queryRaw = connection.queryRaw.bind(connection)
  let chars: number[] = []
  client.query = async (...args) => {
    const result = await query(...args)
    chars = []
    result?.fields?.forEach((field, index) => {
      if (field.dataTypeID !== charOid) return
      field.dataTypeID = bpcharOid
      chars.push(index)
    })
    return result
  }
  connection.queryRaw = async asked => {
    const result = await queryRaw(asked)
    for (const index of chars) result.columnTypes[index] = ColumnTypeEnum.Character
    return result
  }
}

export async function differences(databaseUrl: string): Promise<string> {
  const folder = dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm'))
  const bindings = await import(join(folder, 'schema_engine_bg.js'))
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: { set_message: (message: string) => console.error(message) },
  })
  const module = new WebAssembly.Module(readFileSync(join(folder, 'schema_engine_bg.wasm')))
  const instance = new WebAssembly.Instance(module, { './schema_engine_bg.js': bindings })
  bindings.__wbg_set_wasm(instance.exports)
  const start = instance.exports.__wbindgen_start
  if (typeof start === 'function') start()
  const files = ['schema.prisma', ...readdirSync('prisma/models').map(name => `models/${name}`)].map(path => ({
    path: `prisma/${path}`,
    content: readFileSync(`prisma/${path}`, 'utf8'),
  }))
  const adapter = bindMigrationAwareSqlAdapterFactory(new CatalogAdapter({ connectionString: databaseUrl }))
  const datamodels = files.map(({ path, content }) => [path, content])
  const engine = await bindings.SchemaEngine.new({ datamodels }, () => {}, adapter)
  const { stdout } = await engine.diff({
    from: { tag: 'schemaDatasource', files, configDir: process.cwd() },
    to: { tag: 'schemaDatamodel', files },
    script: true,
    exitCode: true,
    filters: { externalTables: [], externalEnums: [] },
  })
  engine.free()
  return stdout
}
