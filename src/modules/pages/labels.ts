// Expands ISO 20022 element names into words. The names are abbreviations joined in CamelCase, so the list maps
// abbreviations.

/** Names that their abbreviations do not describe well, message elements first. */
const whole = new Map(
  Object.entries({
    CstmrDrctDbtInitn: 'Customer direct debit initiation',
    FIToFIPmtStsRpt: 'Payment status report',
    FIToFICstmrCdtTrf: 'Customer credit transfer between institutions',
    FIToFIPmtRvsl: 'Payment reversal',
    FIToFIPmtCxlReq: 'Payment cancellation request',
    BkToCstmrAcctRpt: 'Account report',
    BkToCstmrStmt: 'Account statement',
    BkToCstmrDbtCdtNtfctn: 'Debit and credit notification',
    EndToEndId: 'End-to-end id',
    OrgnlEndToEndId: 'Original end-to-end id',
    UETR: 'Unique end-to-end reference (UETR)',
    OrgnlUETR: 'Original unique end-to-end reference (UETR)',
    BICFI: 'Bank identifier (BIC)',
    AnyBIC: 'Bank identifier (BIC)',
    LEI: 'Legal entity identifier (LEI)',
    PAN: 'Card number (PAN)',
    EQAmt: 'Equal to amount',
    NEQAmt: 'Not equal to amount',
    EQSeq: 'Equal to sequence',
    NEQSeq: 'Not equal to sequence',
    CdtDbtInd: 'Credit or debit',
    CtryOfRes: 'Country of residence',
    CpyDplctInd: 'Copy or duplicate',
    PrePdAcct: 'Prepaid account',
    RePresntmntRsn: 'Re-presentment reason',
    MplyeeTermntnInd: 'Employment terminated',
    OnLineCntxt: 'Online context',
    OnLineCpblties: 'Online capabilities',
    FrToDt: 'From and to date',
    PmtTpInf: 'Payment type',
    OnChainPayment: 'On-chain payment',
    OnChainStatement: 'On-chain statement',
    enc: 'Written as',
    inBand: 'Amount in the rest of the message',
  }),
)

