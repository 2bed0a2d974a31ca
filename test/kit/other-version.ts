// Another version of the program beside this one: a copy with its own number and further migrations.
import { cp, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const parts = ['migration.ts', 'bin', 'contracts', 'prisma', 'rest', 'sdk', 'src', 'test/kit/schema-engine.ts']

export type OtherVersion = {
  folder: string
  main: string
  bin: string
  migrator: typeof import('../../src/adapters/migrate.ts')
}

/** `migrations`: the SQL of each by its name. The caller removes the folder. */
export async function otherVersion(version: string, migrations: Record<string, string> = {}): Promise<OtherVersion> {
  const folder = await mkdtemp(join(tmpdir(), `quittance-${version}-`))
  for (const part of parts) await cp(join(root, part), join(folder, part), { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const own = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...own, version }))
  for (const [name, sql] of Object.entries(migrations)) {
    await mkdir(join(folder, 'prisma/migrations', name))
    await writeFile(join(folder, 'prisma/migrations', name, 'migration.sql'), sql)
  }
  return {
    folder,
    main: join(folder, 'src/main.ts'),
    bin: join(folder, 'bin/quittance.js'),
    migrator: await import(join(folder, 'src/adapters/migrate.ts')),
  }
}
