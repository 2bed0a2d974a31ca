// The program of the package: `quittance verify` alone.
import { run } from '../../src/cli/verify.ts'
import packageJson from './package.json' with { type: 'json' }

const args = process.argv.slice(2)
if (args.includes('--version')) console.log(packageJson.version)
else process.exitCode = await run(args, 'quittance-verify')
