/**
 * The number of a SIM card (ICCID, ITU-T E.118) without filling, separators, quotes and the name before it (`+CCID: `),
 * in the order in which it is printed. Letters count: some cards have them. Undefined for anything that is no such
 * number. Forms: resources/forms.json, "sim".
 */
export function simNumber(text: string): string | undefined {
  const bare = text
    .toUpperCase()
    .replace(/[\s"'’“”-]/g, '')
    .replace(/^\+?[A-Z]*CCID[:=]?/, '')
    .replace(/^F+(?=98|89)/, '')
  if (!/^[0-9A-F]{18,22}$/.test(bare)) return undefined
  // A card stores each pair of digits the other way round; every printed number begins with 89.
  const turned = bare.startsWith('98') ? bare.replace(/(.)(.)/g, '$2$1') : bare
  const number = (turned.startsWith('89') ? turned : bare).replace(/F+$/, '')
  return number.length >= 18 && number.length <= 20 ? number : undefined
}

/** Whether two numbers are of one card. The last digit is a check digit, which some modems leave out. */
export function sameSim(one: string, other: string): boolean {
  const [a, b] = [simNumber(one), simNumber(other)]
  if (a === undefined || b === undefined) return false
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  return short === long || (long.length === short.length + 1 && long.startsWith(short))
}

/**
 * The last digits that are printed on a card, for a person to compare; of a text that is no such number its own last
 * ones.
 */
export function lastDigits(sim: string, count: number): string {
  return (simNumber(sim) ?? sim).slice(-count)
}
