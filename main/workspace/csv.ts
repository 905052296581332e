/** A table from a CSV file; RFC 4180, separated by comma, semicolon or tab, whichever the first line contains most often. */
export function readCsv(text: string): string[][] {
  const source = text.replace(/^\uFEFF/, '')
  const [firstLine = ''] = source.split(/\r?\n/, 1)
  const separator = [',', ';', '\t'].reduce((best, one) => (count(firstLine, one) > count(firstLine, best) ? one : best))
  const rows: string[][] = []
  let row: string[] = []
  let field = ''
  let isQuoted = false
  for (let at = 0; at < source.length; at++) {
    const char = source[at] as string
    if (isQuoted) {
      if (char !== '"') field += char
      else if (source[at + 1] === '"') field += source[++at] as string
      else isQuoted = false
    } else if (char === '"' && field === '') isQuoted = true
    else if (char === separator) endField()
    else if (char === '\n' || char === '\r') {
      if (char === '\r' && source[at + 1] === '\n') at++
      endField()
      endRow()
    } else field += char
  }
  endField()
  endRow()
  return rows

  function endField(): void {
    row.push(field.trim())
    field = ''
  }
  function endRow(): void {
    if (row.some((one) => one !== '')) rows.push(row)
    row = []
  }
}

function count(text: string, part: string): number {
  return text.split(part).length - 1
}
