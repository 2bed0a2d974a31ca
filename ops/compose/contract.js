// Prepares a local EVM: gives the signer money, deploys the contract and writes the file for CHAINS_FILE. Does nothing
// if the file names a contract that is there. Runs in /app of the image: contract.js <url of the node> <file>.
import { execFileSync } from 'node:child_process'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { JsonRpcProvider, Wallet } from 'ethers'

const [url, file] = process.argv.slice(2)
const node = new JsonRpcProvider(url, undefined, { cacheTimeout: -1 })
const privateKey = readFileSync(process.env.ANCHOR_PRIVATE_KEY_FILE, 'utf8').trim()
if (!(await isDeployed())) {
  await node.send('anvil_setBalance', [new Wallet(privateKey).address, '0x56bc75e2d63100000'])
  const said = execFileSync(process.execPath, ['bin/quittance.js', 'deploy', '--rpc', url], { encoding: 'utf8' })
  const entry = JSON.parse(said.slice(said.indexOf('\n{')))
  writeFileSync(`${file}.new`, JSON.stringify([{ ...entry, name: 'local', finality: { confirmations: 1 } }], null, 2))
  renameSync(`${file}.new`, file)
}
node.destroy()

async function isDeployed() {
  try {
    const [{ contract }] = JSON.parse(readFileSync(file, 'utf8'))
    return (await node.getCode(contract)) !== '0x'
  } catch (error) {
    if (error.code === 'ENOENT') return false
    throw error
  }
}
