import type { Language } from '../../../preload/messages/settings.ts'
import { accessories } from './accessories.ts'
import { app } from './app.ts'
import { device } from './device.ts'
import { discovery } from './discovery.ts'
import { gateway } from './gateway.ts'
import { jobs } from './jobs.ts'
import { compileSentences, type Sentences } from './match.ts'
import { training } from './training.ts'
import { words } from './words.ts'
import { workspace } from './workspace.ts'

/** Every sentence of the core that the window shows, in Spanish. */
export const coreSentences: Sentences = { ...words, ...jobs, ...discovery, ...device, ...gateway, ...accessories, ...workspace, ...training, ...app }

const spanish = compileSentences(coreSentences)

/** The Spanish of a text of the core; undefined when nothing of it is known. */
export function findSpanish(text: string): string | undefined {
  return spanish.find(text)
}

/** A text of the core in the language of the window; what is not known is shown as the core says it. */
export function translateCore(text: string, language: Language): string {
  return language === 'es' ? (findSpanish(text) ?? text) : text
}
