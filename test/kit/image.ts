// Runs the stages of the Dockerfile in folders, without an engine. A base image is an empty folder; its programs, node
// and npm, are those of this machine.
import { execFile } from 'node:child_process'
import { cp, link, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const repository = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)

type Stage = { root: string; workdir: string; env: Record<string, string>; user: string | null }
export type Image = Stage & { entrypoint: string[]; command: string[]; health: string[] }

type Instruction = { name: string; flags: Record<string, string>; rest: string }

export function instructionsOf(text: string): Instruction[] {
  const lines = text
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter(line => line.trim() !== '')
  return lines.map(line => {
    const [, name = '', flags = '', rest = ''] = /^(\w+)((?: +--[a-z-]+=\S+)*) +(.*)$/.exec(line.trim()) ?? []
    const pairs = flags.split(' ').flatMap(flag => (flag === '' ? [] : [flag.replace(/^--/, '').split(/=(.*)/)]))
    return { name, rest: rest.trim(), flags: Object.fromEntries(pairs) }
  })
}

/** Tells by .dockerignore whether a path of the repository is in the context: the last line that matches decides. */
export function contextOf(ignore: string): (path: string) => boolean {
  const rules = ignore.split('\n').filter(line => line !== '' && !line.startsWith('#'))
  return path =>
    rules.reduce((isIn, rule) => {
      const pattern = rule.replace(/^!/, '')
      const isMeant = pattern === '*' || path === pattern || path.startsWith(`${pattern}/`)
      return isMeant ? rule.startsWith('!') : isIn
    }, true)
}

/** Builds the image in the folder. `instead` may carry out a command of RUN in another way, and then returns true. */
export async function buildImage(
  folder: string,
  instead: (command: string, workdir: string) => Promise<boolean>,
): Promise<Image> {
  const isInContext = contextOf(await readFile(join(repository, '.dockerignore'), 'utf8'))
  const stages = new Map<string, Stage>()
  let stage: Stage | null = null
  const words: Record<string, string> = {}
  for (const { name, flags, rest } of instructionsOf(await readFile(join(repository, 'Dockerfile'), 'utf8'))) {
    if (name === 'FROM') {
      const [base = '', , as = base] = rest.split(/ +/)
      const parent = stages.get(base)
      stage = { root: join(folder, as), workdir: parent?.workdir ?? '/', env: { ...parent?.env }, user: null }
      await mkdir(stage.root, { recursive: true })
      if (parent) await run('cp', ['-a', `${parent.root}/.`, stage.root])
      if (base.startsWith('node:')) await putNode(stage.root)
      stages.set(as, stage)
      continue
    }
    if (stage === null) continue
    const inStage = (path: string) => join(stage?.root ?? '', resolve(stage?.workdir ?? '/', path))
    if (name === 'WORKDIR') {
      stage.workdir = rest
      await mkdir(inStage('.'), { recursive: true })
    } else if (name === 'COPY') {
      const paths = rest.split(/ +/)
      const target = paths.pop() ?? ''
      const from = flags.from === undefined ? null : (stages.get(flags.from)?.root ?? '')
      for (const path of paths) {
        const source = from === null ? join(repository, path) : join(from, path)
        const isFolder = (await stat(source)).isDirectory()
        const to = isFolder || !/\/$|^\.$/.test(target) ? inStage(target) : join(inStage(target), basename(path))
        await mkdir(isFolder ? to : dirname(to), { recursive: true })
        await cp(source, to, {
          recursive: true,
          verbatimSymlinks: true,
          filter: async file => from !== null || (await isCopied(file)),
        })
      }
    } else if (name === 'RUN') {
      if (!(await instead(rest, inStage('.')))) await run('sh', ['-c', rest], { cwd: inStage('.') })
    } else if (name === 'ENV') {
      Object.assign(stage.env, Object.fromEntries(rest.split(/ +/).map(pair => pair.split(/=(.*)/))))
    } else if (name === 'USER') stage.user = rest
    else words[name] = rest
  }
  if (stage === null) throw new Error('the Dockerfile has no stage')
  const { ENTRYPOINT = '[]', CMD = '[]', HEALTHCHECK = '[]' } = words
  return {
    ...stage,
    entrypoint: JSON.parse(ENTRYPOINT),
    command: JSON.parse(CMD),
    health: JSON.parse(/\[.*\]/.exec(HEALTHCHECK)?.[0] ?? '[]'),
  }

  /** A folder is walked through if anything below it may be part of the context. */
  async function isCopied(file: string): Promise<boolean> {
    const path = relative(repository, file)
    if (path === '' || isInContext(path)) return true
    return (await stat(file)).isDirectory() && [...opened].some(one => one.startsWith(`${path}/`))
  }
}

const opened = new Set(
  (await readFile(join(repository, '.dockerignore'), 'utf8'))
    .split('\n')
    .flatMap(line => (line.startsWith('!') ? [line.slice(1)] : [])),
)

async function putNode(root: string): Promise<void> {
  const target = join(root, 'usr/local/bin/node')
  await mkdir(dirname(target), { recursive: true })
  await link(process.execPath, target).catch(() => cp(process.execPath, target))
}

/** The bytes of all files below the folder. */
export async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const sizes = entries.map(async entry => (entry.isFile() ? (await stat(join(entry.parentPath, entry.name))).size : 0))
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
