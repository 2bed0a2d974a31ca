// Extracts the code blocks of a page under docs/, so that a test runs what a reader copies.
import { readFile } from 'node:fs/promises'

const docs = new URL('../../docs/', import.meta.url)

/** Returns the blocks of a language, in order, each with the heading of second or third level above it. */
export async function blocksOf(page: string, language: string): Promise<{ heading: string; code: string }[]> {
  const text = await readFile(new URL(page, docs), 'utf8')
  const fence = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms')
  return text.split(/^##+ /m).flatMap(section => {
    const heading = section.split('\n')[0] ?? ''
    return [...section.matchAll(fence)].map(([, code = '']) => ({ heading, code }))
  })
}
