// Prints the references of a live list after each change. The visitor signs out after the first change, which ends the
// stream, and is signed in again by the next token. With the argument `stay`, the visitor does not sign out.
import type { ReceiptRowFragment } from './gql/graphql.ts'
import { liveList } from './live-list.ts'
import { signOut } from './quittance.ts'

const rows = new Map<string, ReceiptRowFragment>()
let changes = 0
const stop = await liveList(
  { currencies: ['LIVE'] },
  rows,
  async () => {
    console.log(JSON.stringify([...rows.values()].map(({ reference }) => reference)))
    changes += 1
    if (changes === 2 && process.argv[2] !== 'stay') await signOut()
    if (changes === 3) stop()
  },
  failure => {
    throw failure
  },
)
