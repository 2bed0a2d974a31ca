// Refuses addresses to which the service could never send anything.
import { type Issue, invalid } from '../core/errors.ts'
import type { App } from './context.ts'

type Posting = Pick<App, 'canPost'>

/** Returns the fault of an address, which stands at `path` in the arguments; none if it is a public one. */
export const faultsOfReceiver = ({ canPost }: Posting, address: string, path: Issue['path']): Issue[] =>
  canPost(address) ? [] : [{ path, message: 'Must be a public address.', type: 'value_error' }]

/** `member`: the member of the input. Throws `validation_failed`. */
export function demandReachable(app: Posting, address: string, member: string): void {
  const faults = faultsOfReceiver(app, address, ['input', member])
  if (faults.length > 0) throw invalid(faults)
}
