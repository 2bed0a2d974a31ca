// The files by which the service is deployed: they name settings and versions that exist, and linters accept them.
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }
import { secretSettings, variables } from '../../src/env.ts'
import { contextOf, instructionsOf } from '../kit/image.ts'

const repository = join(import.meta.dirname, '../..')
const text = (path: string) => readFileSync(join(repository, path), 'utf8')

const known = new Set([...Object.keys(variables.shape), ...secretSettings.map(name => `${name}_FILE`)])

/** Skips, with the reason in the name of the test, where the program is not installed. */
const withProgram = (program: string, args: string[] = ['--version']) => {
  const isThere = spawnSync(program, args).status === 0
  return (name: string, test: () => void) =>
    isThere ? it(name, test) : it.skip(`${name} (skipped: there is no ${program} here)`, test)
}

/** Returns what the program prints. */
function accepted(program: string, args: string[], cwd = repository): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  expect(status, stdout + stderr).toBe(0)
  return stdout + stderr
}

describe('the Dockerfile', () => {
  const instructions = instructionsOf(text('Dockerfile'))

  it('sets what is a setting', () => {
    const names = instructions
      .filter(({ name }) => name === 'ENV')
      .flatMap(({ rest }) => rest.split(' ').map(pair => pair.split('=')[0] ?? ''))
    expect(names.filter(name => !known.has(name))).toEqual(['npm_config_cache', 'HOME'])
  })

  it('has the Node of the packages', () => {
    const images = instructions.filter(({ name }) => name === 'FROM').map(({ rest }) => rest.split(' ')[0])
    expect(images[0]).toBe(`node:${packageJson.devDependencies.node}-bookworm-slim`)
  })

  it('gets no file that the stages do not copy, whatever lies in the folder', () => {
    const isIn = contextOf(text('.dockerignore'))
    const never = ['.env', '.git/config', '.data/signing-key.pem', 'signing-key.pem', 'dump.sql', 'test/kit/image.ts']
    expect(never.filter(isIn)).toEqual([])
    expect(['src/main.ts', 'package-lock.json', 'test/clients/package.json'].every(isIn)).toBe(true)
  })

  withProgram('hadolint')('is accepted by hadolint', () => {
    expect(accepted('hadolint', ['Dockerfile'])).toBe('')
  })
})

describe('the units of systemd', () => {
  const units = ['quittance-api@8000.service', 'quittance-worker@9464.service', 'quittance-migrate.service']
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'quittance-units-'))
    cpSync(join(repository, 'ops/systemd'), folder, { recursive: true })
    // It asks for the programs, too.
    for (const file of globSync(join(folder, '*.service')))
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll('/usr/bin/node', process.execPath))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('set what is a setting, and load each secret that they name', () => {
    for (const path of globSync('ops/systemd/**/*.{service,conf}', { cwd: repository })) {
      const lines = text(path).split('\n')
      const pairs = lines.flatMap(line => /^Environment=(.*)/.exec(line)?.[1]?.split(' ') ?? [])
      const loaded = lines.flatMap(line => /^LoadCredential=([^:]+):/.exec(line)?.[1] ?? [])
      expect(pairs.map(pair => pair.split('=')[0] ?? '').filter(name => !known.has(name))).toEqual([])
      expect(pairs.flatMap(pair => /=%d\/(.*)/.exec(pair)?.[1] ?? [])).toEqual(loaded)
    }
  })

  it('have the settings of the command line beside them', () => {
    const etc = join(folder, 'etc')
    const loaded = text('ops/systemd/quittance-.service.d/common.conf').matchAll(/^LoadCredential=([^:]+):/gm)
    const secrets = [...loaded].map(([, name]) => name ?? '')
    mkdirSync(join(etc, 'secrets'), { recursive: true })
    writeFileSync(join(etc, 'quittance.env'), 'PUBLIC_BASE_URL=https://evidence.example.com\n')
    // An editor leaves such files.
    for (const name of [...secrets, 'DATABASE_URL~']) writeFileSync(join(etc, 'secrets', name), '')
    const program = text('ops/quittance').replaceAll('/etc/quittance', etc).replace('exec /usr/bin/node', 'env; echo')
    const said = spawnSync('sh', ['-c', program, 'quittance', 'doctor'], { encoding: 'utf8' }).stdout.split('\n')
    const fileOf = (name: string) => (name === 'signing-key.pem' ? 'SIGNING_KEY_FILE' : `${name}_FILE`)
    expect(said).toEqual(
      expect.arrayContaining([
        'NODE_ENV=production',
        'PUBLIC_BASE_URL=https://evidence.example.com',
        ...secrets.map(name => `${fileOf(name)}=${join(etc, 'secrets', name)}`),
        '/opt/quittance/bin/quittance.js doctor',
      ]),
    )
  })

  withProgram('systemd-analyze')('are accepted by systemd, and shut the process in', () => {
    const paths = units.map(unit => `./${unit}`)
    expect(accepted('systemd-analyze', ['verify', '--man=no', ...paths], folder)).toBe('')
    for (const unit of paths) {
      const path = unit.replace(/@\d+/, '@')
      // The scale ends at 100; a unit without any of it has 96.
      accepted('systemd-analyze', ['security', '--offline=true', '--threshold=20', '--no-pager', path], folder)
    }
  })
})

