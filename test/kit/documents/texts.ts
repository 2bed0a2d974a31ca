// Texts that are hard to write as JSON, or that look like what the compiler to SQL writes itself.
import { refusal } from '../../../src/kit/sql/write/sentinels.ts'

export const oddTexts: readonly string[] = [
  'order 1',
  '"quoted"',
  `it's`,
  'back\\slash \\" \\u0041 \\',
  'tab\there',
  '7\t',
  '12345\t"',
  'lines\nand\r\nreturns',
  'bell \u0007 escape \u001b delete \u007f next \u0085',
  '🧾 ünïcödé 漢字 \u2028 \u2029 \ufeff',
  'e\u0301 combined, \u202eright to left',
  'null',
  '{"id":1}',
  '[],}',
  `'||chr(9)||'`,
  '$1 :name %s %d 100%',
  'a_b%c\\_d',
  'refused 00000000-0000-4000-8000-000000000000',
  'counted 0 00000000-0000-4000-8000-000000000000',
  '$& $1 $` $$',
  ' edges ',
  '',
]

/** The sentinels of this process itself. No caller knows them; an answer with them has to be right all the same. */
export const sentinels: readonly string[] = [refusal, JSON.parse(refusal)]
