// The GraphQL query that builds a client for the caller.
import { z } from 'zod'
import { invalid } from '../../core/errors.ts'
import { httpUrl, text } from '../../core/text.ts'
import { builder } from '../../kit/builder.ts'
import type { Context } from '../../kit/context.ts'
import { argumentsOf } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import { FileType } from '../artifacts/file-type.ts'
import { type BuildOptions, buildSdk, descriptionOf, isBuilt } from './build.ts'
import { alwaysIn, familiesOf } from './select.ts'

/** Normalises to origin and path in ASCII, without quotes, because the URL is written into source code. */
const baseUrl = httpUrl
  .refine(value => !URL.canParse(value) || isPlace(new URL(value)), {
    error: 'Must have no user, password, query or fragment.',
    params: { type: 'url_parsing' },
  })
  .transform(value => {
    const { origin, pathname } = new URL(value)
    return (origin + pathname.replace(/\/+$/, '')).replaceAll("'", '%27')
  })
  .meta({ graphql: 'URL', format: 'uri', maxLength: 2048 })

const isPlace = ({ username, password, search, hash }: URL) => username + password + search + hash === ''

const choices = z.strictObject({
  lang: z.enum(['ts', 'python']).meta({
    graphql: 'SdkLanguage',
    description:
      'TS: ES modules and CommonJS with types, for Node 20.3 and later and for browsers. PYTHON: Python 3.11 and later. Neither needs any other package.',
    values: {
      ts: 'ES modules and CommonJS with types, for Node 20.3 and later and for browsers.',
      python: 'Python 3.11 and later.',
    },
  }),
  baseUrl: baseUrl
    .nullish()
    .describe('Default base URL of the client, http or https; this service’s own unless given.'),
  auth: z
    .enum(['api_key', 'none'])
    .meta({
      graphql: 'SdkAuth',
      description: 'How a client authenticates.',
      values: { api_key: 'With an API key: every operation.', none: 'Not at all: only operations that need no key.' },
    })
    .nullish()
    .describe('Authentication: API_KEY (all operations) unless given, or NONE (only operations that need no key).'),
  packaging: z
    .enum(['package', 'sources', 'npm', 'pypi', 'none'])
    .meta({
      graphql: 'SdkPackaging',
      description: 'The form of a client.',
      values: {
        package: 'For npm install or pip install.',
        sources: 'Files to copy into a program.',
        npm: 'For npm install; for another language, files to copy.',
        pypi: 'For pip install; for another language, files to copy.',
        none: 'Files to copy into a program.',
      },
    })
    .nullish()
    .describe(
      'PACKAGE (for npm install or pip install) unless given, or SOURCES (files to copy into a program). NPM, PYPI and NONE are the words of earlier clients.',
    ),
  families: z
    .array(text(64))
    .max(50)
    .nullish()
    .describe(
      `Only operations of these sections (tags) of the OpenAPI document, and those of \`${alwaysIn}\`, which are always included; all unless given.`,
    ),
  includeX402: z
    .boolean()
    .nullish()
    .meta({ graphql: 'Boolean' })
    .describe('Whether the client includes paid operations, and for ts the fetch that pays; true unless given.'),
})

const registries: Readonly<Record<string, string>> = { npm: 'ts', pypi: 'python' }

/** A package of another language's registry would be of no use. */
const formOf = (lang: string, packaging: string) =>
  packaging === 'package' || registries[packaging] === lang ? 'package' : 'sources'

/** Returns the sections once each, in the document's order. Throws `validation_failed` for an unknown section. */
function familiesIn(requested: readonly string[], app: Context): string[] {
  const all = familiesOf(descriptionOf(app))
  const issues = requested.flatMap((family, index) =>
    all.includes(family)
      ? []
      : [{ path: ['families', index], message: `Must be one of ${all.join(', ')}.`, type: 'enum' }],
  )
  if (issues.length > 0) throw invalid(issues)
  return all.filter(family => requested.includes(family))
}

builder.queryField('sdk', t =>
  t.field({
    type: FileType,
    description:
      'A client of the REST API as a ZIP, generated from the OpenAPI document for a base URL. The same choices return the same bytes. The client contains no key.',
    args: argumentsOf(choices),
    access: 'public',
    input: choices,
    errors: ['validation_failed'],
    extensions: { cost: 100 },
    resolve: (_, args, context) => {
      const { lang, baseUrl, auth, packaging, families, includeX402 } = parse(choices, args)
      const options: BuildOptions = {
        lang,
        baseUrl: baseUrl ?? context.publicBaseUrl,
        auth: auth ?? 'api_key',
        packaging: formOf(lang, packaging ?? 'package'),
        families: families ? familiesIn(families, context) : null,
        includeX402: includeX402 ?? true,
      }
      const build = () => buildSdk(context, options)
      return isBuilt(context, options) ? build() : context.allowance.inTurn(build)
    },
  }),
)
