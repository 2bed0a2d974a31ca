// Reads and validates XML in tests: with the ISO schemas (not part of the project, see ISO20022_XSD_DIR), and XPath.
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type ParseOption,
  XmlDocument,
  type XmlElement,
  type XmlNode,
  XmlValidateError,
  XsdValidator,
} from 'libxml2-wasm'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = resolve(root, process.env.ISO20022_XSD_DIR ?? '../shared/xsd')

/**
 * True when the tests that need the schemas are skipped. In CI they are never skipped: without the schemas they fail.
 */
export const skipWithoutSchemas = !existsSync(folder) && process.env.CI === undefined
if (skipWithoutSchemas) {
  console.warn(
    'Skipped: validation against the ISO 20022 schemas. Point ISO20022_XSD_DIR at a folder with pain.001.001.09.xsd and the others.',
  )
}

export type Validator = {
  /** Returns the faults, one sentence each; empty when valid. */
  faults(target: XmlDocument | XmlElement): string[]
  close(): void
}

export function openValidator(file: string): Validator {
  const schema = XmlDocument.fromBuffer(readFileSync(file))
  const validator = XsdValidator.fromDoc(schema)
  schema.dispose()
  return {
    faults(target) {
      try {
        // The branches call two overloads of one function; the check narrows the type for each.
        if (target instanceof XmlDocument) validator.validate(target)
        else validator.validate(target)
        return []
      } catch (error) {
        if (!(error instanceof XmlValidateError)) throw error
        return error.details.map(detail => `line ${detail.line}: ${detail.message.trim()}`)
      }
    },
    close: () => validator.dispose(),
  }
}

export const isoSchemaFile = (version: string): string => resolve(folder, `${version}.xsd`)

export const openIsoValidator = (version: string): Validator => openValidator(isoSchemaFile(version))

export const onChainPaymentSchema = resolve(root, 'src/modules/iso20022/onchain-payment-1.xsd')

/** Returns the text of a node. The library's `content` drops a byte order mark at the start of a long text. */
export const contentOf = (node: XmlNode): string => String(node.eval(`concat('.', .)`)).slice(1)

/**
 * Parses the XML, passes the document to `use` and always disposes of it, because the garbage collector does not free
 * it.
 */
export function withXml<T>(xml: string, use: (document: XmlDocument) => T, options?: { option: ParseOption }): T {
  const document = XmlDocument.fromString(xml, options)
  try {
    return use(document)
  } finally {
    document.dispose()
  }
}
