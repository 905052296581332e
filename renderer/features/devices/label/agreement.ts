/**
 * One picture may be misread: a text counts only when the next picture that holds one holds the same. It is then given
 * once, until another text was seen.
 */
export function createAgreement(): (text: string) => string | undefined {
  let last: string | undefined
  let given: string | undefined
  return (text) => {
    const isSecond = text === last
    last = text
    if (!isSecond) {
      if (text !== given) given = undefined
      return undefined
    }
    if (text === given) return undefined
    given = text
    return text
  }
}
