// Makes the captured values the same in every run: ids, hashes, keys, times and the address of the service.
import { createHash } from 'node:crypto'

const exampleBase = 'https://quittance.example'
const exampleHost = new URL(exampleBase).host
/** Not a valid key, neither to a reader nor to a scanner for leaked keys. */
const exampleKey = 'qtk_EXAMPLE_SHOWN_ONLY_ONCE'
const exampleNumber = '168234098714880'
/** The day on which every run appears to take place. */
const day = '2026-01-15'

/** Members that happen later than the others, with the time of day that they show. */
const later: Record<string, string> = {
  anchored_at: '09:30:04',
  anchoredAt: '09:30:04',
  settled_at: '09:31:02',
  updated_at: '09:32:00',
  checked_at: '09:30:01',
  last_used_at: '09:33:00',
  revoked_at: '09:40:00',
}
/** Members that differ from run to run and cannot be recognised by their form. */
const unstable: Record<string, unknown> = {
  key_id: '6b1f0c4e9a27d385'.repeat(4),
  public_key_pem: `-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA${'Example/'.repeat(5)}key=\n-----END PUBLIC KEY-----\n`,
  block_number: 24,
  validAfter: '1768468800',
  validBefore: '1768469520',
}

const parts = RegExp(
  [
    'qtk_[\\w-]{51}',
    '0x[0-9a-f]{130}(?![0-9a-f])',
    '0x[0-9a-f]{64}(?![0-9a-f])',
    '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
    '(?<![0-9a-z])[0-9a-f]{32}(?![0-9a-f])',
    'bafkrei[a-z2-7]{52}',
    '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:Z|\\+00:00)',
    '(?<!\\d)\\d{4}-\\d\\d-\\d\\d(?!\\d)',
    // The number of an event or an audit row.
    '(?<![\\d.])[1-9]\\d{13,16}(?![\\d.])',
  ].join('|'),
  'g',
)

const digest = (text: string) => createHash('sha256').update(text).digest('hex')

const uuidOf = (hex: string) =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`

const dayMs = 86_400_000
const dashed = (hex: string) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

/** A day near today keeps its distance from the example day; other days were chosen by the examples and stay. */
function dayOf(text: string): string {
  const distance = Math.round((Date.parse(text) - Date.parse(new Date().toISOString().slice(0, 10))) / dayMs)
  return Math.abs(distance) > 40 ? text : new Date(Date.parse(day) + distance * dayMs).toISOString().slice(0, 10)
}

const momentOf = (text: string, member: string) =>
  Math.abs(Date.parse(text) - Date.now()) > dayMs ? text : `${day}T${later[member] ?? '09:30:00'}.000Z`

export type Stable = ReturnType<typeof stableValues>

/** `base`: the address of the running service. */
export function stableValues(base: string) {
  const { host } = new URL(base)
  /** The same value has the same stable name wherever it occurs, derived from the place where it occurred first. */
  const names = new Map<string, string>()
  /** Whole texts and parts of texts as they were in this run. */
  const originals = new Map<string, string>([
    [exampleBase, base],
    [exampleHost, host],
  ])

  function named(part: string, place: string): string {
    const known = names.get(part)
    if (known !== undefined) return known
    const hex = digest(place)
    const name = part.startsWith('bafkrei')
      ? `bafkrei${[...hex.slice(0, 52)].map(sign => 'abcdefghijklmnop'[Number.parseInt(sign, 16)]).join('')}`
      : part.length === 132
        ? `0x${hex}${digest(hex)}1b`
        : part.startsWith('0x')
          ? `0x${hex}`
          : uuidOf(hex)
    names.set(part, name)
    originals.set(name, part)
    return name
  }

  function part(found: string, place: string, member: string): string {
    if (found.startsWith('qtk_')) return exampleKey
    if (found.includes('T')) return momentOf(found, member)
    if (/^\d{4}-\d\d-\d\d$/.test(found)) return dayOf(found)
    if (/^\d+$/.test(found)) return exampleNumber
    // An id without dashes gets the name of the id with dashes.
    if (/^[0-9a-f]{32}$/.test(found)) return named(dashed(found), place).replaceAll('-', '')
    return named(found, place)
  }

  function text(value: string, place: string): string {
    const member = place.slice(place.lastIndexOf('.') + 1)
    let count = 0
    const stable = value
      .replaceAll(base, exampleBase)
      .replaceAll(host, exampleHost)
      .replace(parts, found => part(found, `${place}#${count++}`, member))
    if (stable !== value) originals.set(stable, value)
    return stable
  }

  /** `place`: the source of the name of a value that occurs for the first time. */
  function of(value: unknown, place: string): unknown {
    if (typeof value === 'string') return text(value, place)
    if (Array.isArray(value)) return value.map((item, index) => of(item, `${place}.${index}`))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, member]) => {
        // Left out, because document checkers take its `example` beside a `type` for a schema, and because it is long.
        if (key === 'bazaar') return []
        if (key === 'secret' && typeof member === 'string') return [[key, digest(place).slice(0, member.length)]]
        const fixed = member === null ? undefined : unstable[key]
        if (typeof fixed === 'string' && typeof member === 'string') originals.set(fixed, member)
        return [[key, fixed ?? of(member, `${place}.${key}`)]]
      }),
    )
  }

  /** The value that this run had where an example has `value`. */
  function original(value: unknown): unknown {
    if (typeof value === 'string')
      return originals.get(value) ?? [...originals].reduce((all, [name, was]) => all.replaceAll(name, was), value)
    if (Array.isArray(value)) return value.map(original)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, original(member)]))
  }

  return {
    of,
    original,
    /** Registers a stable text that replaces another as a whole, such as a header that is JSON in base64. */
    whole(value: string, stable: string): string {
      originals.set(stable, value)
      return stable
    },
  }
}
