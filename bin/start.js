// Runs a TypeScript file of this repository, by default the service, on a Node that can: `node bin/start.js [file …]`.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isNewEnough, startAgain } from './node.js'

if (isNewEnough) await import(pathToFileURL(resolve(process.argv[2] ?? 'src/main.ts')).href)
else startAgain()
