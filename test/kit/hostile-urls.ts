// URLs that an untrusted client may name to reach a private address: every form of such an address, and names that
// resolve to it.
import type { LookupAddress, LookupAllOptions } from 'node:dns'
import { isIP } from 'node:net'

type Answer = (error: Error | null, addresses: LookupAddress[]) => void

/**
 * Public by every address registry but allocated to no network, so a packet to it gets no further than the next router.
 */
export const publicAddress = '2d00::1'
const alsoPublic = '2d00::2'

/** The resolver's answers for each name, one per query; the last answer is repeated. */
const answers: Record<string, string[][]> = {
  'loopback.test': [['127.0.0.1']],
  'loopback-six.test': [['::1']],
  'any.localhost': [['127.0.0.1']],
  'localhost.localdomain': [['127.0.0.1', '::1']],
  'private-ten.test': [['10.0.0.1']],
  'private-172.test': [['172.16.0.1']],
  'private-192.test': [['192.168.0.1']],
  'metadata.test': [['169.254.169.254']],
  'carrier.test': [['100.64.0.1']],
  'this-host.test': [['0.0.0.0']],
  'mapped.test': [['::ffff:127.0.0.1']],
  'mapped-metadata.test': [['::ffff:a9fe:a9fe']],
  'nat64.test': [['64:ff9b::7f00:1']],
  'six-to-four.test': [['2002:7f00:1::']],
  'unique-local.test': [['fd00:ec2::254']],
  'link-local.test': [['fe80::1']],
  'link-local-zone.test': [['fe80::1%lo']],
  'multicast.test': [['ff02::1']],
  'mixed.test': [[publicAddress, '127.0.0.1']],
  'mixed-first.test': [['127.0.0.1', publicAddress]],
  'mixed-families.test': [[publicAddress, '::1']],
  'mixed-last-of-many.test': [[...Array.from({ length: 50 }, () => publicAddress), '127.0.0.1']],
  'rebinding.test': [[publicAddress], ['127.0.0.1']],
  'rebinding-pair.test': [[publicAddress, alsoPublic], ['127.0.0.1']],
  'public.test': [[publicAddress]],
  'nowhere.test': [[]],
}

/** The names that were queried, in order, with repetitions. */
export const queriedNames: string[] = []

/** Clears `queriedNames`. */
export const forgetQueriedNames = () => void queriedNames.splice(0)

/**
 * Replaces `lookup` of node:dns: answers the names above, passes names of this host on, and reports ENOTFOUND for any
 * other, so that no test queries a real resolver. `silent.test` is never answered.
 */
export function standInFor(real: (name: string, options: LookupAllOptions, done: Answer) => void) {
  return (name: string, options: LookupAllOptions, done: Answer): void => {
    // A server also looks up the address on which it is to listen.
    if (isIP(name) !== 0) {
      real(name, options, done)
      return
    }
    const plain = name.toLowerCase().replace(/\.$/, '')
    const times = queriedNames.filter(one => one === plain).length
    queriedNames.push(plain)
    if (plain === 'silent.test') return
    if (plain === 'localhost') {
      real(plain, options, done)
      return
    }
    const said = answers[plain]
    const found = said?.[Math.min(times, said.length - 1)]
    const error = found === undefined ? new Error(`getaddrinfo ENOTFOUND ${name}`) : null
    const addresses = (found ?? []).map(address => ({ address, family: address.includes(':') ? 6 : 4 }))
    setImmediate(() => done(error, addresses))
  }
}

/** Replaces a resolver that is queried for IPv4 first and at once for IPv6, which counts as one query. */
export const resolverStandIn = {
  resolve4: (name: string) => {
    queriedNames.push(plain(name))
    return answered(name, 4)
  },
  resolve6: (name: string) => answered(name, 6),
}

const plain = (name: string) => name.toLowerCase().replace(/\.$/, '')

