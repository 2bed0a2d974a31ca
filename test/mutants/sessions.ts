import type { Mutant } from './mutant.ts'

const lookUp = 'src/modules/keys/look-up.ts'
const revoke = 'src/modules/sessions/revoke.ts'

export const sessions: Mutant[] = [
  {
    file: 'src/modules/sessions/create.ts',
    text: '    if (requested && !isAtMost(requested, role)) throw aboveKey(requested, role)\n',
    instead: '',
    tests: ['http/sessions'],
    harm: 'a viewer’s key makes itself a project_admin',
  },
  {
    file: 'src/modules/sessions/store.ts',
    text: `least(now() + interval '\${life}', (select expires_at from api_keys where id = $4::uuid))`,
    instead: `now() + interval '\${life}'`,
    tests: ['http/sessions'],
    harm: 'a session states that it outlives its key',
  },
  {
    file: lookUp,
    text: 'where token_hash = requested.hash and revoked_at is null and',
    instead: 'where token_hash = requested.hash and',
    tests: ['http/session-ends', 'http/session-tokens'],
    harm: 'a session goes on after its user has signed out',
  },
  {
    file: lookUp,
    text: 'token_hash = requested.hash and revoked_at is null and expires_at > now()',
    instead: 'token_hash = requested.hash and revoked_at is null',
    tests: ['http/session-ends', 'http/session-tokens'],
    harm: 'a token that a page leaked is good until its row is deleted',
  },
  {
    file: lookUp,
    text: 'k.id = api_key_id and k.revoked_at is null',
    instead: 'k.id = api_key_id',
    tests: ['http/session-ends'],
    harm: 'a leaked key was revoked, and the sessions made with it go on',
  },
  {
    file: lookUp,
    text: ' and (k.expires_at is null or k.expires_at > now())',
    instead: '',
    tests: ['http/session-ends'],
    harm: 'a session outlives a key whose expiry was brought forward',
  },
  {
    file: revoke,
    text: 'id, ...ownedBy(principal), expiresAt',
    instead: 'id, expiresAt',
    tests: ['http/session-ends', 'http/access'],
    harm: 'a tenant signs out the users of another',
  },
  {
    file: revoke,
    text: `    if (!isOwn(principal, found)) demand(principal, 'manage')\n`,
    instead: '',
    tests: ['http/session-ends', 'http/access'],
    harm: 'a viewer signs out the administrators of its project',
  },
  {
    file: 'src/core/principal.ts',
    text: `  if (!('sessionId' in principal)) return\n`,
    instead: '  return\n',
    tests: ['http/sessions'],
    harm: 'a stolen token of 15 minutes is exchanged for an API key that never expires',
  },
  {
    file: 'src/modules/webhooks/type.ts',
    text: `  demandNoSession(context.principal, 'read a webhook secret')\n`,
    instead: '',
    tests: ['http/sessions'],
    harm: 'a script in a page reads the secret that signs webhooks',
  },
  {
    file: 'src/limits/credential.ts',
    text: 'if (bearer !== null && looksLikeToken(bearer))',
    instead: 'if (bearer === null)',
    tests: ['http/session-tokens'],
    harm: 'a page that wrongly has a key runs with the rights of the key, although it sends a token',
  },
]
