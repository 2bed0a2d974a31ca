// Bundles the program with all that it imports into one file, from the sources of the service. npm runs this before it
// packs the package.
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

await build({
  configFile: false,
  logLevel: 'warn',
  root: fileURLToPath(new URL('.', import.meta.url)),
  ssr: { noExternal: true },
  build: {
    ssr: 'verify.ts',
    target: 'node22',
    // Auditors may read it.
    minify: false,
    license: { fileName: 'licenses.md' },
    rolldownOptions: { output: { codeSplitting: false, banner: '#!/usr/bin/env node' } },
  },
})
