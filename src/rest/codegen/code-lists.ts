// The URLs of the code lists that descriptions name.
import type { JsonSchema } from '../scalars.ts'

const lists: [named: RegExp, description: string, url: string][] = [
  [
    /\bExternal\w+1Code\b/,
    'The external code sets of ISO 20022. This service knows the edition of the third quarter of 2025.',
    'https://www.iso20022.org/catalogue-messages/additional-content-messages/external-code-sets',
  ],
  [
    /\bISO 4217\b/,
    'ISO 4217, the codes of currencies.',
    'https://www.six-group.com/en/products-services/financial-information/data-standards.html',
  ],
  [/\bISO 3166-1\b/, 'ISO 3166-1, the codes of countries.', 'https://www.iso.org/iso-3166-country-codes.html'],
  [/\bISO 17442\b/, 'ISO 17442, legal entity identifiers.', 'https://search.gleif.org'],
  [/\bISO 24165\b/, 'ISO 24165, digital token identifiers.', 'https://dtif.org'],
  [/\bCAIP-2\b/, 'CAIP-2, the ids of chains.', 'https://standards.chainagnostic.org/CAIPs/caip-2'],
]

/** Returns the `externalDocs` of the code list that a description names; empty if it names none. */
export function listOf(text: string | null): JsonSchema {
  const [, description, url] = lists.find(([named]) => named.test(text ?? '')) ?? []
  return url === undefined ? {} : { externalDocs: { description, url } }
}
