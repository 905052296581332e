import { readFileSync } from 'node:fs'
import path from 'node:path'
import { message, type MessageId } from '../../../preload/contract/messages.ts'
import type { Texts } from '../../base/messages/texts.ts'
import { policyHash } from '../reports/sealPage.ts'
import { resourcesFolder } from '../../base/projectFolder.ts'

/** The page and the only policy under which it works. It contains no data of a job: all of that comes through its feed. */
export interface PhoneFile {
  html: string
  policy: string
}

const source = path.join(resourcesFolder, 'phonePage', 'page.html')

/** What the page itself says; everything else comes with the feed. */
const spoken = ['readOnly', 'then', 'live', 'now', 'toDo', 'opening', 'awayText', 'full', 'steps'] as const

/** Makes the page in one language: one file with its script and its style, which its policy allows by their hashes. */
export function makePhoneFile(texts: Texts): PhoneFile {
  const { language } = texts.settings
  const words = {
    ...Object.fromEntries(
      spoken.map((name) => [name, texts.say({ id: `phonePage.${name}` as MessageId, values: {} })])
    ),
    ago: texts.say(message('phonePage.ago', { age: '{age}' })),
    left: texts.say(message('common.timeLeftAccessories', { time: '{time}' })),
    away: texts.say(message('phonePage.away', { age: '{age}' }))
  }
  const page = readFileSync(source, 'utf8')
  const policy = [
    "default-src 'none'",
    `script-src '${policyHash(partOf(page, 'script'))}'`,
    `style-src '${policyHash(partOf(page, 'style'))}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join('; ')
  const html = page
    .replace('<html lang="en">', `<html lang="${language}">`)
    .replace('{"words":"here"}', () => JSON.stringify(words).replaceAll('<', '\\u003c'))
  return { html, policy }
}

/** The content of the element of this name that has no attributes. */
function partOf(page: string, name: 'script' | 'style'): string {
  const from = page.indexOf(`<${name}>`) + name.length + 2
  return page.slice(from, page.indexOf(`</${name}>`, from))
}
