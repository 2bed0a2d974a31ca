// The external code sets contain all of their codes and no others.
import { describe, expect, test } from 'vitest'
import { type CodeSet, codeSets, isCode, meaningOf } from '../../src/core/iso-codes.ts'

const members: Record<CodeSet, { size: number; some: string[]; others: string[] }> = {
  cancellationReason: { size: 33, some: ['CUST', 'DUPL', 'FRAD', 'TECH', 'UPAY'], others: ['FOCR', 'LEGL', 'SALA'] },
  // Editions up to early 2025 had IDMN in place of INDM in this set.
  cancellationRejection: { size: 26, some: ['AGNT', 'ARDT', 'CUST', 'INDM', 'LEGL', 'NOAS'], others: ['FRAD', 'IDMN'] },
  investigationConfirmation: { size: 31, some: ['CNCL', 'CWFW', 'IPAY', 'PDCR', 'RJCR', 'UWFW'], others: ['ACCR'] },
  reversalReason: { size: 11, some: ['AM05', 'MD05', 'MS02', 'MS03'], others: ['FOCR', 'DUPL'] },
  returnReason: { size: 104, some: ['AC01', 'AC04', 'FOCR', 'MD06', 'NARR', 'G004'], others: ['RQDA', 'TECH'] },
  categoryPurpose: { size: 46, some: ['CASH', 'INTC', 'SALA', 'SUPP', 'TREA'], others: ['RENT', 'DIVD'] },
  purpose: { size: 333, some: ['B112', 'CRYP', 'DIVD', 'GDDS', 'RENT', 'SALA', 'SUPP'], others: ['DIVI', 'LBOX'] },
}

const foreign = ['ZZZZ', '__proto__', 'constructor', 'toString', 'hasOwnProperty', '', ' ', 'CUST ', 'CUS', 'CUSTX']

describe.each(Object.keys(members) as CodeSet[])('%s', set => {
  const codes = Object.keys(codeSets[set])

  test('is sorted, without repetition, and well-formed', () => {
    expect(codes).toEqual([...new Set(codes)].sort())
    expect(codes.filter(code => !/^[A-Z0-9]{1,4}$/.test(code))).toEqual([])
    expect(codes).toHaveLength(members[set].size)
  })

  test('has its codes, each with a meaning of a few words', () => {
    for (const code of members[set].some) expect(isCode(set, code), code).toBe(true)
    for (const code of codes) expect(meaningOf(set, code), code).toMatch(/^[A-Z][^.]{2,63}$/)
  })

  test('has no other codes', () => {
    const lowerCase = codes.map(code => code.toLowerCase())
    for (const code of [...members[set].others, ...foreign, ...lowerCase]) {
      expect(isCode(set, code), code).toBe(false)
      expect(meaningOf(set, code), code).toBeNull()
    }
  })
})

test('every code set has expectations in this file', () => {
  expect(Object.keys(codeSets).sort()).toEqual(Object.keys(members).sort())
})
