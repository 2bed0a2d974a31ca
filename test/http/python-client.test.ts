// A client that openapi-python-client generates from the OpenAPI document, used on a service. Its Python packages come
// from the Python package index, in a folder of their own, and only with FETCH_PACKAGES=1.
import { spawnSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { clients, clientWorld, run } from '../kit/clients.ts'
import { mayFetch } from '../kit/readers/may-fetch.ts'

const generator = 'openapi-python-client==0.29.1'

const isFit = () =>
  spawnSync('python3', ['-c', 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))']).status === 0

it('openapi-python-client records, lists, verifies, downloads, reads the audit trail and both kinds of error', async ({
  skip,
}) => {
  if (!mayFetch) return skip('FETCH_PACKAGES=1 installs the Python packages it needs')
  if (!isFit()) return skip('there is no python3 of 3.11 or later with venv here')
  await using world = await clientWorld()
  const { folder } = world
  const bin = join(folder, 'venv', 'bin')
  expect(await run('python3', ['-m', 'venv', join(folder, 'venv')])).toMatchObject({ code: 0 })
  const installed = await run(join(bin, 'pip'), [
    'install',
    '--quiet',
    '--retries',
    '1',
    '--disable-pip-version-check',
    generator,
  ])
  if (installed.code !== 0) return skip(`the Python package index gave no ${generator} here`)
  const paths = ['--path', 'openapi.json', '--output-path', 'quittance', '--meta', 'none', '--fail-on-warning']
  const path = `${bin}:${process.env.PATH}`
  const made = await run(join(bin, 'openapi-python-client'), ['generate', ...paths], { PATH: path }, folder)
  expect(made).toMatchObject({ code: 0, stderr: '' })
  copyFileSync(join(clients, 'programs', 'openapi_python_client.py'), join(folder, 'use.py'))
  await world.expectAll(join(bin, 'python'), ['use.py'])
}, 600_000)