function answered(name: string, family: 4 | 6): Promise<string[]> {
  const known = plain(name)
  if (known === 'silent.test') return new Promise(() => undefined)
  const said = known === 'localhost' ? [['127.0.0.1', '::1']] : answers[known]
  const times = queriedNames.filter(one => one === known).length - 1
  const found = (said?.[Math.min(times, said.length - 1)] ?? []).filter(
    address => address.includes(':') === (family === 6),
  )
  return found.length > 0 ? Promise.resolve(found) : Promise.reject(new Error(`queryA ENOTFOUND ${name}`))
}

// PORT is replaced with the port of a server on this host that must never receive a connection.
const forms = {
  reaches: [
    'http://127.0.0.1:PORT/',
    'http://127.0.0.1:PORT/evidence.zip?a=b#c',
    'http://127.0.0.1:PORT?',
    'https://127.0.0.1:PORT/',
    'HTTP://127.0.0.1:PORT/',
    'http://127.0.0.1:0PORT/',
    'http:127.0.0.1:PORT/',
    'http:/127.0.0.1:PORT/',
    'http:////127.0.0.1:PORT/',
    'http:\\\\127.0.0.1:PORT\\',
    'http://127.0.0.1:PORT\\@public.test/',
    'http://127.0.0.1:PORT#@public.test/',
    'http://127.0.0.1:PORT?@public.test/',
    'http://localhost:PORT/',
    'https://localhost:PORT/',
    'http://LocalHost:PORT/',
    'http://loc%61lhost:PORT/',
    'http://local\u00adhost:PORT/',
    'http://ｌｏｃａｌｈｏｓｔ:PORT/',
    'http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:PORT/',
    'http://127.1:PORT/',
    'http://127.0.1:PORT/',
    'http://127.0.0.1.:PORT/',
    'http://127.00.000.0001:PORT/',
    'http://2130706433:PORT/',
    'http://2130706433.:PORT/',
    'http://0x7f000001:PORT/',
    'http://0x7F000001:PORT/',
    'http://0x0000007f000001:PORT/',
    'http://0x7f.1:PORT/',
    'http://0x7f.0x0.0x0.0x1:PORT/',
    'http://0x7f.0x.0x.1:PORT/',
    'http://017700000001:PORT/',
    'http://0177.1:PORT/',
    'http://0177.0.0.01:PORT/',
    'http://0177.0x0.0.1:PORT/',
    'http://00000000177.0.0.1:PORT/',
    'http://%31%32%37.0.0.1:PORT/',
    'http://127%2e0%2E0.1:PORT/',
    'http://１２７.０.０.１:PORT/',
    'http://１２７．０．０．１:PORT/',
    'http://①②⑦.⓪.⓪.①:PORT/',
    'http://127。0。0。1:PORT/',
    'http://127｡0｡0｡1:PORT/',
    'http://𝟏𝟐𝟕.𝟎.𝟎.𝟏:PORT/',
    'http://０ｘ７ｆ.1:PORT/',
    'http://0.0.0.0:PORT/',
    'http://0:PORT/',
    'http://0x0:PORT/',
  ],
  private: [
    'http://127.0.0.1/',
    'https://127.0.0.1/',
    'http://127.0.0.1:22/',
    'http://127.0.0.1:5432/',
    'http://127.1.2.3:PORT/',
    'http://127.255.255.254:PORT/',
    'http://0.1.2.3/',
    'http://10.0.0.1/',
    'http://10.255.255.255/',
    'http://10.1/',
    'http://012.0.0.1/',
    'http://0xa000001/',
    'http://167772161/',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://0xac.0x10.0.1/',
    'http://192.168.0.1/',
    'http://192.168.257/',
    'http://0300.0250.0.1/',
    'http://3232235521/',
    'http://169.254.0.1/',
    'http://169.254.169.254/latest/meta-data/iam/security-credentials/',
    'http://169.254.170.2/v2/credentials',
    'http://169.254.169.254.:80/',
    'http://0xa9fea9fe/',
    'http://0251.0376.0251.0376/',
    'http://2852039166/',
    'http://169.16689662/',
    'http://１６９.２５４.１６９.２５４/',
    'http://169。254。169。254/',
    'http://100.64.0.1/',
    'http://100.100.100.200/latest/meta-data/',
    'http://100.127.255.254/',
    'http://192.0.0.1/',
    'http://192.0.0.192/opc/v2/instance/',
    'http://192.0.2.1/',
    'http://192.88.99.1/',
    'http://198.18.0.1/',
    'http://198.19.255.255/',
    'http://198.51.100.1/',
    'http://203.0.113.1/',
    'http://224.0.0.1/',
    'http://239.255.255.250:1900/',
    'http://240.0.0.1/',
    'http://255.255.255.255/',
    'http://4294967295/',
    'http://[fe80::1]/',
    'http://[febf:ffff::1]/',
    'http://[fc00::1]/',
    'http://[fd00::1]/',
    'http://[fd00:ec2::254]/latest/meta-data/',
    'http://[fd20:ce::254]/computeMetadata/v1/',
    'http://[fec0::1]/',
    'http://[ff02::1]/',
    'http://[ff05::1:3]/',
    'http://[2001:db8::1]/',
    'http://[3fff::1]/',
    'http://[100::1]/',
    'http://[100:0:0:1::1]/',
    'http://[2001:2::1]/',
    'http://[2001:10::1]/',
    'http://[2001:20::1]/',
    'http://[5f00::1]/',
    'http://[4000::1]/',
    'http://[::2]/',
  ],
  embedded: [
    'http://[::1]:PORT/',
    'https://[::1]:PORT/',
    'http://[0:0:0:0:0:0:0:1]:PORT/',
    'http://[0000:0000:0000:0000:0000:0000:0000:0001]:PORT/',
    'http://[::0.0.0.1]:PORT/',
    'http://[::]:PORT/',
    'http://[0:0:0:0:0:0:0:0]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::FFFF:7F00:1]:PORT/',
    'http://[0:0:0:0:0:ffff:7f00:0001]:PORT/',
    'http://[::ffff:0.0.0.0]:PORT/',
    'http://[::ffff:10.0.0.1]/',
    'http://[::ffff:100.64.0.1]/',
    'http://[::ffff:169.254.169.254]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[::127.0.0.1]:PORT/',
    'http://[::7f00:1]:PORT/',
    'http://[::a9fe:a9fe]/',
    'http://[::ffff:0:127.0.0.1]:PORT/',
    'http://[::ffff:0:a9fe:a9fe]/',
    'http://[64:ff9b::127.0.0.1]:PORT/',
    'http://[64:ff9b::7f00:1]:PORT/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[64:ff9b:1::7f00:1]:PORT/',
    'http://[2002:7f00:1::]:PORT/',
    'http://[2002:a9fe:a9fe::1]/',
    'http://[2002:a00:1::1]/',
    'http://[2001::1]/',
    'http://[2001:0:7f00:1::80ff:fffe]:PORT/',
    'http://[2001:0:4136:e378:8000:63bf:80ff:fffe]/',
    'http://[fe80::5efe:7f00:1]:PORT/',
  ],
  userinfo: [
    'http://user:password@127.0.0.1:PORT/',
    'http://public.test@127.0.0.1:PORT/',
    'http://public.test:80@127.0.0.1:PORT/',
    'http://public.test%2f@127.0.0.1:PORT/',
    'http://public.test%23@127.0.0.1:PORT/',
    'http://user@public.test@127.0.0.1:PORT/',
    'http://127.0.0.1:PORT@[::1]:PORT/',
    'http://@127.0.0.1:PORT/',
    'http://:@127.0.0.1:PORT/',
    'http://user@public.test:PORT/',
    'http://:password@public.test:PORT/',
  ],
  name: [
    'http://localhost.:PORT/',
    'http://LOCALHOST.:PORT/',
    'http://any.localhost:PORT/',
    'http://any.localhost.:PORT/',
    'http://localhost.localdomain:PORT/',
    'http://loopback.test:PORT/',
    'https://loopback.test:PORT/',
    'http://loopback.test.:PORT/',
    'http://Loopback.Test:PORT/',
    'http://ⓛoopback。test:PORT/',
    'http://loopback-six.test:PORT/',
    'http://private-ten.test/',
    'http://private-172.test/',
    'http://private-192.test/',
    'http://metadata.test/latest/meta-data/',
    'http://carrier.test/',
    'http://this-host.test:PORT/',
    'http://mapped.test:PORT/',
    'http://mapped-metadata.test/',
    'http://nat64.test:PORT/',
    'http://six-to-four.test:PORT/',
    'http://unique-local.test/',
    'http://link-local.test/',
    'http://link-local-zone.test:PORT/',
    'http://multicast.test/',
    'http://mixed.test:PORT/',
    'http://mixed-first.test:PORT/',
    'http://mixed-families.test:PORT/',
    'http://mixed-last-of-many.test:PORT/',
    'http://rebinding.test:PORT/',
    'http://rebinding-pair.test:PORT/',
    'http://nowhere.test:PORT/',
    'http://unknown.test:PORT/',
    'http://127.0.0.1.test:PORT/',
    'http://127.0.0.1.nip.test:PORT/',
    'http://-.test:PORT/',
    `http://${'a'.repeat(300)}.test:PORT/`,
  ],
  malformed: [
    'ftp://127.0.0.1:PORT/',
    'file:///etc/passwd',
    'file://127.0.0.1/etc/passwd',
    'gopher://127.0.0.1:PORT/_GET%20/',
    'dict://127.0.0.1:PORT/info',
    'ws://127.0.0.1:PORT/',
    'unix:///var/run/docker.sock',
    'data:application/zip;base64,UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==',
    'javascript:fetch("http://127.0.0.1:PORT/")',
    'blob:http://127.0.0.1:PORT/7c9e6679-7425-40de-944b-e07fc1f90ae7',
    'view-source:http://127.0.0.1:PORT/',
    '//127.0.0.1:PORT/',
    '/v1/iso/receipts',
    '127.0.0.1:PORT',
    'localhost:PORT',
    'http://',
    'http:///',
    'https://:PORT/',
    'http://user@:PORT/',
    'http://?127.0.0.1:PORT',
    'http://%00:PORT/',
    'http://127.0.0.1%00.public.test:PORT/',
    'http://127.0.0.1%20.public.test:PORT/',
    'http://127.0.0.1 .public.test:PORT/',
    'http://127.0.0.1:PORT/\r\nHost: public.test',
    'http://127.0.0.1:PORT/\0',
    'http://127.0.0.1\t:PORT/',
    'http://127.0.0.1:65536/',
    'http://127.0.0.1:-1/',
    'http://127.0.0.1:PORT:80/',
    'http://256.0.0.1:PORT/',
    'http://1.2.3.4.5:PORT/',
    'http://127.0.0.08:PORT/',
    'http://0x7f.0.0.0x:PORT.1/',
    'http://[::1:PORT/',
    'http://[::1]x:PORT/',
    'http://[fe80::1%25lo]:PORT/',
    'http://[::1%lo]:PORT/',
    'http://[127.0.0.1]:PORT/',
    'http://[::ffff:127.1]:PORT/',
    'http://[v1.127.0.0.1]:PORT/',
  ],
}

/** `reaches`: leads to a server of this host unless it is refused · `malformed`: not even an http URL. */
export type HostileUrl = { kind: keyof typeof forms; url: string }

const kinds = ['reaches', 'private', 'embedded', 'userinfo', 'name', 'malformed'] as const

/** Every form, with PORT in place of a port of this host. */
export const hostileForms: readonly HostileUrl[] = kinds.flatMap(kind => forms[kind].map(url => ({ kind, url })))

export const hostileUrls = (port: number): HostileUrl[] =>
  hostileForms.map(({ kind, url }) => ({ kind, url: url.replaceAll('PORT', String(port)) }))
