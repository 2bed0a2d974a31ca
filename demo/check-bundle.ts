// Checks a bundle as an auditor does: hash, manifest, signature, and the event on chain. Imports nothing of the
// service.
import { createHash, createPublicKey, verify } from 'node:crypto'
import { Interface, JsonRpcProvider } from 'ethers'
import JSZip from 'jszip'

type Key = { key_id: string; public_key_pem: string }
type Evidence = { bundle: Buffer; keys: Key[]; bundleHash: string; txid: string; contract: string; rpcUrl: string }
type Check = { title: string; passed: boolean; detail: string }

const sha256 = (bytes: Uint8Array) => `0x${createHash('sha256').update(bytes).digest('hex')}`
const idOf = (pem: string) => sha256(createPublicKey(pem).export({ format: 'der', type: 'spki' }))
const events = new Interface(['event EvidenceAnchored(bytes32 indexed bundleHash, address sender, uint256 ts)'])

export async function checkBundle({ bundle, keys, bundleHash, txid, contract, rpcUrl }: Evidence): Promise<Check[]> {
  const hash = sha256(bundle)
  const zip = await JSZip.loadAsync(bundle)
  const read = async (name: string) => zip.file(name)?.async('uint8array') ?? new Uint8Array()
  const manifestBytes = await read('manifest.json')
  const manifest = JSON.parse(Buffer.from(manifestBytes).toString('utf8'))
  // The id is computed from the key, because the id beside a key may be that of another.
  const key = keys.find(({ public_key_pem }) => idOf(public_key_pem) === `0x${manifest.key_id}`)
  const signed = key !== undefined && verify(null, manifestBytes, key.public_key_pem, await read('manifest.sig'))
  const wrong: string[] = []
  for (const file of manifest.files) if (sha256(await read(file.name)) !== file.sha256) wrong.push(file.name)
  return [
    { title: 'SHA-256 of the ZIP', passed: hash === bundleHash, detail: hash },
    {
      title: 'Files match the manifest',
      passed: wrong.length === 0,
      detail: manifest.files.map((file: { name: string }) => file.name).join(', '),
    },
    { title: 'Ed25519 signature', passed: signed, detail: `key ${manifest.key_id}` },
    await onChain(hash, txid, contract, rpcUrl),
  ]
}

async function onChain(hash: string, txid: string, contract: string, rpcUrl: string): Promise<Check> {
  const provider = new JsonRpcProvider(rpcUrl)
  const receipt = await provider.getTransactionReceipt(txid)
  provider.destroy()
  const ours = receipt?.logs.filter(log => log.address.toLowerCase() === contract) ?? []
  const found = ours.some(log => events.parseLog(log)?.args.bundleHash === hash)
  return {
    title: 'Event on chain',
    passed: receipt?.status === 1 && found,
    detail: `block ${receipt?.blockNumber}, transaction ${txid}`,
  }
}
