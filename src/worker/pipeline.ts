// The receipt lifecycle as background steps: record → screen → (value →) (check →) seal → anchor → confirm → report →
// publish.
import type { TaskName } from '../kit/jobs.ts'
import type { Task } from '../kit/task.ts'
import { anchor } from '../modules/anchoring/anchor.ts'
import { confirm } from '../modules/anchoring/confirm.ts'
import { report } from '../modules/artifacts/tasks.ts'
import { askCompliance, screen } from '../modules/compliance/tasks.ts'
import { eraseObjects } from '../modules/erasure/tasks.ts'
import { publish } from '../modules/evidence/publish.ts'
import { seal } from '../modules/evidence/tasks.ts'
import { writeExport } from '../modules/exports/tasks.ts'
import { value, valueWaiting } from '../modules/fx/tasks.ts'
import { checkSettlement } from '../modules/settlement/tasks.ts'
import { closingBalance } from '../modules/statements/closing-balance.ts'
import { writeStatement } from '../modules/statements/write.ts'
import { reprove } from '../modules/verification/reprove.ts'
import { coverWallet } from '../modules/wallet-coverage/tasks.ts'
import { settle } from '../modules/x402/tasks.ts'

/** The step for each declared job. */
export const pipeline: { [Name in TaskName]: Task<Name> } = {
  screen,
  ask_compliance: askCompliance,
  value,
  value_waiting: valueWaiting,
  check_settlement: checkSettlement,
  seal,
  anchor,
  confirm,
  report,
  publish,
  write_statement: writeStatement,
  closing_balance: closingBalance,
  reprove,
  settle,
  write_export: writeExport,
  cover_wallet: coverWallet,
  erase_objects: eraseObjects,
}
