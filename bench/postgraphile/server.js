// PostGraphile over the tables of the service. Like the service it has 24 connections; it explains nothing, checks no
// access and has no mutations. Relations are lists, as in the service's schema.
import { createServer } from 'node:http'
import { PgAggregatesPreset } from '@graphile/pg-aggregates'
import { postgraphile } from 'postgraphile'
import { makePgService } from 'postgraphile/adaptors/pg'
import { grafserv } from 'postgraphile/grafserv/node'
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber'

const instance = postgraphile({
  extends: [PostGraphileAmberPreset, PgAggregatesPreset],
  pgServices: [
    makePgService({ connectionString: process.env.DATABASE_URL, schemas: ['public'], poolConfig: { max: 24 } }),
  ],
  // It would leave out relations and orders that a partial or a longer index serves.
  disablePlugins: ['PgIndexBehaviorsPlugin'],
  schema: { defaultBehavior: '+list -resource:insert -resource:update -resource:delete' },
  grafserv: { graphqlPath: '/graphql', graphiql: false, watch: false },
  grafast: { explain: false },
})
const server = createServer()
await instance.createServ(grafserv).addTo(server)
server.listen(Number(process.env.PORT), '127.0.0.1', () =>
  console.log(`REST http://127.0.0.1:${server.address().port}`),
)
process.on('SIGTERM', () => process.exit(0))
