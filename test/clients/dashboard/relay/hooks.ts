// Does what the hooks of react-relay do, without React.
import {
  type ConcreteRequest,
  createOperationDescriptor,
  fetchQuery,
  getPaginationMetadata,
  getPaginationVariables,
  getSelector,
  getValueAtPath,
  type ReaderFragment,
  type SingularReaderSelector,
  type Variables,
} from 'relay-runtime'
import { environment } from './environment.ts'

/** As `useLazyLoadQuery`, returns the data of a query; call it again to read them as they are then. */
export async function load<Data>(query: ConcreteRequest, variables: Variables): Promise<() => Data> {
  const operation = createOperationDescriptor(query, variables)
  environment.retain(operation)
  await fetchQuery(environment, query, variables).toPromise()
  return () => environment.lookup(operation.fragment).data as Data
}

/** As `useFragment`. */
export const read = <Data>(fragment: ReaderFragment, from: unknown): Data =>
  environment.lookup(getSelector(fragment, from as never) as SingularReaderSelector).data as Data

/** As `loadNext` of `usePaginationFragment`. */
export async function loadNext(fragment: ReaderFragment, from: unknown, variables: Variables): Promise<void> {
  const metadata = getPaginationMetadata(fragment, 'loadNext')
  const path = [...metadata.connectionPathInFragmentData, 'pageInfo', 'endCursor']
  const cursor = getValueAtPath(read(fragment, from), path) as string
  const next = getPaginationVariables('forward', 2, cursor, variables, {}, metadata.paginationMetadata)
  await fetchQuery(environment, metadata.paginationRequest, next).toPromise()
}
