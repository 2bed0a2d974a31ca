// The health check: asks /livez of the port of probes, whatever the role of the process and without a program such as
// curl, and exits with 0 when the answer is 200. `node bin/health.js readyz` asks /readyz.
const { PROBE_HOST = '127.0.0.1', PROBE_PORT } = process.env
const everywhere = { '': '127.0.0.1', '0.0.0.0': '127.0.0.1', '::': '::1' }
const host = everywhere[PROBE_HOST] ?? PROBE_HOST
const url = `http://${host.includes(':') ? `[${host}]` : host}:${PROBE_PORT}/${process.argv[2] ?? 'livez'}`
const answer = await fetch(url).catch(() => null)
process.exitCode = answer?.ok ? 0 : 1
