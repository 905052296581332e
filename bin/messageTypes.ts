import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parse } from '@formatjs/icu-messageformat-parser'
import { messageFiles } from '../main/base/messages/messageFiles.ts'
import { projectFolder, resourcesFolder } from '../main/base/projectFolder.ts'
import { placeholdersOf, type Placeholder } from '../preload/base/messages/placeholders.ts'
import { sharedIds } from '../preload/base/messages/sharedIds.ts'
import { unitOf } from '../preload/base/messages/quantities.ts'

const typesFile = join(projectFolder, 'preload', 'contract', 'base', 'messageValues.ts')

/** All texts of a language, by id. */
export function readCatalogue(language: string): Map<string, string> {
  const folder = join(resourcesFolder, 'messages', language)
  const texts = new Map<string, string>()
  for (const [topic, file] of messageFiles(folder)) {
    for (const [id, text] of Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>)) {
      if (!id.startsWith(`${topic}.`)) throw new Error(`${file}: ${id} belongs to another file`)
      texts.set(id, text)
    }
  }
  for (const [id, common] of sharedIds) texts.set(id, texts.get(common) ?? '')
  return texts
}

/** The values that a text needs; throws an error with the id when the text cannot be parsed. */
export function readPlaceholders(id: string, text: string): Map<string, Placeholder> {
  try {
    return placeholdersOf(parse(text, { ignoreTag: true }))
  } catch (error) {
    throw new Error(`${id}: ${error instanceof Error ? error.message : String(error)} in: ${text}`, { cause: error })
  }
}

function typeOf(name: string, { use, options }: Placeholder): string {
  if (use === 'choice') return [...options.map((word) => `'${word}'`), '(string & {})'].join(' | ')
  if (use === 'number' || unitOf(name) !== undefined) return 'number'
  return use === 'moment' || /[a-z0-9](At|On)$/.test(name) ? 'string' : 'Word'
}

/** Writes the type of each message's values from the English catalogue, if it changed. */
export function writeMessageTypes(): void {
  const lines = [...readCatalogue('en')].map(([id, text]) => {
    const values = [...readPlaceholders(id, text)].map(([name, placeholder]) => `${name}: ${typeOf(name, placeholder)}`)
    return `  '${id}': ${values.length === 0 ? 'Record<never, never>' : `{ ${values.join('; ')} }`}`
  })
  const text = `/** Written by bin/messageTypes.ts from resources/messages/en. */\nexport interface MessageValues<Word> {\n${lines.join('\n')}\n}\n`
  if (readBefore() !== text) writeFileSync(typesFile, text)
}

function readBefore(): string | undefined {
  try {
    return readFileSync(typesFile, 'utf8')
  } catch {
    // The file does not exist before the first run.
    return undefined
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) writeMessageTypes()
