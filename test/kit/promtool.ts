// Prometheus' own tool, where it is installed (Debian's package `prometheus`).
import { spawnSync } from 'node:child_process'

export const hasPromtool = spawnSync('promtool', ['--version']).status === 0

export const needsPromtool = 'promtool is not installed: apt-get install prometheus'

/** Runs promtool. Returns its exit code and what it said. */
export function promtool(args: readonly string[], input = ''): { code: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8', maxBuffer: 1 << 26 })
  return { code: status, said: stdout + stderr }
}
