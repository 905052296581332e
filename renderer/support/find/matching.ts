/** A piece of a title: a match, or the text between. */
export interface TitlePiece {
  text: string
  isHit: boolean
}

interface Span {
  from: number
  to: number
}

/** Lower case and without accents, letter by letter, so that positions do not change. */
function fold(text: string): string {
  return [...text]
    .map((letter) =>
      (letter.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase() || letter)
        .padEnd(letter.length)
        .slice(0, letter.length)
    )
    .join('')
}

/** The search words. */
export function wantedWords(text: string): string[] {
  return fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .slice(0, 8)
}

/** 3: a whole word or number, 2: its beginning, 1: a part of it, 0: no match. */
function findWord(text: string, word: string): { rank: number; spans: Span[] } {
  const isNumber = /^\d+$/.test(word)
  const bare = isNumber ? word.replace(/^0+(?=.)/, '') : word
  const found: { rank: number; span: Span }[] = []
  // Runs of letters and of digits are separate words: "hld" and "007" in HLD007.
  for (const run of text.matchAll(isNumber ? /\d+/g : /\p{L}+|[\p{L}\p{N}]+/gu)) {
    const zeros = isNumber ? (/^0*(?=.)/.exec(run[0])?.[0].length ?? 0) : 0
    const begins = run[0].startsWith(bare, zeros) && !run[0].startsWith(word)
    if (!begins && !run[0].startsWith(word)) continue
    const from = run.index + (begins ? zeros : 0)
    const length = begins ? bare.length : word.length
    found.push({ rank: from + length === run.index + run[0].length ? 3 : 2, span: { from, to: from + length } })
  }
  if (found.length > 0)
    return { rank: Math.max(...found.map(({ rank }) => rank)), spans: found.map(({ span }) => span) }
  if (word.length < 2 || (isNumber && word.length < 3)) return { rank: 0, spans: [] }
  const at = text.indexOf(word)
  return at < 0 ? { rank: 0, spans: [] } : { rank: 1, spans: [{ from: at, to: at + word.length }] }
}

/** How well a title (with its hidden search words) matches all search words; 0 when one is missing. */
export function rankOf(title: string, also: string, words: readonly string[]): number {
  const inTitle = fold(title)
  const outside = fold(also)
  let rank = 0
  for (const word of words) {
    const own = findWord(inTitle, word).rank
    const other = own === 0 ? findWord(outside, word).rank : 0
    if (own === 0 && other === 0) return 0
    rank += own * 2 + other
  }
  return words.length === 0 ? 1 : rank / words.length
}

const shortestNear = 3

/** How much of a word begins a word or number of the text: "599" of 5999 in "B-HK 5998". */
function findBeginning(text: string, word: string): Span[] {
  for (let length = word.length - 1; length >= shortestNear; length--) {
    const { spans, rank } = findWord(text, word.slice(0, length))
    if (rank > 1) return spans
  }
  return []
}

/**
 * A title in pieces, with its matches separate; with `isNear`, also the part of a word that it shares with the title.
 */
export function piecesOf(title: string, words: readonly string[], isNear = false): TitlePiece[] {
  const folded = fold(title)
  const spansOf = (word: string) => {
    const { spans } = findWord(folded, word)
    return spans.length === 0 && isNear ? findBeginning(folded, word) : spans
  }
  const spans = words.flatMap(spansOf).sort((a, b) => a.from - b.from || b.to - a.to)
  const pieces: TitlePiece[] = []
  let done = 0
  for (const { from, to } of spans) {
    if (to <= done) continue
    // "B-HK 5999" is one mark.
    const isJoined = done > 0 && from === done + 1 && /[\s-]/.test(title[done] ?? '')
    const start = isJoined ? done : Math.max(from, done)
    if (start > done) pieces.push({ text: title.slice(done, start), isHit: false })
    const last = pieces.at(-1)
    if (last && isJoined) last.text += title.slice(start, to)
    else pieces.push({ text: title.slice(start, to), isHit: true })
    done = to
  }
  if (done < title.length) pieces.push({ text: title.slice(done), isHit: false })
  return pieces
}
