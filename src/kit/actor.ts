// The GraphQL types of actors, who are named by one text in the audit trail.
import { builder } from './builder.ts'

type Named = { name: string }

const described = 'As the audit trail names it, for its filter `actors`.'

export const ActorType = builder.interfaceRef<Named>('Actor').implement({
  description: 'The key, session, wallet or program that did something.',
  fields: t => ({ name: t.exposeString('name', { description: described }) }),
  resolveType: ({ name }) => types[name.split(':')[0] ?? ''] ?? 'ServiceActor',
})

const types: Readonly<Record<string, string>> = {
  key: 'ApiKeyActor',
  session: 'SessionActor',
  admin: 'AdministratorActor',
  wallet: 'WalletActor',
  payer: 'PayerActor',
}

const idOf = ({ name }: Named) => name.slice(name.indexOf(':') + 1)

const actor = (type: string, description: string) =>
  builder.objectRef<Named>(type).implement({ description, interfaces: [ActorType] })

for (const [type, description, id] of [
  ['ApiKeyActor', 'An API key of a project.', 'UUID of the `ApiKey`.'],
  ['SessionActor', 'A session.', 'UUID of the `Session`.'],
  ['AdministratorActor', 'A key of a service administrator.', 'Id of the key, which the operator’s settings name.'],
] as const)
  builder.objectField(actor(type, description), 'id', t => t.id({ description: id, resolve: idOf }))

for (const [type, description] of [
  ['WalletActor', 'A wallet that signed a message.'],
  ['PayerActor', 'A wallet that paid for the call.'],
] as const)
  builder.objectField(actor(type, description), 'address', t =>
    t.field({ type: 'Address', description: 'The wallet.', resolve: idOf }),
  )

actor('ServiceActor', 'The service itself, as `worker`, or a caller without credentials, as `public`.')
