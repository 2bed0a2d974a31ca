// GraphQL: the URLs of the pages that show a receipt.
import { z } from 'zod'
import { uuid } from '../../core/text.ts'
import { builder } from '../../kit/builder.ts'
import { described } from '../../kit/enum-names.ts'
import { argumentsOf } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'

const receiptPageArguments = z.strictObject({ id: uuid.describe('The receipt’s UUID.') })

builder.queryField('receiptPageUrl', t =>
  t.field({
    type: 'URL',
    description: 'URL of the web page of a receipt.',
    args: argumentsOf(receiptPageArguments),
    access: 'public',
    input: receiptPageArguments,
    errors: [],
    resolve: (_, args, { publicBaseUrl }) =>
      `${publicBaseUrl}/ui/receipt.html?rid=${parse(receiptPageArguments, args).id}`,
  }),
)

const embedArguments = z.strictObject({
  id: uuid.nullish().describe('The receipt’s UUID.'),
  theme: z.enum(['light', 'dark']).nullish().describe('LIGHT or DARK; the reader’s own setting unless given.'),
})

const ThemeEnum = builder.enumType('Theme', {
  description: 'Theme of a page.',
  values: described({ light: 'Dark text on a light page.', dark: 'Light text on a dark page.' }),
})

builder.queryField('embedPageUrl', t =>
  t.field({
    type: 'URL',
    description: 'URL of an embeddable receipt page; of the landing page unless a receipt is given.',
    args: argumentsOf(embedArguments, { theme: ThemeEnum }),
    access: 'public',
    input: embedArguments,
    errors: [],
    resolve: (_, args, { publicBaseUrl }) => {
      const { id, theme } = parse(embedArguments, args)
      if (!id) return `${publicBaseUrl}/`
      return `${publicBaseUrl}/ui/embed.html?rid=${id}${theme ? `&theme=${theme}` : ''}`
    },
  }),
)
