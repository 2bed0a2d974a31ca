// Wallets for tests: EIP-4361 messages written by hand, signatures in every form, and contract wallets on the local
// chain.
import { createRequire } from 'node:module'
import { AbiCoder, type BaseWallet, ContractFactory, JsonRpcProvider, Signature, Wallet } from 'ethers'

export type MessageFields = {
  domain: string
  address: string
  /** All text between the address and `URI:`, including line breaks. */
  statement: string
  uri: string
  version: string
  chainId: string
  nonce: string
  issuedAt: string
  /** Further lines, each with a line break before it. */
  tail: string
}

/** Formats a message as EIP-4361 defines; without a statement it has two blank lines. */
export const messageText = (
  fields: Omit<MessageFields, 'statement' | 'version' | 'chainId' | 'issuedAt' | 'tail'> & Partial<MessageFields>,
) => {
  const {
    statement = '\n\n',
    version = '1',
    chainId = '31337',
    issuedAt = new Date().toISOString(),
    tail = '',
  } = fields
  const { domain, address, uri, nonce } = fields
  return `${domain} wants you to sign in with your Ethereum account:\n${address}\n${statement}URI: ${uri}\nVersion: ${version}\nChain ID: ${chainId}\nNonce: ${nonce}\nIssued At: ${issuedAt}${tail}`
}

export const newWallet = (): BaseWallet => Wallet.createRandom()

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const hex32 = (value: bigint) => value.toString(16).padStart(64, '0')

/** The same signature in the forms that wallets send, and in forms that must be refused. */
export function formsOf(signature: string) {
  const { r, s, yParity, compactSerialized } = Signature.from(signature)
  const withV = (v: number) => `0x${r.slice(2)}${s.slice(2)}${v.toString(16).padStart(2, '0')}`
  return {
    'v 27 or 28': withV(27 + yParity),
    'v 0 or 1': withV(yParity),
    'compact (EIP-2098)': compactSerialized,
    'upper-case hex': `0x${withV(27 + yParity)
      .slice(2)
      .toUpperCase()}`,
    'high s': `0x${r.slice(2)}${hex32(order - BigInt(s))}${(27 + (1 - yParity)).toString(16)}`,
    'the other v': withV(27 + (1 - yParity)),
    'v of a transaction (EIP-155)': withV(37 + yParity),
  }
}

const source = `
  contract OwnerWallet {
    address owner;
    constructor(address o) { owner = o; }
    function isValidSignature(bytes32 hash, bytes calldata s) external view returns (bytes4) {
      return ecrecover(hash, uint8(s[64]), bytes32(s[0:32]), bytes32(s[32:64])) == owner ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
  }
  contract Factory {
    function made(address owner) external returns (address) { return address(new OwnerWallet{salt: 0}(owner)); }
  }
  contract Reverting { fallback() external { revert("no"); } }
  contract Burning { fallback() external { while (true) {} } }
  contract SaysOne { fallback() external { assembly { mstore(0, 1) return(0, 32) } } }
  contract SaysNothing { fallback() external {} }
`

type Name = 'OwnerWallet' | 'Factory' | 'Reverting' | 'Burning' | 'SaysOne' | 'SaysNothing'
type Compiled = Record<Name, { abi: []; evm: { bytecode: { object: string } } }>

function compile(): Compiled {
  const solc: { compile(input: string): string } = createRequire(import.meta.url)('solc')
  const settings = { evmVersion: 'paris', outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } }
  const sources = { wallets: { content: `// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;${source}` } }
  return JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources, settings }))).contracts.wallets
}

/** Deploys one wallet of each kind. Addresses are in checksum form, as in a message. */
export async function deployWallets(rpcUrl: string, owner: string): Promise<Record<Name, string>> {
  const node = new JsonRpcProvider(rpcUrl, 31337, { staticNetwork: true, cacheTimeout: -1, pollingInterval: 20 })
  const signer = await node.getSigner(5)
  const compiled = compile()
  const deploy = async (name: Name, ...args: string[]) => {
    const { abi, evm } = compiled[name]
    const contract = await new ContractFactory(abi, evm.bytecode.object, signer).deploy(...args)
    await contract.waitForDeployment()
    return contract.getAddress()
  }
  const deployed = {
    OwnerWallet: await deploy('OwnerWallet', owner),
    Factory: await deploy('Factory'),
    Reverting: await deploy('Reverting'),
    Burning: await deploy('Burning'),
    SaysOne: await deploy('SaysOne'),
    SaysNothing: await deploy('SaysNothing'),
  }
  node.destroy()
  return deployed
}

/** A wallet that a factory would deploy, and what its signatures look like before (ERC-6492). */
export async function undeployedWallet(rpcUrl: string, owner: string) {
  const node = new JsonRpcProvider(rpcUrl, 31337, { staticNetwork: true, cacheTimeout: -1, pollingInterval: 20 })
  const { abi, evm } = compile().Factory
  const factory = await new ContractFactory(abi, evm.bytecode.object, await node.getSigner(5)).deploy()
  await factory.waitForDeployment()
  const made = factory.getFunction('made')
  const address: string = await made.staticCall(owner)
  const magic = '6492'.repeat(16)
  const at = await factory.getAddress()
  const data = factory.interface.encodeFunctionData('made', [owner])
  return {
    address,
    wrapped: (signature: string) =>
      AbiCoder.defaultAbiCoder().encode(['address', 'bytes', 'bytes'], [at, data, signature]) + magic,
    async deploy(): Promise<void> {
      await (await made.send(owner)).wait()
      node.destroy()
    },
  }
}
