// The error codes as a GraphQL enum. A value is the very word of `extensions.code`, which REST and the log share, so it
// is in lower case, unlike the values of other enums.
import { errorCodes } from '../core/errors.ts'
import { builder } from './builder.ts'
import { asStored, textInRest } from './enum-names.ts'

export const ErrorCodeEnum = builder.enumType('ErrorCode', {
  description:
    'The code of an error: `extensions.code` in GraphQL, `detail` in REST. In lower case, because it is the same word in both.',
  extensions: { ...textInRest, ...asStored },
  values: Object.fromEntries(
    Object.entries(errorCodes).map(([code, { status, meaning }]) => [
      code,
      { description: `${meaning} HTTP status ${status}.` },
    ]),
  ),
})
