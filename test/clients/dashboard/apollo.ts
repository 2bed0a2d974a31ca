import { ApolloClient, ApolloLink, HttpLink, InMemoryCache, Observable } from '@apollo/client'
import { relayStylePagination } from '@apollo/client/utilities'
import { OperationTypeNode, print } from 'graphql'
import { receiptChanged, receipts, recordReceipt } from './documents.ts'
import { authorized, subscribe } from './quittance.ts'
import { run } from './run.ts'
import { quittance } from './settings.ts'

const http = new HttpLink({ uri: `${quittance}/graphql`, fetch: authorized })

const sse = new ApolloLink(
  ({ query, variables }) => new Observable(observer => subscribe({ query: print(query), variables }, observer)),
)

const cache = new InMemoryCache({
  possibleTypes: {
    Actor: ['AdministratorActor', 'ApiKeyActor', 'PayerActor', 'ServiceActor', 'SessionActor', 'WalletActor'],
    AgentActivity: ['Anchor', 'Payment'],
    Node: [
      'Agent',
      'Anchor',
      'AnchorTransaction',
      'ApiKey',
      'Artifact',
      'AssistantExchange',
      'Export',
      'LinkedWallet',
      'Payment',
      'Project',
      'Receipt',
      'Session',
      'Statement',
      'StatementAccount',
      'WalletCoverage',
      'WebhookEndpoint',
    ],
    VerificationEntry: ['UnverifiedEntry', 'VerifiedEntry'],
  },
  typePolicies: {
    Query: { fields: { receipts: relayStylePagination(['filter', 'orderBy']) } },
    Project: { fields: { receipts: relayStylePagination(['filter', 'orderBy']) } },
  },
})

const client = new ApolloClient({
  cache,
  link: ApolloLink.split(({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION, sse, http),
})

await run({
  list: async first => (await client.query({ query: receipts, variables: { first } })).data,
  record: async input => (await client.mutate({ mutation: recordReceipt, variables: { input } })).data,
  onChange(after, next, error) {
    const changes = client.subscribe({ query: receiptChanged, variables: { after } })
    const subscription = changes.subscribe({ next, error })
    return () => subscription.unsubscribe()
  },
})
