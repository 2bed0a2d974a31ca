// Compiles the contracts of the tests of payments, which takes a second or two.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Interface } from 'ethers'
import { z } from 'zod'

const file = 'PaymentCases.sol'
const compiled = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).default([]),
  contracts: z.object({
    [file]: z.record(
      z.string(),
      z.object({ abi: z.array(z.unknown()), evm: z.object({ bytecode: z.object({ object: z.string() }) }) }),
    ),
  }),
})

export type Compiled = { abi: Interface; bytecode: string }

/** Returns the contracts of PaymentCases.sol by their names. Throws with the compiler's messages on any error. */
export function compileCases(): (name: string) => Compiled {
  const solc: { compile(input: string): string } = createRequire(import.meta.url)('solc')
  const input = {
    language: 'Solidity',
    sources: { [file]: { content: readFileSync(new URL(file, import.meta.url), 'utf8') } },
    settings: { evmVersion: 'cancun', outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } },
  }
  const { errors, contracts } = compiled.parse({
    contracts: { [file]: {} },
    ...JSON.parse(solc.compile(JSON.stringify(input))),
  })
  const faults = errors.filter(({ severity }) => severity === 'error')
  if (faults.length > 0) throw new Error(faults.map(({ formattedMessage }) => formattedMessage).join('\n'))
  return name => {
    const contract = contracts[file][name]
    if (contract === undefined) throw new Error(`no contract ${name}`)
    return { abi: new Interface(JSON.stringify(contract.abi)), bytecode: `0x${contract.evm.bytecode.object}` }
  }
}
