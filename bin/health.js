// The health check of the image: exits 0 when the process of this container has started, whatever its role, without a
// program such as curl.
const answer = await fetch(`http://127.0.0.1:${process.env.PROBE_PORT}/livez`).catch(() => null)
process.exitCode = answer?.ok ? 0 : 1
