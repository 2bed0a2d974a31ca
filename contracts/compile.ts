// Compiles the contracts. `node contracts/compile.ts` writes a JSON file for each, which is checked in.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { sha256 } from '../src/core/hash.ts'

/** Each contract is in a file of its name. */
export const contractNames = ['EvidenceAnchor', 'TestDollar', 'Aggregator3', 'PriceFeed'] as const

// paris is the newest EVM without PUSH0, so that one bytecode runs on every chain in use.
const settings = {
  evmVersion: 'paris',
  optimizer: { enabled: true, runs: 1_000_000 },
  // Without a metadata hash the bytecode depends on the code alone, not on comments.
  metadata: { bytecodeHash: 'none' },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
}

type AbiParameter = {
  name: string
  type: string
  internalType?: string
  indexed?: boolean
  components?: AbiParameter[]
}

export type AbiEntry = {
  type: string
  name?: string
  inputs: AbiParameter[]
  outputs?: AbiParameter[]
  anonymous?: boolean
  stateMutability?: string
}

export type CompiledContract = {
  contractName: string
  compiler: string
  settings: { evmVersion: string; optimizer: { enabled: boolean; runs: number }; metadata: { bytecodeHash: string } }
  abi: AbiEntry[]
  bytecode: string
  deployedBytecode: string
  sourceSha256: string
}

type CompilerOutput = {
  errors?: { formattedMessage: string }[]
  contracts?: Record<
    string,
    Record<string, { abi: AbiEntry[]; evm: { bytecode: { object: string }; deployedBytecode: { object: string } } }>
  >
}

/** Throws with the compiler's messages on any error or warning. */
export function compile(contractName: (typeof contractNames)[number]): CompiledContract {
  // Loaded on first use only, because solc registers process listeners when it is loaded.
  const solc: { version(): string; compile(input: string): string } = createRequire(import.meta.url)('solc')
  const sourceFile = `${contractName}.sol`
  const content = readFileSync(new URL(sourceFile, import.meta.url), 'utf8')
  const input = { language: 'Solidity', sources: { [sourceFile]: { content } }, settings }
  const output: CompilerOutput = JSON.parse(solc.compile(JSON.stringify(input)))
  const faults = output.errors?.map(error => error.formattedMessage) ?? []
  const contract = output.contracts?.[sourceFile]?.[contractName]
  if (faults.length > 0 || contract === undefined) throw new Error(faults.join('\n') || `${contractName} is missing`)
  const { outputSelection, ...kept } = settings
  return {
    contractName,
    compiler: solc.version(),
    settings: kept,
    abi: contract.abi,
    bytecode: `0x${contract.evm.bytecode.object}`,
    deployedBytecode: `0x${contract.evm.deployedBytecode.object}`,
    sourceSha256: sha256(content),
  }
}

if (import.meta.main) {
  for (const name of contractNames) {
    writeFileSync(new URL(`${name}.json`, import.meta.url), `${JSON.stringify(compile(name), null, 2)}\n`)
  }
}
