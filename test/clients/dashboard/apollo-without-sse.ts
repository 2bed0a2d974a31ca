// A subscription over Apollo's HttpLink, which asks for multipart responses.
import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client'
import { receiptChanged } from './documents.ts'
import { authorized } from './quittance.ts'
import { quittance } from './settings.ts'

const client = new ApolloClient({
  cache: new InMemoryCache(),
  link: new HttpLink({ uri: `${quittance}/graphql`, fetch: authorized }),
})

client.subscribe({ query: receiptChanged }).subscribe({
  next: result => console.log(JSON.stringify(result)),
})