const list = `Accptd accepted,Accptnc acceptance,Acct account,Actl actual,Actn action,Actvty activity,Addtl additional,
Adjstmnt adjustment,Admstn administration,Admstr administrator,Adr address,Advc advice,Aggtd aggregated,Agt agent,
Agts agents,Amdmnt amendment,Amt amount,Amtsd amortised,Anncd announced,Apld applied,Apprvl approval,Assgne assignee,
Assgnmt assignment,Assgnr assigner,Attndnc attendance,Attndnt attendant,Authntcn authentication,Authrty authority,
Authstn authorisation,Avlbty availability,Bal balance,Bdry boundary,Biz business,Bk bank,Bldg building,Bookg booking,
Br bearer,Brnch branch,Brnd brand,Btch batch,Bx box,CSC card security code,Ccy currency,Cd code,Cdt credit,
Cdtr creditor,Cert certificate,Chanl channel,Chq cheque,Chrg charge,Chrgs charges,Clm claim,Clr clearing,
Cmpnt component,Cnt count,Cntr counter,Cntxt context,Colltn collection,Compstn compensation,Comssn commission,
Conf confirmation,Confd confirmed,Corp corporate,Cpbl capable,Cpblties capabilities,Cpy copy,Crdhldr cardholder,
Cre creation,Cretr creator,Crrctd corrected,Crrctn correction,Csh cash,Cstmr customer,Ctct contact,Ctgy category,
Ctrct contract,Ctrctl contractual,Ctrl control,Ctry country,Cur current,Cxl cancellation,Dbt debit,Dbtr debtor,
Dept department,Desc description,Disp display,Dlvr deliver,Dlvrg delivering,Dlvry delivery,Dnmtn denomination,
Doc document,Domn domain,Dplct duplicate,Dpst deposit,Drct direct,Dscnt discount,Dstrct district,Dt date,
Dtld detailed,Dtls details,Dts dates,Dvsn division,Elctrnc electronic,Envlp envelope,Envt environment,Eqvt equivalent,
Evt event,Exctn execution,FI financial institution,Fcst forecast,Fctv effective,Fin financial,Fld field,
Fllbck fallback,Flr floor,Fmly family,Fnl final,Fr from,Frms forms,Frqcy frequency,Frst first,Fwdg forwarding,
Grnshee garnishee,Grnshmt garnishment,Grp group,Hdr header,ICC chip card,Incl included,Ind indicator,
Indctn indication,Indv individual,Inf information,Infrstrctr infrastructure,Initg initiating,Initn initiation,
Inpt input,Insrnc insurance,Instd instructed,Instg instructing,Instn institution,Instr instruction,Instrm instrument,
Intr inter,Intrmy intermediary,Intrst interest,Invcee invoicee,Invcr invoicer,Invstgtn investigation,Issg issuing,
Issr issuer,Lang language,Lcl local,Lctn location,Lgl legal,Lvl level,Manfctr manufacturer,Md mode,Mdcl medical,
Mdl model,Measr measure,Mgmt management,Mkt market,Mmb member,Mndt mandate,Mob mobile,Mod modification,Msg message,
Mtd method,Mtrty maturity,Nb number,Nm name,Ntfctn notification,Ntries entries,Ntry entry,Ntty entity,Nxt next,
Org organisation,Orgnl original,Orgtr originator,Othr other,Ownr owner,POI point of interaction,Pctg percentage,
Pdct product,Pg page,Pgntn pagination,Phne phone,Plc place,Pmt payment,Poolg pooling,Prcd proceeded,Prcg processing,
Prd period,Prefrd preferred,Pres present,Presntmnt presentment,Prfx prefix,Pric price,Prt print,Prtry proprietary,
Prty priority,Prvc province,Prvs previous,Prvt private,Prxy proxy,Pst post,Pstl postal,Pstng posting,Pt point,
Pties parties,Pty party,Purp purpose,Pybl payable,Qry query,Qties quantities,Qtn quotation,Qty quantity,
Rcncltn reconciliation,Rcpt recipient,Rcrd record,Rct receipt,Rcvg receiving,Rdng reading,Ref reference,
Refs references,Regn registration,Reop reopen,Req request,Reqd requested,Res residence,Rfrd referred,Rg range,
Rgltry regulatory,Rgnl regional,Rjct reject,Rjctd rejected,Rltd related,Rmbrsmnt reimbursement,Rmt remittance,
Rmtd remitted,Rpt report,Rptg reporting,Rsltn resolution,Rslvd resolved,Rsn reason,Rspnsblty responsibility,
Rtr return,Rtrd returned,Rvsd reversed,Rvsl reversal,Schme scheme,Scty security,Seq sequence,Sfkpg safekeeping,
Sfx suffix,Sgntr signature,Shrt short,Splmtry supplementary,Src source,Srl serial,Stmt statement,Strd structured,
Strt street,Sts status,Sttlm settlement,Summry summary,Svc service,Svcr servicer,Sys system,Taxbl taxable,
Tech technical,Termntn termination,Thrd third,Titl title,Tm time,Tp type,Trad trade,Tradg trading,Trck track,
Trckg tracking,Trckr tracker,Trf transfer,Trgt target,Ttl total,Twn town,Tx transaction,Txs transactions,
Ultmt ultimate,Undrlyg underlying,Ustrd unstructured,Val value,Vldtn validation,Vldty validity,Vrfctn verification,
Vrsn version,Wvr waiver,Xchg exchange,Xpry expiry,Yldd yielded,Yr year`

const words = new Map(
  list.split(/,\s*/).map(pair => [pair.slice(0, pair.indexOf(' ')), pair.slice(pair.indexOf(' ') + 1)]),
)

const isAcronym = (piece: string) => /^[A-Z]{2,}/.test(piece)

/** Expands a piece of a name, in lower case; an unlisted piece is not expanded. `Agt1` becomes `agent 1`. */
function word(piece: string): string {
  const [, letters = piece, digits = ''] = /^(\D+)(\d*)$/.exec(piece) ?? []
  const known = words.get(letters) ?? (isAcronym(letters) ? letters : letters.toLowerCase())
  return digits === '' ? known : `${known} ${digits}`
}

/** Returns the name of an element in words: `CdtTrfTxInf` is `Credit transfer transaction information`. */
export function labelOf(tag: string): string {
  const said = whole.get(tag)
  if (said !== undefined) return said
  const pieces = tag.match(/[A-Z]+(?![a-z])\d*|[A-Z][a-z]*\d*|[^A-Z]+/g) ?? [tag]
  const text = pieces.map(word).join(' ').replace('date time', 'date and time').replace('inter bank', 'interbank')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
