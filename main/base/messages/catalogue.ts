import fs from 'node:fs'
import path from 'node:path'
import { sharedIds, textId } from '../../../preload/base/messages/sharedIds.ts'
import { messageFiles } from './messageFiles.ts'
import { languageForm } from '../../../preload/contract/messages.ts'
import type { Language } from '../../../preload/base/messages/settings.ts'
import { resourcesFolder } from '../projectFolder.ts'

const shippedFolder = path.join(resourcesFolder, 'messages')

/** A checkout also accepts a folder with more languages in FITTER_LANGUAGES_FOLDER, for trials of a translation. */
function folders(): string[] {
  const forTrial = import.meta.url.endsWith('.ts') ? process.env['FITTER_LANGUAGES_FOLDER'] : undefined
  return forTrial === undefined || forTrial === '' ? [shippedFolder] : [shippedFolder, forTrial]
}

/** The languages of Fitter: each is a folder of texts, and nothing else. */
export function listLanguages(): Language[] {
  return folders()
    .filter((folder) => fs.existsSync(folder))
    .flatMap((folder) =>
      fs
        .readdirSync(folder, { withFileTypes: true })
        .flatMap((entry) => (entry.isDirectory() && languageForm.test(entry.name) ? [entry.name] : []))
    )
}

/**
 * The texts of one language by id; a text that it lacks is English. A topic is read with its first id: most commands
 * need only a few.
 */
export function openCatalogue(language: Language): (id: string) => string | undefined {
  if (language === 'en') return readLanguage('en')
  const [own, english] = [readLanguage(language), readLanguage('en')]
  return (id) => own(id) ?? english(id)
}

/** The ids of a topic. */
export function listIds(topic: string): string[] {
  const texts = Object.keys(
    JSON.parse(fs.readFileSync(messageFiles(path.join(shippedFolder, 'en')).get(topic) ?? '', 'utf8')) as object
  )
  return [...texts, ...[...sharedIds.keys()].filter((id) => id.startsWith(`${topic}.`))]
}

function readLanguage(language: Language): (id: string) => string | undefined {
  const home = languageForm.test(language)
    ? folders().find((folder) => fs.existsSync(path.join(folder, language)))
    : undefined
  const files = home === undefined ? undefined : messageFiles(path.join(home, language))
  const topics = new Map<string, Record<string, string>>()

  function read(topic: string): Record<string, string> {
    // An id may come from stored data: it is looked up, and never forms a path.
    const file = files?.get(topic)
    const texts = file === undefined ? {} : (JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, string>)
    topics.set(topic, texts)
    return texts
  }

  return (messageId) => {
    const id = textId(messageId)
    const topic = id.slice(0, Math.max(0, id.indexOf('.')))
    const texts = topics.get(topic) ?? read(topic)
    return Object.hasOwn(texts, id) ? texts[id] : undefined
  }
}
