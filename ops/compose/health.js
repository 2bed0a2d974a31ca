// The health check of the local EVM.
const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
const headers = { 'Content-Type': 'application/json' }
const answer = await fetch('http://127.0.0.1:8545', { method: 'POST', headers, body }).catch(() => null)
process.exitCode = answer?.ok ? 0 : 1
