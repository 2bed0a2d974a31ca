// Third-party readers as programs: each reads a folder of messages and reports what it read of each.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { available, javaPackages, phpPackages, pythonPackages } from './install.ts'
import { run } from './run.ts'

const kit = (name: string): string => new URL(name, import.meta.url).pathname

/** By message name: what the reader read, and possibly the message as it writes it again; or its error. */
export type Readings = Map<string, { read?: unknown; written?: string | undefined; error?: string | undefined }>

export const lightPins = [
  'camt053==0.0.23',
  'defusedxml==0.7.1',
  'elementpath==5.1.4',
  'jinja2==3.1.6',
  'lxml==6.1.1',
  'markupsafe==3.0.3',
  'odoo-addon-account-statement-import-camt==19.0.1.0.0.8',
  'pycamt==1.1.1',
  'xmlschema==4.3.2',
]
export const pandasPins = [
  'annotated-types==0.8.0',
  'bankstatementparser==0.0.29',
  'defusedxml==0.7.1',
  'lxml==6.1.1',
  'numpy==2.4.6',
  'pandas==2.3.3',
  'pydantic==2.14.3',
  'pydantic_core==2.50.4',
  'python-dateutil==4.0.0',
  'pytz==2026.6',
  'typing-inspection==0.4.5',
  'typing_extensions==4.16.0',
  'tzdata==2026.6',
]
const phpPins = ['genkgo/camt:2.10.2', 'moneyphp/money:4.9.0']
// Both libraries in Java need these: JAXB, and Gson for what is printed.
const commonJars = {
  'com/google/code/gson/gson/2.14.0/gson-2.14.0.jar':
    '2cbd119bf1961c28788310963dc80ba65f58cdeec1dd139c8bdb1240faa2c36f',
  'com/sun/xml/bind/jaxb-impl/4.0.6/jaxb-impl-4.0.6.jar':
    '6316f34f83dae7f9ae525cf02ed14098a64ddb9c08f0ef18eac668479a3c1e93',
  'com/sun/xml/bind/jaxb-core/4.0.6/jaxb-core-4.0.6.jar':
    '22b7e93e9e25cf1264fd436e0ffaa54bb05aa8b076acbee1a5325386cb8f80b8',
  'jakarta/xml/bind/jakarta.xml.bind-api/4.0.4/jakarta.xml.bind-api-4.0.4.jar':
    'c507ca69a8c6dd11bf4afeec9e0d412c4fa3933fffb0a84680ea5727e8472124',
  'jakarta/activation/jakarta.activation-api/2.1.4/jakarta.activation-api-2.1.4.jar':
    'c9db52100ce6c8aac95cc39075f95720d2e561b11f8051b81c121ad4effd7004',
  'org/eclipse/angus/angus-activation/2.0.3/angus-activation-2.0.3.jar':
    'a6bd35c538cf90fff941ad6258c40c08fca0b5c9c3f536c657114f27ce0527a7',
}
const prowideJars = {
  ...commonJars,
  'com/prowidesoftware/pw-iso20022/SRU2025-10.3.10/pw-iso20022-SRU2025-10.3.10.jar':
    '483a2a661a26602311c4fe84360eb6b35cb1dedea410fbf5bd14dbb442cf3a31',
  'com/prowidesoftware/pw-swift-core/SRU2025-10.3.18/pw-swift-core-SRU2025-10.3.18.jar':
    '84993fffae87f7da5db3cad439351072aa5d04fb59fe56515e08eae4b4523997',
  'org/apache/commons/commons-lang3/3.20.0/commons-lang3-3.20.0.jar':
    '69e5c9fa35da7a51a5fd2099dfe56a2d8d32cf233e2f6d770e796146440263f4',
}
const hbci4jJars = {
  ...commonJars,
  'com/github/hbci4j/hbci4j-core/4.1.7/hbci4j-core-4.1.7.jar':
    'ba61d064f8cfedfaa0f46e48f248162a852b722f97f6c8d260d2e18300218af0',
}

const line = z.object({
  file: z.string(),
  read: z.unknown().optional(),
  written: z.string().optional(),
  error: z.string().optional(),
})

const readings = (printed: string): Readings =>
  new Map(
    printed
      .trim()
      .split('\n')
      .map(text => line.parse(JSON.parse(text)))
      .map(({ file, ...reading }) => [file, reading]),
  )

// This limit only ends a process that hangs.
const limit = 300_000

export const python =
  (reader: string, pins: string[]) =>
  async (folder: string): Promise<Readings> =>
    readings(await run('python3', ['-W', 'ignore', kit('read.py'), reader, await pythonPackages(pins), folder], limit))

const java =
  (program: string, jars: Record<string, string>) =>
  async (folder: string): Promise<Readings> => {
    const classes = join(await javaPackages(jars), '*')
    // Without the second JIT compiler the JVM starts in half the time. Dates are printed in the zone of the machine.
    const options = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Duser.timezone=UTC', '-cp', classes]
    return readings(await run('java', [...options, kit(program), folder], limit))
  }

export const prowide = java('Prowide.java', prowideJars)

/** It has parsers for camt.052, pain.001 and pain.008. */
export const hbci4j = java('Hbci4j.java', hbci4jJars)

/** It has decoders for camt.052, camt.053 and camt.054, and validates against its own schemas first. */
export const genkgo = async (folder: string): Promise<Readings> =>
  readings(await run('php', [kit('read.php'), await phpPackages(phpPins), folder], limit))

/** Returns AqBanking's context files, in its own format. It has importers for camt.052 and camt.053. */
export async function aqbanking(folder: string): Promise<Readings> {
  // -D keeps the user's settings out; AqBanking still creates two empty folders in the user's home.
  const cli = (args: string[]) => run('aqbanking-cli', ['-D', folder, ...args], limit)
  await available(cli(['versions']))
  const contextOf = async (file: string) => {
    const profile = file.startsWith('camt.052') ? 'camt_052_001_02' : 'camt_053_001_04'
    const context = join(folder, `${file}.ctx`)
    await cli(['import', '--importer=xml', `--profile=${profile}`, '-f', join(folder, file), '-c', context])
    return readFileSync(context, 'utf8')
  }
  const files = readdirSync(folder).filter(file => /^camt.05[23].*\.xml$/.test(file))
  const read: Readings = new Map()
  // One after the other, because each creates the folder of settings if it is missing.
  for (const file of files) read.set(file.replace('.xml', ''), { read: await contextOf(file) })
  return read
}
