import fs from 'node:fs'
import path from 'node:path'
import type { KnowledgeSide } from '../../preload/contract/app/knowledge.ts'

/** A section of a document, or of Fitter's own words. */
export interface KnownArea {
  id: string
  side: KnowledgeSide
  en: string
  es: string
}

/** One status, code or field. Several may be written alike: a 4 is a photo that is ready and an alarm of a tyre. */
export interface KnownTerm {
  id: string
  area: string
  /** As the documents write it, and other ways in which a person may type it. A `*` stands for any word. */
  codes: string[]
  en: TermWords
  es: TermWords
}
export interface TermWords {
  name: string
  text: string
}
export interface Knowledge {
  areas: KnownArea[]
  terms: KnownTerm[]
}

/** Where it is, seen from the sources and from the bundle alike: both are two folders deep. */
const shippedFile = path.join(import.meta.dirname, '..', '..', 'resources', 'knowledge', 'terms.json')
let read: Knowledge | undefined

/** Everything that is explained, from its one file; read when the first explanation is wanted. */
export function openKnowledge(): Knowledge {
  read ??= JSON.parse(fs.readFileSync(shippedFile, 'utf8')) as Knowledge
  return read
}
