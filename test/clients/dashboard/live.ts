// Prints the references of a live list after each change. The visitor signs out after the first change, which ends the
// stream, and is signed in again by the next token.
import type { ReceiptRowFragment } from './gql/graphql.ts'
import { liveList } from './live-list.ts'
import { signOut } from './quittance.ts'

const rows = new Map<string, ReceiptRowFragment>()
let changes = 0
const stop = await liveList({ currencies: ['LIVE'] }, rows, async () => {
  console.log(JSON.stringify([...rows.values()].map(({ reference }) => reference)))
  changes += 1
  if (changes === 2) await signOut()
  if (changes === 3) stop()
})
