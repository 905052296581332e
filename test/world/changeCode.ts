/** Code as a pattern that fits whatever the layout of its lines is: white space between two signs may come and go. */
function patternOf(code: string): RegExp {
  const signs = code.match(/\w+|[^\w\s]/g) ?? []
  const pattern = signs.map(
    (sign, at) =>
      (at > 0 && /\w/.test(sign) && /\w$/.test(signs[at - 1] ?? '') ? '\\s+' : at > 0 ? '\\s*' : '') +
      sign.replace(/\W/g, '\\$&')
  )
  return new RegExp(pattern.join(''), 'g')
}

/** How often a source has this piece of code. */
export function countCode(source: string, code: string): number {
  return source.match(patternOf(code))?.length ?? 0
}

/** The source with the first place of this piece of code replaced. */
export function changeCode(source: string, from: string, to: string): string {
  const { index, 0: found } = patternOf(from).exec(source) ?? { index: -1, 0: '' }
  return index < 0 ? source : source.slice(0, index) + to + source.slice(index + found.length)
}
