// The files that spreadsheets write, as `quittance import` reads them: what cannot be read for sure is refused in a
// sentence, and never guessed.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { paymentOf } from '../../src/cli/import/payment-of.ts'
import { rowsOf } from '../../src/cli/import/read-rows.ts'

let folder: string
let file: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-rows-'))
  file = join(folder, 'payments.csv')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const names = ['tip_tx_hash', 'chain', 'amount', 'currency', 'sender_wallet', 'receiver_wallet', 'reference']
const header = names.join()
const row = '0xab,base,12.50,USDC,0xa,0xb,r1'

/** Returns each row: its line, and its payment or its faults by their columns. */
async function read(content: string | Uint8Array) {
  await writeFile(file, content)
  const found: { line: number; payment?: Record<string, unknown>; faults?: Record<string, string> }[] = []
  for await (const one of rowsOf(file)) {
    const checked = paymentOf(one, one.separator, one.header.length)
    found.push(
      'payment' in checked
        ? { line: one.line, payment: checked.payment }
        : {
            line: one.line,
            faults: Object.fromEntries(checked.faults.map(({ column, message }) => [column ?? 'row', message])),
          },
    )
  }
  return found
}

const payment = {
  settlementTx: '0xab',
  chain: 'base',
  amount: '12.50',
  currency: 'USDC',
  senderWallet: '0xa',
  receiverWallet: '0xb',
  reference: 'r1',
}
const utf16 = (text: string, mark: boolean) => Buffer.from(`${mark ? '\uFEFF' : ''}${text}`, 'utf16le')

describe('a file', () => {
  it.each<[string, string | Uint8Array, number]>([
    ['as RFC 4180 says', `${header}\r\n${row}\r\n`, 2],
    ['without an end of line at its end', `${header}\n${row}`, 2],
    ['with the ends of lines of an old Macintosh', `${header}\r${row}\r`, 2],
    ['with a byte order mark', `\uFEFF${header}\r\n${row}\r\n`, 2],
    ['in UTF-16', utf16(`${header}\r\n${row}\r\n`, true), 2],
    ['in UTF-16 without a mark', utf16(`${header}\r\n${row}\r\n`, false), 2],
    [
      'with semicolons and a decimal comma',
      `${header};\n${row};\n`.replaceAll(',', ';').replace(/;\n/g, '\n').replace('12.50', '12,50'),
      2,
    ],
    ['with tabs', `${header}\n${row}\n`.replaceAll(',', '\t'), 2],
    ['that says its separator', `sep=;\r\n${header}\r\n${row}\r\n`.replaceAll(',', ';'), 3],
    ['with quotes', `"${names.join('","')}"\r\n"${row.split(',').join('","')}"\r\n`, 2],
    [
      'with spaces around values, and a header in capitals',
      `${header.toUpperCase().replaceAll(',', ' , ')}\n${row.replaceAll(',', ' , ')}\n`,
      2,
    ],
    ['with empty lines and rows', `${header}\n\n\n   \n,,,,,,\n${row}\n,,,,,,\n\n`, 6],
    ['with empty values of further columns', `${header},settled_at,transfer_index,resource_hash\n${row},,,\n`, 2],
  ])('%s is read', async (_, content, line) => {
    expect(await read(content)).toEqual([{ line, payment }])
  })

  it('has its lines counted where values and ends of lines are mixed', async () => {
    const found = await read(`${header}\r\n${row}\n${row.replace('r1', '"a\r\nb"')}\r\n\r\n${row}\n`)
    expect(found.map(({ line }) => line)).toEqual([2, 3, 6])
    expect(found[1]?.faults).toHaveProperty('reference')
  })

  it.each<[string, string | Uint8Array, RegExp]>([
    ['nothing', '', /has no header/],
    ['empty lines alone', '\n\n', /has no header/],
    ['a column twice', `${header},amount\n${row},1\n`, /columns twice: amount/],
    ['an unknown column', `${header},color\n${row},red\n`, /unknown columns: color[\s\S]*The columns are tip_tx_hash/],
    ['a column too little', `${header.replace(',reference', '')}\n${row}\n`, /lacks columns: reference/],
    ['no header', `${row}\n${row}\n`, /unknown columns: 0xab/],
    ['a column without a name', `${header},\n${row},\n`, /unknown columns/],
    ['a quote that is not closed', `${header}\n${row.replace('base', '"base')}\n`, /line 2: a quote is not closed/],
    [
      'such a quote before many rows',
      `${header}\n${row.replace('base', '"base')}\n${`${row}\n`.repeat(5_000)}`,
      /a row is longer than 64 KiB/,
    ],
    ['a very long line', `${header}\n${row}${'x'.repeat(70_000)}\n`, /line 2: a row is longer than 64 KiB/],
    ['a quote inside a value', `${header}\n${row.replace('r1', '5" pipe')}\n`, /line 2: a quote stands in a value/],
    [
      'text behind a quote',
      `${header}\n${row.replace('r1', '"a"b')}\n`,
      /line 2: there is text behind a closing quote/,
    ],
    ['another encoding', Buffer.from(`${header}\n${row.replace('r1', 'Müller')}\n`, 'latin1'), /not text in UTF-8/],
  ])('with %s is refused', async (_, content, message) => {
    await expect(read(content)).rejects.toThrow(message)
  })

  it('that is not there, or a folder, is refused', async () => {
    for (const path of [join(folder, 'none.csv'), folder])
      await expect(
        (async () => {
          for await (const _ of rowsOf(path));
        })(),
      ).rejects.toThrow(/cannot be read/)
  })
})

