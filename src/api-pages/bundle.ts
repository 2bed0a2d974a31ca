// Bundles the scripts and the style sheet of the API pages for the browser.
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const place = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Returns the content of each file to write, by its path in the repository. */
export async function bundlePages(): Promise<Map<string, string>> {
  const bundled = await Promise.all(['graphiql', 'docs'].map(bundle))
  return new Map(bundled.flat())
}

async function bundle(name: string): Promise<[string, string][]> {
  const results = await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [{ name: 'fonts', transform: (code, id) => (id.endsWith('.css') ? withoutFonts(code) : null) }],
    build: {
      write: false,
      license: { fileName: `${name}.licenses.md` },
      lib: { entry: place(`${name}.js`), formats: ['iife'], name, fileName: () => `${name}.js`, cssFileName: name },
    },
  })
  return [results]
    .flat()
    .flatMap(result =>
      'output' in result
        ? result.output.map((file): [string, string] => [
            `src/api-pages/dist/${file.fileName}`,
            file.type === 'chunk' ? file.code : String(file.source),
          ])
        : [],
    )
}

// The fonts are two thirds of GraphiQL's compressed style sheet; the browser uses its own instead.
const withoutFonts = (css: string) => css.replace(/@font-face\s*\{[^}]*\}/g, '')
