/** A code without the characters that a person or a terminal may have added around it; case does not matter. */
export function plainCode(text: string): string {
  return text
    .trim()
    .replace(/^[`'"«“]+|[`'"»”]+$/g, '')
    .replace(/\s+/g, ' ')
    .toLowerCase()
}

/** Text for comparison: without accents and in lower case. */
export function foldCode(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
}

/** Similar spelling: one letter in three may differ, be extra or be missing. */
export function isCloseTo(one: string, other: string): boolean {
  const most = Math.floor(Math.max(one.length, other.length) / 3)
  if (most === 0 || Math.abs(one.length - other.length) > most) return false
  return distance(one, other) <= most
}

function distance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [row, letter] of [...one].entries()) {
    const present = [row + 1]
    for (let at = 1; at <= other.length; at += 1) {
      const changed = (above[at - 1] ?? 0) + (other[at - 1] === letter ? 0 : 1)
      present.push(Math.min(changed, (above[at] ?? 0) + 1, (present[at - 1] ?? 0) + 1))
    }
    above = present
  }
  return above[other.length] ?? 0
}
