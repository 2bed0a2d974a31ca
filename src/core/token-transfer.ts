// Reads the `Transfer` event of ERC-20 tokens.

/** keccak256('Transfer(address,address,uint256)') */
export const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

const emptyHalf = `0x${'0'.repeat(24)}`

/** Returns the topic that an indexed address is. */
export const topicOf = (address: string): string => `${emptyHalf}${address.slice(2)}`

/** Returns null for any other event, such as that of an ERC-721, which has a fourth topic. Hex is lower-case. */
export function transferIn(log: {
  topics: readonly string[]
  data: string
}): { from: string; to: string; units: bigint } | null {
  const [topic, from, to, ...others] = log.topics
  const isTransfer = topic === transferTopic && others.length === 0 && log.data.length === 66
  if (!isTransfer || !from?.startsWith(emptyHalf) || !to?.startsWith(emptyHalf)) return null
  return { from: `0x${from.slice(26)}`, to: `0x${to.slice(26)}`, units: BigInt(log.data) }
}
