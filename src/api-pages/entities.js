// Replaces the package `entities`, because every browser already has its table of named characters.
export function decodeHTML(text) {
  // A textarea holds text only, so nothing in it is loaded or run.
  const area = document.createElement('textarea')
  area.innerHTML = text
  return area.value
}

export const decodeHTMLStrict = text => decodeHTML(text)
