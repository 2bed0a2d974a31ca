// The rules by which a project's rows are written into its archive name each table of the database.
import { expect, it } from 'vitest'
import models from '../../src/generated/models.json' with { type: 'json' }
import { rules } from '../../src/modules/moves/tables.ts'

it('has a rule for each table, under its name', () => {
  for (const { name, table } of models) {
    const rule = rules[name as keyof typeof rules]
    expect([name, rule === undefined]).toEqual([name, false])
    expect([name, 'table' in rule ? rule.table : table]).toEqual([name, table])
  }
})

it('moves each table that belongs to a project by a column of its own', () => {
  const own = models.filter(({ fields }) => fields.some(({ column }) => column === 'project_id'))
  const stay = own.filter(({ name }) => !('table' in rules[name as keyof typeof rules])).map(({ name }) => name)
  // Counters are counted again, exports end within a day, comparisons can be made again, and a move tells
  // where the project works.
  expect(stay.toSorted()).toEqual(['Export', 'ProjectMove', 'ReceiptCount', 'ReceiptTimeCount', 'WalletCoverage'])
})
