// GraphQL: the URLs of the pages that show a receipt. The REST API redirects to those of any id.
import { z } from 'zod'
import { uuid } from '../../core/text.ts'
import { builder } from '../../kit/builder.ts'
import { described, restOnly } from '../../kit/enum-names.ts'
import { argumentsOf } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'

const pageUrl = (base: string, id: string) => `${base}/ui/receipt.html?rid=${id}`
const embedUrl = (base: string, id: string, theme: string | null | undefined) =>
  `${base}/ui/embed.html?rid=${id}${theme ? `&theme=${theme}` : ''}`

const receiptPageArguments = z.strictObject({ id: uuid.describe('The receipt’s UUID.') })

builder.queryField('receiptPageUrl', t =>
  t.field({
    type: 'URL',
    description: 'URL of the web page of a receipt.',
    args: argumentsOf(receiptPageArguments),
    access: 'public',
    input: receiptPageArguments,
    errors: [],
    extensions: restOnly,
    resolve: (_, args, { publicBaseUrl }) => pageUrl(publicBaseUrl, parse(receiptPageArguments, args).id),
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
    extensions: restOnly,
    resolve: (_, args, { publicBaseUrl }) => {
      const { id, theme } = parse(embedArguments, args)
      return id ? embedUrl(publicBaseUrl, id, theme) : `${publicBaseUrl}/`
    },
  }),
)

const themeArguments = z.strictObject({ theme: embedArguments.shape.theme })

builder.prismaObjectFields('Receipt', t => ({
  pageUrl: t.field({
    type: 'URL',
    description: 'URL of the web page of the receipt.',
    resolve: ({ id }, _, { publicBaseUrl }) => pageUrl(publicBaseUrl, id),
  }),
  embedUrl: t.field({
    type: 'URL',
    description: 'URL of a page of the receipt to embed in another page.',
    args: argumentsOf(themeArguments, { theme: ThemeEnum }),
    resolve: ({ id }, args, { publicBaseUrl }) => embedUrl(publicBaseUrl, id, parse(themeArguments, args).theme),
  }),
}))
