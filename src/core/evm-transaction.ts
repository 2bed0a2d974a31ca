// The fields in the payload of each type of transaction, in order, under the names of JSON-RPC. Types 0 to 4 are
// Ethereum's; 0x7e is a deposit of the OP Stack, and 0x64 to 0x6a are Arbitrum's (core/types/arb_types.go of its
// go-ethereum).

const fee = 'maxPriorityFeePerGas maxFeePerGas'
const call = 'gas to value input'

const layouts: Readonly<Record<number, string>> = {
  0: `nonce gasPrice ${call} v r s`,
  1: `chainId nonce gasPrice ${call} accessList yParity r s`,
  2: `chainId nonce ${fee} ${call} accessList yParity r s`,
  3: `chainId nonce ${fee} ${call} accessList maxFeePerBlobGas blobVersionedHashes yParity r s`,
  4: `chainId nonce ${fee} ${call} accessList authorizationList yParity r s`,
  100: 'chainId requestId from to value',
  101: `chainId from nonce gasPrice ${call}`,
  102: `chainId requestId from maxFeePerGas ${call}`,
  104: `chainId nonce from maxFeePerGas ${call} ticketId refundTo maxRefund submissionFeeRefund`,
  105:
    'chainId requestId from l1BaseFee depositValue maxFeePerGas gas retryTo retryValue beneficiary maxSubmissionFee ' +
    'refundTo retryData',
  106: 'chainId input',
  126: 'sourceHash from to mint value gas isSystemTx input',
}

/** Returns null for a type that is not known. */
export const transactionFields = (type: number): readonly string[] | null => layouts[type]?.split(' ') ?? null

const address = (digits: string) => `0x${digits.padStart(40, '0')}`

/** Arbitrum's nodes name these accounts for transactions whose payload names none. Lower-case. */
export const impliedAccounts: Readonly<Record<number, { from?: string; to: string }>> = {
  105: { to: address('6e') },
  106: { from: address('a4b05'), to: address('a4b05') },
}
