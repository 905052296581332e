import fs from 'node:fs'
import path from 'node:path'
import { textId } from '../../preload/messages/sharedIds.ts'
import type { Language } from '../../preload/messages/settings.ts'

/** This path is correct from the sources and from the built bundle: both are two folders deep. */
const shippedFolder = path.join(import.meta.dirname, '..', '..', 'resources', 'messages')

/** The texts of one language by id. A topic is read with its first id: most commands need only a few. */
export function openCatalogue(language: Language): (id: string) => string | undefined {
  const topics = new Map<string, Record<string, string>>()

  function read(topic: string): Record<string, string> {
    // An id may come from stored data, so it must never form a path.
    const file = path.join(shippedFolder, language, `${topic}.json`)
    const texts = /^[a-zA-Z]+$/.test(topic) && fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, string>) : {}
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
