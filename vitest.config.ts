// One run for all tests. The folder of a test decides its project: unit tests start neither a database nor a chain,
// database and chain tests one of them, and the tests in all other folders a whole service. A real PostgreSQL is
// started once for the run, and each file clones its own database from a template.
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const hasFullSize = (file: string) => readFileSync(file, 'utf8').includes('/kit/size.ts')

const all = globSync('test/**/*.test.ts', { exclude: ['**/node_modules/**'] })

const postgres = ['test/kit/global-setup.ts']
const globalSetups = { unit: [], chain: [], database: postgres, 'end-to-end': postgres }

// Tests of what depends on times run in `npm run test:full` once more, with a database and a process of another place.
const dependOnTime =
  /^test\/(http|e2e)\/[^/]*(session|sign-?in|keys|statement|verif|reproof|reprove|pipeline|confirm|stats|groups|exports)[^/]*$/
const abroad = {
  extends: true as const,
  test: {
    name: 'abroad',
    include: all.filter(file => dependOnTime.test(file)),
    globalSetup: ['test/kit/abroad.ts'],
    env: { FULL: '', TZ: 'Australia/Lord_Howe' },
  },
}

const projectOf = (file: string) =>
  Object.keys(globalSetups).find(name => file.startsWith(`test/${name}/`)) ?? 'end-to-end'

/** `--mode full` is `npm run test:full`: only the files that have a full size, at that size. */
export default defineConfig(({ mode }) => {
  const files = mode === 'full' ? all.filter(hasFullSize) : all
  return {
    test: {
      projects: [
        ...Object.entries(globalSetups).map(([name, globalSetup]) => ({
          extends: true as const,
          test: { name, include: files.filter(file => projectOf(file) === name), globalSetup },
        })),
        ...(mode === 'full' ? [abroad] : []),
      ],
      ...(mode === 'full' && { env: { FULL: '1' } }),
      // These only end tests that hang: beside other work a test can take more than ten times as long as alone.
      testTimeout: 180_000,
      hookTimeout: 240_000,
      // Beside other workers, work of a tenth of a second can take seconds.
      expect: { poll: { timeout: 60_000, interval: 50 } },
      // Several workers for each core of a small machine, because tests wait about as much as they compute. At full
      // size they compute more.
      maxWorkers: mode === 'full' ? 3 : 5,
      // Files of one worker share the modules, because loading them for each file is a quarter of the work of all
      // tests.
      isolate: false,
      reporters: ['default', './test/kit/closing-line.ts'],
    },
    // One copy of graphql, because two copies in one process refuse each other's objects.
    resolve: { alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql')) }] },
  }
})
