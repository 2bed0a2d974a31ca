// The style sheet of message pages, in the style of src/web/page.css. It is constant, so that a Content-Security-Policy
// can contain its hash.

/** The text of the page's only style element. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f5f6f8, #14171b);
  --sheet: light-dark(#ffffff, #1c2026);
  --ink: light-dark(#1b2430, #e7eaee);
  --soft: light-dark(#525e6d, #a9b3bf);
  --line: light-dark(#d5dae1, #343b45);
  --link: light-dark(#164f8c, #8fbdf0);
}
* { box-sizing: border-box; }
body {
  margin: 0;
  background: var(--page);
  color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
.bar, main, footer { max-width: 60rem; margin: 0 auto; padding: 0 1.25rem; }
.bar { padding-block: 1.25rem 0.5rem; }
.brand { color: inherit; font-weight: 650; letter-spacing: 0.02em; text-decoration: none; }
footer { padding-block: 0.5rem 2rem; color: var(--soft); font-size: 0.875rem; }
footer p { margin: 0.75rem 0 0; max-width: 42rem; }
main:focus { outline: none; }
h1 { margin: 0.75rem 0 1rem; font-size: 1.6rem; line-height: 1.25; }
h2 { margin: 1.5rem 0 0.75rem; font-size: 1.15rem; }
h3 { margin: 0 0 0.6rem; font-size: 1rem; }
.panel { margin: 0 0 1rem; padding: 1.1rem 1.25rem; border: 1px solid var(--line); border-radius: 6px; background: var(--sheet); }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip:not(:focus) { position: absolute; left: -100rem; }
.hint { color: var(--soft); font-size: 0.875rem; }
p.hint { margin: 0.25rem 0 0.75rem; max-width: 42rem; }
.amount { margin: 0 0 0.75rem; font-size: 1.75rem; font-weight: 600; font-variant-numeric: tabular-nums; line-height: 1.25; overflow-wrap: anywhere; }
.unseen { padding: 0 0.2em; border: 1px dashed; border-radius: 3px; font: 0.75em ui-monospace, Menlo, Consolas, monospace; white-space: nowrap; }
.label { padding: 0 0.3em; border: 1px solid var(--line); border-radius: 4px; }
bdi { white-space: pre-wrap; overflow-wrap: anywhere; }
.code { font: 0.9em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
dl { margin: 0; }
dl > div { display: grid; grid-template-columns: minmax(9rem, 13rem) minmax(0, 1fr); gap: 0 1rem; padding: 0.2rem 0; }
dl > .group { display: block; }
dt { color: var(--soft); }
dd { margin: 0; min-width: 0; }
.rows dt { font-size: 0.9375rem; }
.rows .group > dt { color: var(--ink); font-weight: 600; }
.rows .group > dd { margin: 0.1rem 0 0.4rem; padding-left: 0.9rem; border-left: 2px solid var(--line); }
[title] { text-decoration: none; cursor: help; }
.wide { overflow-x: auto; margin-top: 0.9rem; }
table { width: 100%; min-width: 46rem; border-collapse: collapse; font-size: 0.875rem; }
caption { padding: 0.25rem 0; color: var(--soft); text-align: left; }
th, td { padding: 0.4rem 0.5rem; border-top: 1px solid var(--line); text-align: left; vertical-align: top; }
thead th { color: var(--soft); font-weight: 600; }
tbody th { font-weight: inherit; }
td:first-child { min-width: 6.25rem; }
td .hint, th .hint { display: block; font-size: 0.8125rem; }
th:first-child, td:first-child { padding-left: 0; }
th:last-child, td:last-child { padding-right: 0; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.number bdi { white-space: pre; }
@media (max-width: 34rem) {
  dl > div { display: block; padding: 0.3rem 0; }
}
@page { size: A4; margin: 15mm; }
@media print {
  :root { color-scheme: light; font-size: 9pt; --page: #fff; --soft: #333; --line: #999; }
  body { line-height: 1.35; }
  .bar, main, footer { max-width: none; padding-inline: 0; }
  .bar { padding-block: 0; }
  .skip { display: none; }
  .panel { padding: 0.5rem 0.7rem; }
  h1, h2, h3, .group > dt, caption { break-after: avoid; }
  dl > div { padding-block: 0.1rem; }
  dl > div:not(.group), tr { break-inside: avoid; }
  .wide { overflow: visible; }
  table { min-width: 0; font-size: 0.8125rem; }
  td:first-child { min-width: 0; }
  thead { display: table-header-group; }
  .source::after { content: " (" attr(href) ")"; overflow-wrap: anywhere; }
}
`
