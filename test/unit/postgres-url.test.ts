// URLs of PostgreSQL that name one or several servers.
import { expect, it } from 'vitest'
import { readPostgresUrl } from '../../src/core/postgres-url.ts'

it.each([
  ['postgres://me:a%40b@db/q', ['postgres://me:a%40b@db/q'], false],
  ['postgresql:///q?host=/run/postgresql', ['postgresql:///q?host=/run/postgresql'], false],
  ['postgres://db:5433/q?target_session_attrs=read-write', ['postgres://db:5433/q'], true],
  [
    'postgres://me:pw@a:5433,b/q?sslmode=require&target_session_attrs=read-write&application_name=x',
    [
      'postgres://me:pw@a:5433/q?sslmode=require&application_name=x',
      'postgres://me:pw@b/q?sslmode=require&application_name=x',
    ],
    true,
  ],
  [
    'postgres://[::1]:5433,[fe80::2]/q?target_session_attrs=read-write',
    ['postgres://[::1]:5433/q', 'postgres://[fe80::2]/q'],
    true,
  ],
])('reads %s', (text, servers, writes) => {
  expect(readPostgresUrl(text)).toEqual({ servers, writes })
})

it.each([
  ['http://db/q', /begins with postgres/],
  ['postgres://db:99999/q', /must be a URL/],
  ['postgres://a,b/q', /several hosts: add target_session_attrs=read-write/],
  ['postgres://a,,b/q?target_session_attrs=read-write', /empty host/],
  ['postgres://a,b:x/q?target_session_attrs=read-write', /must be a URL/],
  ['postgres://a/q?target_session_attrs=standby', /read-write or any/],
])('refuses %s, and says why', (text, fault) => {
  expect(readPostgresUrl(text)).toMatch(fault)
})
