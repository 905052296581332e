import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import { messageFiles } from '../main/base/messages/messageFiles.ts'
import { projectFolder, resourcesFolder } from '../main/base/projectFolder.ts'

const plain = 'ACDEGHIJKLNORSTUWYZacdeghijklnorstuwyz'
const accented = 'ÁÇĐÉĜĤÍĴĶĹÑÓŔŠŤÚŴÝŽáçđéĝĥíĵķĺñóŕšťúŵýž'
/** Translations are longer than English, short texts most of all. */
const lengthening = 0.35
const filler = 'ömñi şit àmét ðolor éŧiam '

/**
 * An English text as a translation that everybody can still read: accents, a third longer, and in brackets, which show
 * where a text is cut. What is not text stays: values, choices, and words in quotation marks of ICU.
 */
export function makePseudo(text: string): string {
  const letters = [...literalsOf(parse(text, { ignoreTag: true, captureLocation: true }))].toSorted(
    (a, b) => b.from - a.from
  )
  let changed = text
  for (const { from, to } of letters)
    changed = changed.slice(0, from) + accent(text.slice(from, to)) + changed.slice(to)
  const words = letters.reduce((sum, { from, to }) => sum + to - from, 0)
  // A text of values alone has nothing that could be longer in another language.
  return words === 0
    ? text
    : `[${changed}${words < 3 ? '' : ` ${filler.repeat(Math.ceil((words * lengthening) / filler.length)).slice(0, Math.ceil(words * lengthening))}`.trimEnd()}]`
}

function* literalsOf(elements: MessageFormatElement[]): Generator<{ from: number; to: number }> {
  for (const element of elements) {
    if (element.type === TYPE.literal && element.location)
      yield { from: element.location.start.offset, to: element.location.end.offset }
    if ('options' in element) for (const option of Object.values(element.options)) yield* literalsOf(option.value)
  }
}

/** Outside of the quotation marks with which ICU protects braces. */
function accent(text: string): string {
  return text.replaceAll(/'[{}|#<][^']*'|./gsu, (part) => {
    const at = plain.indexOf(part)
    return part.length === 1 && at >= 0 ? (accented[at] ?? part) : part
  })
}

/** Writes the pseudo-language as a folder of texts like any other: `FITTER_LANGUAGES_FOLDER=… npm start` offers it. */
export function writePseudoLanguage(folder: string, name = 'en-XA'): void {
  mkdirSync(join(folder, name), { recursive: true })
  const english = join(resourcesFolder, 'messages', 'en')
  for (const [topic, file] of messageFiles(english)) {
    const texts = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
    writeFileSync(
      join(folder, name, `${topic}.json`),
      JSON.stringify(
        Object.fromEntries(
          Object.entries(texts).map(([id, text]) => [id, id === 'language.name' ? 'Pseudo' : makePseudo(text)])
        )
      )
    )
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  writePseudoLanguage(process.argv[2] ?? join(projectFolder, 'out', 'languages'))