describe('an amount', () => {
  const amountIn = async (amount: string, separator: ',' | ';') => {
    const values = row.split(',').with(2, `"${amount}"`).join(separator)
    const [found] = await read(`${header.replaceAll(',', separator)}\n${values}\n`)
    return found?.payment?.amount ?? found?.faults?.amount
  }

  it.each<[string, ',' | ';', string]>([
    ['12.50', ',', '12.50'],
    ['12,50', ',', '12.50'],
    ['12,50', ';', '12.50'],
    ['1234,567', ';', '1234.567'],
    ['0,125', ';', '0.125'],
    ['0.125', ';', '0.125'],
    ['1.234', ',', '1.234'],
    ['1234.567', ';', '1234.567'],
    ['1.2340', ';', '1.2340'],
  ])('%s, with %s between values, is %s', async (amount, separator, expected) => {
    expect(await amountIn(amount, separator)).toBe(expected)
  })

  it.each<[string, ',' | ';', RegExp]>([
    ['1,234', ',', /two ways: 1,234 may be 1234 or 1.234/],
    ['1,234', ';', /two ways/],
    ['1.234', ';', /two ways: 1.234 may be 1234 or 1.234. Write 1234.00 or 1.2340/],
    ['1.234,56', ';', /separators of thousands/],
    ['1,234.56', ',', /separators of thousands/],
    ['1 234,56', ';', /separators of thousands/],
    ['1\u202f234,56', ';', /separators of thousands/],
    ['1’234.56', ',', /separators of thousands/],
    ['1.234.567', ';', /separators of thousands/],
    ['1,5E+03', ';', /exponent/],
    ['1e3', ',', /exponent/],
    ['$12.50', ',', /decimal string/],
    ['-1', ',', /decimal string/],
    ['0', ',', /above zero/],
    ['', ',', /decimal string/],
    ['٣', ',', /decimal string/],
  ])('%s, with %s between values, is refused', async (amount, separator, message) => {
    expect(await amountIn(amount, separator)).toMatch(message)
  })
})

describe('another value', () => {
  const faultsOf = async (columns: string, values: string) => (await read(`${columns}\n${values}\n`))[0]?.faults

  it.each(['tip_tx_hash', 'sender_wallet', 'receiver_wallet', 'reference'])(
    'that a spreadsheet has written as a number is refused in %s',
    async column => {
      const values = row.split(',').with(names.indexOf(column), '1.2E+70').join()
      expect(await faultsOf(header, values)).toEqual({ [column]: expect.stringContaining('its digits are lost') })
    },
  )

  it('that only looks like a number is kept', async () => {
    const [found] = await read(`${header}\n${row.replace('r1', '12E70')}\n`)
    expect(found?.payment?.reference).toBe('12E70')
  })

  it('has the rules of the service, by the names of the columns', async () => {
    const more = `${header},transfer_index,settled_at,resource_hash`
    expect(await faultsOf(more, `${row},1.0,31.01.2025,0x12`)).toEqual({
      transfer_index: expect.stringContaining('whole number'),
      settled_at: expect.stringContaining('RFC 3339'),
      resource_hash: expect.stringContaining('64 hex digits'),
    })
    expect(await faultsOf(more, `${row.replace('0xab', '0xab#1')},2,,`)).toHaveProperty('transfer_index')
    expect(await faultsOf(header, `${row},more`)).toEqual({
      row: expect.stringContaining('8 values, and the header 7'),
    })
    const [found] = await read(`${more}\n${row},7,2025-01-31T12:00:00+01:00,0x${'AB'.repeat(32)}\n`)
    expect(found?.payment).toMatchObject({ transferIndex: 7, settledAt: '2025-01-31T12:00:00+01:00' })
  })
})
