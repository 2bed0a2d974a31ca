// Parses an EIP-4361 message, whole and strictly.
import { getAddress } from 'ethers'
import { SiweMessage } from 'siwe'
import { invalid } from '../../core/errors.ts'

const unparsable = (why: string) => invalid([{ path: ['input', 'message'], message: why, type: 'value_error' }])

/** Throws `validation_failed` for a text that is no EIP-4361 message, or that has parts beside it. */
export function parseMessage(text: string): SiweMessage {
  const whole = text.replace(lineBreakAtEnd, '').replace(oneBlankLine, '$1\n\n$2')
  const checksummed = whole.replace(plainAddress, (_, before: string, address: string) => before + getAddress(address))
  const message = read(checksummed)
  // The parsed fields must reproduce the whole signed text, so that the text contains nothing that was not parsed.
  if (message.toMessage() !== checksummed) throw unparsable('The message has parts that EIP-4361 does not know.')
  return message
}

// Some clients build the message line by line and sign the line break after the last line too.
const lineBreakAtEnd = /\r?\n$/

// EIP-4361 asks for the checksum of EIP-55, and allows an address without it. The parser does not.
const plainAddress = /^([^\n]*\n)(0x[0-9a-f]{40})(?=\n)/

// Without a statement, EIP-4361 requires two blank lines, and some wallets write one. A statement that looks like a URI
// is followed by a blank line, a real URI by the version.
const oneBlankLine = /^([^\n]*\n[^\n]*\n)\n(URI: [^\n]*\nVersion: )/

function read(text: string): SiweMessage {
  try {
    return new SiweMessage(text)
  } catch (error) {
    throw unparsable(unreadable(text, error instanceof Error ? error.message : ''))
  }
}

const labels = ['URI', 'Version', 'Chain ID', 'Nonce', 'Issued At']

// The parser counts lines while it tries several rules, so its line numbers are misleading.
function unreadable(text: string, fault: string): string {
  const missing = labels.find(label => !text.includes(`\n${label}: `))
  if (missing !== undefined) return `The message has no ${missing}.`
  if (fault.includes('invalid version')) return 'The message’s Version is not 1.'
  const [, what] = /^line \d+: (.*)$/m.exec(fault) ?? []
  return what ? `The message does not follow EIP-4361: ${what}.` : 'The message does not follow EIP-4361.'
}
