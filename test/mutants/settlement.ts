import type { Mutant } from './mutant.ts'

const proof = 'src/modules/settlement/proof.ts'
const trie = 'src/modules/settlement/trie-path.ts'
const rlp = 'src/core/rlp.ts'
const evm = 'src/adapters/evm-proof.ts'

const mutant = (file: string, text: string, instead: string, harm: string): Mutant => ({
  ...{ file, text, instead, harm },
  tests: ['unit/payment-proof'],
})

export const settlement: Mutant[] = [
  mutant(proof, 'if (header.hash !== blockHash)', 'if (false)', 'a header that is on no chain proves a payment'),
  mutant(
    proof,
    'transaction !== null && keccak256(transaction) !== transactionHash',
    'false',
    'the receipt of another transaction proves a payment',
  ),
  mutant(
    proof,
    'transaction !== null && envelope(transaction).type !== envelope(receipt).type',
    'false',
    'a receipt of another type passes for that of the transaction',
  ),
  mutant(
    proof,
    'header.transactionsRoot, index',
    'header.transactionsRoot, 0',
    'a transaction is read at another place',
  ),
  mutant(proof, '!isOld && string(outcome).length === 1', 'true', 'a failed transaction is proof of a payment'),
  mutant(proof, '> maxProofBytes', '> Number.MAX_VALUE', 'a proof of any size is read'),
  mutant(proof, '/^0x[0-9a-f]+$/', '/^0x[0-9a-f]+$/i', 'one proof has several spellings'),
  mutant(proof, 'z.strictObject({ header', 'z.object({ header', 'a proof contains what nobody checks'),
  mutant(proof, 'more.length > 0 || ', '', 'a log has parts that nobody reads'),
  mutant(trie, 'keccak256(bytes) !== expected', 'false', 'nodes that are not in the trie prove a payment'),
  mutant(trie, `left !== '' || !isLast ||`, '', 'the leaf of another position, or with nodes after it, is proof'),
  mutant(trie, `!left.startsWith(nibbles) || kind === ''`, `kind === ''`, 'the receipt of another position is proof'),
  mutant(rlp, 'end !== bytes.length', 'false', 'bytes after the end of a value are ignored'),
  mutant(rlp, 'digits[0] === 0 || length < 56', 'false', 'one value has several encodings'),
  mutant(rlp, ' || depth < 0', '', 'lists in lists are followed to any depth'),
  mutant(evm, 'keccak256(header) !== lower(block.hash)', 'false', 'a made-up header is sealed as proof'),
  mutant(evm, 'trie.root === lower(root) ? trie : null', 'trie', 'receipts that a node invents are sealed as proof'),
  mutant(evm, ' && receipt.depositReceiptVersion !== undefined', '', 'deposits before Canyon are not proved'),
  mutant(evm, 'isWord(receipt.root) ?', 'false ?', 'payments before Byzantium are not proved'),
]
