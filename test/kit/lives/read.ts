// Reads from messages what an auditor needs, with XPath alone: nothing of the service reads its own messages here.
import type { XmlElement } from 'libxml2-wasm'
import { contentOf, withXml } from '../xsd.ts'

const ours = { o: 'urn:quittance:onchain-payment:1' }
const all = (node: { find: XmlElement['find'] }, path: string) => node.find(path, ours) as XmlElement[]
const step = (name: string) => `*[local-name()='${name}']`
const path = (text: string) => text.split('/').map(step).join('/')

function textAt(node: XmlElement, at: string): string | null {
  const found = node.get(at, ours)
  return found === null ? null : contentOf(found)
}

const at = (node: XmlElement, names: string) => textAt(node, path(names))

/** A text of our own elements; a text that XML cannot carry is a JSON string. */
function exact(node: XmlElement, name: string): string | null {
  const found = node.get(`o:${name}`, ours) as XmlElement | null
  if (found === null) return null
  const text = contentOf(found)
  return textAt(node, `o:${name}/@enc`) === 'json' ? String(JSON.parse(text)) : text
}

export type Payment = {
  receipt: string
  chain: string
  transaction: string | null
  payer: string
  payee: string
  asset: string
  amount: string
  refundOf: string | null
}

const paymentOf = (node: XmlElement): Payment => ({
  receipt: exact(node, 'ReceiptId') ?? '',
  chain: exact(node, 'Chain') ?? '',
  transaction: exact(node, 'TxHash'),
  payer: exact(node, 'Payer') ?? '',
  payee: exact(node, 'Payee') ?? '',
  asset: exact(node, 'Asset') ?? '',
  amount: exact(node, 'Amount') ?? '',
  refundOf: exact(node, 'RefundOf'),
})

/** A party that a message names, and the id that it gives for its wallet: the wallet, or `W-` and a hash of it. */
type Named = { name: string; wallet: string; role: string }

/** Every element with a name and the id of a wallet, wherever it is. */
const namedIn = (node: XmlElement): Named[] =>
  all(node, `.//${step('Nm')}/..`).flatMap(element => {
    const id = element.get(`${path('Id')}/*/${path('Othr')}[${path('SchmeNm/Prtry')}[starts-with(., 'WALLET')]]`, ours)
    if (id === null) return []
    return [{ name: at(element, 'Nm') ?? '', wallet: at(id as XmlElement, 'Id') ?? '', role: element.name }]
  })

type Entry = {
  side: string
  amount: string
  status: string
  bookedOn: string | null
  servicerReference: string | null
  /** The payment; of a remainder, the payments that are too small for entries of their own, and none otherwise. */
  payments: Payment[]
  isRemainder: boolean
}

export type Statement = {
  root: string
  account: string
  wallet: string
  currency: string
  numbers: (string | null)[]
  copy: string | null
  from: string
  to: string
  page: string
  isLast: boolean
  opening: { code: string; amount: string; on: string }
  closing: { code: string; amount: string; on: string }
  /** Null where the sums do not fit. */
  count: number | null
  entries: Entry[]
  named: Named[]
  /** The exact sums of the page, and whether the standard elements carry all of their digits. */
  exact: { opening: string; closing: string; isInBand: boolean }
}

const signed = (node: XmlElement): string => `${at(node, 'CdtDbtInd') === 'DBIT' ? '-' : ''}${at(node, 'Amt')}`

function balance(node: XmlElement) {
  return {
    code: at(node, 'Tp/CdOrPrtry/Cd') ?? '',
    amount: signed(node),
    on: at(node, 'Dt/Dt') ?? at(node, 'Dt/DtTm') ?? '',
  }
}

const entryOf = (node: XmlElement): Entry => ({
  side: at(node, 'CdtDbtInd') ?? '',
  amount: at(node, 'Amt') ?? '',
  status: at(node, 'Sts/Cd') ?? '',
  bookedOn: at(node, 'BookgDt/Dt') ?? at(node, 'BookgDt/DtTm'),
  servicerReference: at(node, 'AcctSvcrRef'),
  payments: all(node, './/o:OnChainPayment').map(paymentOf),
  isRemainder: at(node, 'BkTxCd/Prtry/Cd') === 'ONCHAIN-REMAINDER',
})

function statementOf(root: string, node: XmlElement, account: XmlElement): Statement {
  const balances = all(node, path('Bal')).map(balance)
  const [opening, closing] = balances
  if (opening === undefined || closing === undefined || balances.length !== 2)
    throw new Error(`a statement has ${balances.length} balances`)
  return {
    root,
    account: at(node, 'Acct/Id/Othr/Id') ?? '',
    wallet: at(node, 'Acct/Prxy/Id') ?? '',
    currency: at(node, 'Acct/Ccy') ?? '',
    numbers: ['ElctrncSeqNb', 'LglSeqNb'].map(name => at(node, name)),
    copy: at(node, 'CpyDplctInd'),
    from: at(node, 'FrToDt/FrDtTm') ?? '',
    to: at(node, 'FrToDt/ToDtTm') ?? '',
    page: at(node, 'StmtPgntn/PgNb') ?? at(node, 'RptPgntn/PgNb') ?? '',
    isLast: (at(node, 'StmtPgntn/LastPgInd') ?? at(node, 'RptPgntn/LastPgInd')) === 'true',
    opening,
    closing,
    count: node.get(path('TxsSummry'), ours) === null ? null : Number(at(node, 'TxsSummry/TtlNtries/NbOfNtries')),
    entries: all(node, path('Ntry')).map(entryOf),
    named: all(node, path('Acct')).flatMap(namedIn),
    exact: {
      opening: exact(account, 'Opening') ?? '',
      closing: exact(account, 'Closing') ?? '',
      isInBand: textAt(account, '@inBand') === 'exact',
    },
  }
}

export type Message = {
  /** The texts of all elements with a name, whatever it names. */
  names: string[]
  named: Named[]
  payments: Payment[]
  statements: Statement[]
  /** Every decimal that a standard element carries. */
  decimals: string[]
}

const amounts = ['Amt', 'InstdAmt', 'IntrBkSttlmAmt', 'RtrdIntrBkSttlmAmt', 'RtrdInstdAmt', 'OrgnlIntrBkSttlmAmt']
const sums = [
  'Sum',
  'CtrlSum',
  'TtlRtrdIntrBkSttlmAmt',
  'TtlIntrBkSttlmAmt',
  'XchgRate',
  'Unit',
  'RmtdAmt',
  'OrgnlInstdAmt',
]
const isDecimal = [...amounts, ...sums].map(name => `local-name()='${name}'`).join(' or ')

/** Reads a message. `xml` is checked by `check` too, while it is parsed. */
export function readMessage(xml: string, check: (document: XmlElement['doc']) => void = () => {}): Message {
  return withXml(xml, document => {
    check(document)
    const { root } = document
    const accounts = all(root, './/o:OnChainStatement/o:Account')
    return {
      names: all(root, `.//${step('Nm')}`).map(contentOf),
      named: namedIn(root),
      payments: all(root, './/o:OnChainPayment').map(paymentOf),
      statements: all(root, `.//${step('Stmt')} | .//${step('Rpt')}`).flatMap((node, index) => {
        const account = accounts[index]
        return account === undefined ? [] : [statementOf(root.name, node, account)]
      }),
      decimals: all(root, `.//*[(${isDecimal}) and not(*)]`).map(contentOf),
    }
  })
}
