// Finds the value of each setting, and where it was given: in the environment, in `.env`, or in a file that one of them
// names. `ANCHOR_PRIVATE_KEY_FILE` is the path of a file with the value of `ANCHOR_PRIVATE_KEY`.
import { isUtf8 } from 'node:buffer'
import { readFileSync, statSync } from 'node:fs'
import { withoutMark } from '../core/text.ts'

/** `file`: the path of the file that contains the value; null: the variable contains it. */
export type Given = { value: string; source: 'environment' | '.env'; file: string | null }

const mostBytes = 65_536

export const fileForm = (name: string): string => `${name}_FILE`

/**
 * Returns the settings that have a value; an empty one has none. The environment overrides `.env`, whichever of the two
 * forms each uses. `unread`: a fault for each setting of `secrets` whose file cannot be used.
 */
export function givenIn(
  environment: NodeJS.ProcessEnv,
  dotEnv: NodeJS.ProcessEnv,
  secrets: readonly string[],
): { given: Map<string, Given>; unread: Map<string, string> } {
  const given = new Map<string, Given>()
  for (const [source, variables] of [
    ['.env', withoutOverridden(dotEnv, environment, secrets)],
    ['environment', environment],
  ] as const) {
    for (const [name, value] of Object.entries(variables)) {
      given.delete(name)
      if (value) given.set(name, { value, source, file: null })
    }
  }
  const unread = new Map<string, string>()
  for (const name of secrets) {
    const named = given.get(fileForm(name))
    if (named === undefined) continue
    given.delete(fileForm(name))
    try {
      if (given.has(name)) throw new FileFault('is given beside the setting itself: give one of them')
      given.set(name, { ...named, value: contentOf(named.value), file: named.value })
    } catch (error) {
      if (!(error instanceof FileFault)) throw error
      unread.set(name, `${fileForm(name)} ${error.message}`)
    }
  }
  return { given, unread }
}

function withoutOverridden(dotEnv: NodeJS.ProcessEnv, environment: NodeJS.ProcessEnv, secrets: readonly string[]) {
  const overridden = secrets
    .map(name => [name, fileForm(name)])
    .filter(forms => forms.some(form => Object.hasOwn(environment, form)))
    .flat()
  return Object.fromEntries(Object.entries(dotEnv).filter(([name]) => !overridden.includes(name)))
}

/** The message names the path, and nothing of the content. */
class FileFault extends Error {}

/** The one line of the file, which may end with a line break. */
function contentOf(path: string): string {
  const line = textOf(path).replace(/\r?\n$/, '')
  if (line.trim() === '') throw new FileFault(`names ${path}, which is empty`)
  // A second line is a second secret, or one that a tool has wrapped: both would be taken for a part of the first.
  if (/\p{Cc}/u.test(line)) throw new FileFault(`names ${path}, which has more than one line, or a control character`)
  if (line.trim() !== line) throw new FileFault(`names ${path}, which begins or ends with a space`)
  return line
}

function textOf(path: string): string {
  try {
    // Before it is opened: a pipe without a writer would stop the start.
    const stat = statSync(path)
    if (!stat.isFile()) throw new FileFault(`names ${path}, which is no file`)
    if (stat.size > mostBytes) throw new FileFault(`names ${path}, which has more than ${mostBytes} bytes`)
    const bytes = readFileSync(path)
    if (!isUtf8(bytes)) throw new FileFault(`names ${path}, which is not UTF-8`)
    return withoutMark(bytes.toString('utf8'))
  } catch (error) {
    if (error instanceof FileFault || !(error instanceof Error && 'code' in error)) throw error
    throw new FileFault(`names ${path}, which cannot be read (${error.code})`)
  }
}
