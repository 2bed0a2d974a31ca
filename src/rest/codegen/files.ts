// Parts of OpenAPI for a route that answers with a file.
import type { JsonSchema } from '../scalars.ts'
import type { Annotation } from './annotation.ts'

const string = { type: 'string' }
const etag = { description: 'SHA-256 of the bytes, 0x-prefixed, in quotes.', required: true, schema: string }

/** `binary` is for tools of OpenAPI 3.0, which know no other keyword for bytes. */
const bytesOf = (type: string) => ({ schema: { ...string, format: 'binary', contentMediaType: type } })

/** `application/octet-stream` is valid for any file, and is for clients that do not know the other types. */
const types = ({ mediaTypes = [] }: Annotation) => ['application/octet-stream', ...mediaTypes]

export const fileAnswer = (annotation: Annotation): JsonSchema => ({
  description:
    'The bytes, with the media type of the file, or `application/octet-stream` for a caller that accepts nothing else.',
  headers: {
    ETag: etag,
    'Content-Disposition': {
      description: '`inline`, or `attachment` for a ZIP, with the name of the file.',
      required: true,
      schema: string,
    },
  },
  content: Object.fromEntries(types(annotation).map(type => [type, bytesOf(type)])),
})

export const unchanged = { description: 'The caller has this file already.', headers: { ETag: etag } }

/** A part of a file, for a caller that asks for one. */
export const partAnswer = (annotation: Annotation): JsonSchema => ({
  description: 'The part of the file that `Range` asks for.',
  headers: {
    ETag: etag,
    'Content-Range': { description: 'First and last byte of the part, and the size.', required: true, schema: string },
  },
  content: Object.fromEntries(types(annotation).map(type => [type, bytesOf(type)])),
})

export const range = {
  name: 'Range',
  in: 'header',
  required: false,
  description: 'One part of the file, such as `bytes=1000-`. Of several parts the answer is the whole file.',
  schema: string,
}

export const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of the caller’s copy. The answer is 304 if the file is unchanged.',
  schema: string,
}
