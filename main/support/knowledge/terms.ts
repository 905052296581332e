import fs from 'node:fs'
import path from 'node:path'
import type { KnowledgeSide } from '../../../preload/contract/app/knowledge.ts'
import { resourcesFolder } from '../../base/projectFolder.ts'

export interface KnownArea {
  id: string
  side: KnowledgeSide
  en: string
  es: string
}

/**
 * One status, code or field. Several terms can share a code: 4 is both a photo that is ready and an alarm of a tyre.
 */
export interface KnownTerm {
  id: string
  area: string
  /** As the documents write it, and other forms that a person may type. A `*` stands for any word. */
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

const shippedFile = path.join(resourcesFolder, 'knowledge', 'terms.json')
let read: Knowledge | undefined

/** All explanations, from one file; it is read when the first explanation is requested. */
export function openKnowledge(): Knowledge {
  read ??= JSON.parse(fs.readFileSync(shippedFile, 'utf8')) as Knowledge
  return read
}
