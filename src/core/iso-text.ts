// Identifiers of ISO standards other than 20022, as zod types.
import { z } from 'zod'

// The 249 officially assigned codes: other lists also contain reserved and user-assigned codes.
const countries: ReadonlySet<string> = new Set(
  [
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ',
    'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO',
    'FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE',
    'JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO',
    'MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW',
    'PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM',
    'TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW',
  ].flatMap(line => line.split(' ')),
)

/** ISO 3166-1 alpha-2. */
export const country = z
  .string()
  .refine(code => countries.has(code), 'Must be an ISO 3166-1 alpha-2 country code.')
  .meta({ graphql: 'String', pattern: '^[A-Z]{2}$' })

/** ISO 7064 mod 97-10, letters as 10 to 35. */
const mod97 = (code: string) => BigInt([...code].map(char => Number.parseInt(char, 36)).join('')) % 97n

/** Legal entity identifier, ISO 17442, with its check digits. */
export const lei = z
  .string()
  .regex(/^[A-Z0-9]{18}[0-9]{2}$/, { error: 'Must be an ISO 17442 LEI of 20 characters.', abort: true })
  .refine(code => mod97(code) === 1n, 'The check digits of this LEI are wrong.')
  .meta({ graphql: 'String', pattern: '^[A-Z0-9]{18}[0-9]{2}$' })

// The active codes, without those for testing (XTS) and for no currency (XXX).
const currencies: ReadonlySet<string> = new Set(
  [
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE',
    'CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ',
    'GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL',
    'LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR',
    'PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY',
    'TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAF XAG XAU XBA XBB XBC XBD XCD XCG XDR XOF XPD',
    'XPF XPT XSU XUA YER ZAR ZMW ZWG',
  ].flatMap(line => line.split(' ')),
)

/** Returns whether the text is an active ISO 4217 code. */
export const isCurrencyCode = (code: string): boolean => currencies.has(code)

// ISO 4217, list one: the minor units that are not 2. Those that the list calls N.A. have none that could be exceeded.
const minorUnits: ReadonlyMap<string, number | null> = new Map(
  (
    [
      [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
      [3, 'BHD IQD JOD KWD LYD OMR TND'],
      [4, 'CLF UYW'],
      [null, 'XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XUA'],
    ] as const
  ).flatMap(([digits, codes]) => codes.split(' ').map((code): [string, number | null] => [code, digits])),
)

/** Returns the fraction digits of amounts in a currency; null where ISO 4217 defines none, as for gold. */
export const minorUnitOf = (code: string): number | null => {
  const digits = minorUnits.get(code)
  return digits === undefined ? 2 : digits
}

export const currencyCode = z
  .string()
  .refine(isCurrencyCode, 'Must be an ISO 4217 currency code.')
  .meta({ graphql: 'String', pattern: '^[A-Z]{3}$' })

/** Digital token identifier, ISO 24165. */
export const dti = z
  .string()
  .regex(/^[1-9B-DF-HJ-NP-TV-XZ][0-9B-DF-HJ-NP-TV-XZ]{8}$/, 'Must be an ISO 24165 DTI of 9 characters.')
  .meta({ graphql: 'String', pattern: '^[1-9B-DF-HJ-NP-TV-XZ][0-9B-DF-HJ-NP-TV-XZ]{8}$' })
