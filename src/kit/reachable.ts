// Refuses addresses to which the service could never send anything.
import { invalid } from '../core/errors.ts'
import type { App } from './context.ts'

/** `member`: the member of the input. Throws `validation_failed`. */
export function demandReachable({ canPost }: Pick<App, 'canPost'>, address: string, member: string): void {
  if (canPost(address)) return
  throw invalid([{ path: ['input', member], message: 'Must be a public address.', type: 'value_error' }])
}
