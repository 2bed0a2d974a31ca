// The machine's python3, with its standard library and one folder of sources.
import { spawnSync } from 'node:child_process'

/** `lacks`: why it is of no use here, as a sentence; null when it is. */
export function pythonOf(folder: string) {
  // No packages that happen to be installed.
  const args = ['-S']
  const { status } = spawnSync('python3', [...args, '-c', 'import sys; sys.exit(sys.version_info < (3, 11))'])
  return {
    command: 'python3',
    args,
    env: { PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' },
    lacks: status === 0 ? null : 'there is no python3 of 3.11 or later here',
  }
}