describe('compose.yaml', () => {
  const { services } = parse(text('compose.yaml'), { merge: true })

  it('sets what is a setting, and names files that are there', () => {
    for (const name of ['migrate', 'api', 'worker', 'contract'])
      expect(Object.keys(services[name].environment).filter(setting => !known.has(setting))).toEqual([])
    const mounted = Object.values<{ volumes?: string[] }>(services)
      .flatMap(({ volumes = [] }) => volumes.map(volume => volume.split(':')[0] ?? ''))
      .filter(path => path.startsWith('./'))
    for (const path of mounted) expect(existsSync(join(repository, path)), path).toBe(true)
  })

  it('has a script that makes each secret that a service reads', () => {
    const script = text('ops/compose/secrets.sh')
    const read = JSON.stringify(services).matchAll(/\/run\/quittance\/([A-Z_]+|signing-key\.pem)"/g)
    for (const [, name] of read) expect(script).toContain(`make "$secrets/${name}"`)
  })

  it.runIf(process.getuid?.() === 0)('lets each container read its own secrets alone', () => {
    const folder = mkdtempSync(join(tmpdir(), 'quittance-secrets-'))
    for (const each of ['secrets', 'tls']) mkdirSync(join(folder, each))
    accepted('sh', ['ops/compose/secrets.sh', join(folder, 'secrets'), join(folder, 'tls')])
    /** Those that a user of its own group can read. */
    const readBy = (user: number) =>
      readdirSync(join(folder, 'secrets'))
        .filter(name => {
          const { uid, gid, mode } = statSync(join(folder, 'secrets', name))
          return (uid === user && mode & 0o400) || (gid === user && mode & 0o040) || mode & 0o004
        })
        .toSorted()
    const userOf = (name: string) => Number(services[name].user.split(':')[0])
    expect(readBy(userOf('migrate'))).toEqual(['DATABASE_URL', 'MIGRATION_DATABASE_URL'])
    expect(readBy(userOf('prometheus'))).toEqual(['METRICS_TOKEN'])
    const own = ['ADMIN_API_KEYS', 'ANCHOR_PRIVATE_KEY', 'DATABASE_URL', 'METRICS_TOKEN', 'SECRETS_KEY']
    expect(readBy(10_001)).toEqual([...own, 'WEBHOOK_SECRET', 'signing-key.pem'])
    rmSync(folder, { recursive: true })
  })

  it('has the anvil of the packages', () => {
    const file = text('ops/compose/anvil.Dockerfile')
    expect(file).toContain(`@foundry-rs/anvil@${packageJson.devDependencies['@foundry-rs/anvil']} `)
    expect(file).toContain(`FROM node:${packageJson.devDependencies.node}-`)
  })

  withProgram('docker-compose', ['version'])('is accepted by docker compose', () => {
    accepted('docker-compose', ['--profile', '*', 'config', '--quiet'])
  })

  withProgram('promtool')('has a file that Prometheus accepts', () => {
    accepted('promtool', ['check', 'config', '--syntax-only', 'ops/compose/prometheus.yml'])
  })

  withProgram('haproxy', ['-v'])('has a file that HAProxy accepts', () => {
    // Without the certificate, which the first start makes.
    const front = text('ops/haproxy/quittance.cfg').replace(/ssl crt \S+ alpn \S+/, '')
    const folder = mkdtempSync(join(tmpdir(), 'quittance-haproxy-'))
    writeFileSync(join(folder, 'front.cfg'), front)
    accepted('haproxy', ['-c', '-f', join(folder, 'front.cfg'), '-f', 'ops/compose/backend.cfg'])
    rmSync(folder, { recursive: true })
  })
})

describe('the Helm chart', () => {
  const chart = 'ops/helm/quittance'

  it('sets what is a setting, and has the version of the service', () => {
    const { settings, secrets } = parse(text(`${chart}/values.yaml`))
    const names = [...Object.keys(settings), ...secrets.keys.map((key: string) => `${key}_FILE`)]
    const written = [...text(`${chart}/templates/_helpers.tpl`).matchAll(/name: ([A-Z][A-Z_]+),/g)].map(
      ([, name]) => name,
    )
    expect([...names, ...written].filter(name => !known.has(name ?? ''))).toEqual([])
    expect(parse(text(`${chart}/Chart.yaml`))).toMatchObject({
      version: packageJson.version,
      appVersion: packageJson.version,
    })
  })

  it('gives its pods the job that the alerts ask for', () => {
    const [, label] = /^ {2}jobLabel: (.*)$/m.exec(text(`${chart}/templates/monitoring.yaml`)) ?? []
    const [, job] = new RegExp(`^${label}: (.*)$`, 'm').exec(text(`${chart}/templates/_helpers.tpl`)) ?? []
    const asked = text('ops/prometheus/quittance.rules.yml').matchAll(/[{,]job="([^"]*)"/g)
    expect(new Set(Array.from(asked, ([, name]) => name))).toEqual(new Set([job]))
  })

  const template = (...more: string[]) =>
    accepted('helm', ['template', 'shop', chart, '--kube-version', '1.31.0', ...more])

  withProgram('helm', ['version'])('is accepted by helm, and shuts each pod in', () => {
    for (const values of [[], ['--values', 'ops/helm/every-part.yaml']]) {
      accepted('helm', ['lint', '--strict', chart, ...values])
      const objects = parseAllDocuments(template(...values)).map(document => document.toJS())
      const pods = objects.flatMap(object => object?.spec?.template?.spec ?? [])
      expect(pods).toHaveLength(3)
      for (const { securityContext, containers } of pods) {
        expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
        for (const { securityContext: own } of containers)
          expect(own).toMatchObject({ readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } })
      }
    }
  })

  withProgram('helm', ['version'])('refuses values that it does not know', () => {
    const args = ['template', 'shop', chart, '--kube-version', '1.31.0']
    for (const wrong of ['api.replica=3', 'secrets.name=', 'settings.shutdown=3'])
      expect(spawnSync('helm', [...args, '--set', wrong], { cwd: repository }).status, wrong).not.toBe(0)
  })

  withProgram('kubernetes-validate')('has the fields that Kubernetes knows', () => {
    // Those of the operator of Prometheus are no types of Kubernetes.
    const isKnown = (object: string) => !/^apiVersion: monitoring/m.test(object)
    const objects = template('--values', 'ops/helm/every-part.yaml').split('\n---\n').filter(isKnown)
    const folder = mkdtempSync(join(tmpdir(), 'quittance-chart-'))
    const file = join(folder, 'chart.yaml')
    const isAccepted = (yaml: string) => {
      writeFileSync(file, yaml)
      return spawnSync('kubernetes-validate', ['-k', '1.31', '--strict', '--quiet', file]).status === 0
    }
    expect(isAccepted(objects.join('\n---\n'))).toBe(true)
    expect(isAccepted(objects.join('\n---\n').replace('periodSeconds', 'periodSecond'))).toBe(false)
    rmSync(folder, { recursive: true })
  })
})
