// Finds unused files, exports and dependencies; with --production, what only tests use.
const main = {
  entry: [
    'bin/*.js!',
    'src/cli/*.ts!',
    'bench/*.ts!',
    'test/mutants/run.ts',
    'test/kit/interrupted/*.ts',
    // Sent or copied as files.
    'src/web/*.js!',
    'src/client/*.ts!',
    'src/modules/agents/template/agent.ts!',
    // Run by package.json's scripts and by hand.
    '*.ts!',
    'src/main.ts!',
    'demo/*.ts!',
    'rest/examples/write.ts!',
    'contracts/compile.ts!',
  ],
  project: ['**/*.{ts,js,mjs}!', '!test/**!', '!sdk/typescript/**'],
}

export default {
  ignoreExportsUsedInFile: process.argv.includes('--production'),
  workspaces: {
    '.': main,
    'sdk/typescript': { entry: ['src/index.ts!', 'src/paid-fetch.ts!'], project: ['src/**!'] },
    'test/clients': { entry: ['*.ts', 'programs/*.ts'] },
  },
}
