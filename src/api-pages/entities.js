// Stands for the package `entities`, a list of all named characters, which every browser has too.
export function decodeHTML(text) {
  // A textarea holds text only, so nothing in it is loaded or run.
  const area = document.createElement('textarea')
  area.innerHTML = text
  return area.value
}

export const decodeHTMLStrict = text => decodeHTML(text)
