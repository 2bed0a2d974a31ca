// The machine's python3, with its standard library and one folder of sources.
import { spawnSync } from 'node:child_process'

/** `lacks`: why this python3 cannot be used, as a sentence; null when it can. */
export function pythonOf(folder: string) {
  // Ignores packages that happen to be installed.
  const args = ['-S']
  const { status } = spawnSync('python3', [...args, '-c', 'import sys; sys.exit(sys.version_info < (3, 11))'])
  return {
    command: 'python3',
    args,
    env: { PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' },
    lacks: status === 0 ? null : 'there is no python3 of 3.11 or later here',
  }
}
