// Measures nested documents: the service, PostGraphile 5 and one hand-written statement over the same database, before
// and after statistics are gathered. Names of documents as arguments choose them; --seconds, --rounds and
// --state=analyzed shorten the run: `node bench/nested.ts dashboard --state=analyzed --rounds=3 --seconds=1`.
import { deepStrictEqual } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { compare, inBench, type Load, projectKey, ratioOf, report } from './kit.ts'
import { type Document, documents } from './nested/documents.ts'
import { analyze, seed } from './nested/seed.ts'
import type { DocumentName } from './nested/statements.ts'

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    /** `fresh`: before statistics are gathered; `analyzed`: afterwards. */
    state: { type: 'string', multiple: true, default: ['fresh', 'analyzed'] },
    receipts: { type: 'string', default: '5000' },
  },
})
const chosen = (positionals.length > 0 ? positionals : Object.keys(documents)) as DocumentName[]
const connections = 16
const projects = 10
const base = 'http://127.0.0.1'

type Subject = { key: string; project: string; receipt: string }

const json = { 'Content-Type': 'application/json' }
const post = (path: string, body: object, headers = {}) =>
  ({ method: 'POST', path, headers: { ...json, ...headers }, body: JSON.stringify(body) }) as const

/** Installs PostGraphile in its own folder. Returns whether it is there. */
function installed(): boolean {
  const folder = 'bench/postgraphile'
  if (existsSync(join(folder, 'node_modules'))) return true
  console.log(`installing PostGraphile in ${folder}`)
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) console.log('PostGraphile could not be installed: it is left out.')
  return status === 0
}

await inBench(async ({ serve, databaseUrl, folder }) => {
  const trusted = join(folder, 'documents.json')
  await writeFile(trusted, JSON.stringify(Object.fromEntries(chosen.map(name => [name, documents[name].query]))))
  const env = { PUBLIC_BASE_URL: base }
  const service = await serve('src/main.ts', { ...env, ROLES: 'api', GRAPHQL_DOCUMENTS_FILE: trusted })
  const keys: string[] = []
  for (let project = 0; project < projects; project++) keys.push(await projectKey(service.url))

  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  try {
    const { rows: made } = await database.query<{ id: string }>('select id from projects order by created_at, id')
    await seed(
      database,
      Number(flags.receipts),
      made.map(({ id }) => id),
    )
    const subjects: Subject[] = []
    for (const [index, { id: project }] of made.entries()) {
      const { rows } = await database.query<{ id: string }>(
        'select id from receipts where project_id = $1 order by created_at limit 5',
        [project],
      )
      for (const { id } of rows) subjects.push({ key: keys[index] ?? '', project, receipt: id })
    }

    const floor = await serve('bench/nested/floor.ts', env)
    const postgraphile = installed() ? await serve('bench/postgraphile/server.js', { NODE_ENV: 'production' }) : null

    const loadsOf = (name: DocumentName, { query, postgraphile: theirs, of }: Document) => {
      const load = (url: string, request: (subject: Subject) => ReturnType<typeof post>): Load => ({
        url,
        requests: subjects.map(request),
      })
      const variables = (subject: Subject) => (of === 'receipt' ? { id: subject.receipt } : {})
      const key = (subject: Subject) => ({ 'X-API-Key': subject.key })
      return {
        floor: load(floor.url, subject => post(`/${name}`, { id: subject[of] })),
        post: load(service.url, subject => post('/graphql', { query, variables: variables(subject) }, key(subject))),
        trusted: load(service.url, subject =>
          post('/graphql', { documentId: name, variables: variables(subject) }, key(subject)),
        ),
        ...(postgraphile && {
          postgraphile: load(postgraphile.url, subject =>
            post('/graphql', { query: theirs, variables: { id: subject[of] } }),
          ),
        }),
      }
    }

    for (const name of chosen) await checkAnswers(name, loadsOf(name, documents[name]))
    for (const state of flags.state) {
      if (state === 'analyzed') await analyze(database)
      console.log(state === 'analyzed' ? '\nafter ANALYZE' : '\nbefore statistics are gathered')
      for (const name of chosen) {
        const loads = loadsOf(name, documents[name])
        // Without PostGraphile its rates are missing too.
        const rates = await compare(loads as Required<typeof loads>, {
          connections,
          rounds: Number(flags.rounds),
          seconds: Number(flags.seconds),
        })
        console.log(`       ${documents[name].title}`)
        if (loads.postgraphile) report('POST /graphql', rates.post, rates.postgraphile, 1.5, 'PostGraphile')
        report('trusted document', rates.trusted, rates.floor, 0.85)
        const others = { 'POST /graphql': rates.post, ...(loads.postgraphile && { PostGraphile: rates.postgraphile }) }
        for (const [server, rate] of Object.entries(others))
          console.log(`       ${server}: ${ratioOf(rate, rates.floor).toFixed(2)} of the floor`)
      }
    }
  } finally {
    await database.end()
  }
})

/** Throws unless the service and the floor return the same data. */
async function checkAnswers(name: string, loads: Partial<Record<string, Load>>): Promise<void> {
  const answers: Record<string, unknown> = {}
  for (const [server, load] of Object.entries(loads)) {
    const { path = '', ...init } = load?.requests?.[0] ?? {}
    const response = await fetch(`${load?.url}${path}`, init as RequestInit)
    const text = await response.text()
    answers[server] = JSON.parse(text).data
    console.log(`${name} from ${server}: ${text.length} characters`)
    if (!response.ok || /"errors"/.test(text)) throw new Error(`${name} from ${server}: ${text.slice(0, 2_000)}`)
  }
  for (const server of ['post', 'trusted']) {
    deepStrictEqual(answers[server], answers.floor)
  }
}
