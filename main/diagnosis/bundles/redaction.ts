import type { Json } from '../../../preload/contract/define.ts'
import { hidden, nameAmong, type Redactor } from '../../secrets/redact.ts'

/** What stands in the place of something that was taken out; of secrets it is the mark of everything else that leaves Fitter. */
export const marks = { position: '[position]', name: '[name]' } as const

export interface RedactionWish {
  /** Takes out what this process knows as a secret, and what shows itself as one. */
  redactor: Pick<Redactor, 'text' | 'json'>
  /** True: they stay. */
  holds: { positions: boolean; names: boolean }
  /** Names and numbers of people as they are known here: taken out wherever they stand. */
  people: readonly string[]
}

/** Takes out of everything that goes into a support bundle what must not, or shall not, be in it. */
export interface Redaction {
  json(value: Json): Json
  text(text: string): string
  /** How many texts were taken out so far, those that were masked when they came in among them. */
  masked(): { secrets: number; positions: number; names: number }
}

/** What devices and gateways call the degrees of a place. */
const placeName = /^(lat|lon|lng|latitude|longitude)$/i
/** Where places stand as bare numbers. */
const wayName = /^(coords?|coordinates|geometry|polyline|polygon|track|points|path|drive|fences?|bounds)$/i
/** Two numbers of degrees with decimals behind each other. */
const placeInText = /-?\b\d{1,3}\.\d{3,}\s*[,;/ ]\s*-?\d{1,3}\.\d{3,}\b/g
const personName = /^(technician|customer|by|sent_?by|driver(_?name)?|contact(_?name)?|first_?name|last_?name|user_?name|owner|phone(_?number)?|mobile|msisdn|tel|telephone|e_?mail)$/i
/** Who signs in to a network operator, where an answer of a device stands in a text. */
const apnUserInText = /(\\*"apn\\*"\s*:[^{}]{0,400}?\\*"user\\*"\s*:\s*\\*")[^"\\]+/gi
const phoneInText = /\+\d[\d ().-]{6,18}\d/g
const mailInText = /[\w.+-]+@[\w-]+(\.[\w-]+)+/g
/** In what came from outside a field that is taken out is missing; in our own forms a place that is not known is null. */
const foreignName = /^(raw|readings|answer|input|payload|result|baseline|properties)$/
const maskedAtSource = '********'
const leftOut = Symbol('left out')

export function createRedaction({ redactor, holds, people }: RedactionWish): Redaction {
  const masked = { secrets: 0, positions: 0, names: 0 }
  const known = [...new Set(people.map((name) => name.trim()).filter((name) => name.length >= 3))].sort((a, b) => b.length - a.length)

  function text(given: string): string {
    let clean = redactor.text(given).replace(apnUserInText, `$1${hidden}`)
    if (!holds.positions) clean = replaced(clean, placeInText, marks.position, 'positions')
    if (!holds.names) {
      clean = replaced(replaced(clean, phoneInText, marks.name, 'names'), mailInText, marks.name, 'names')
      for (const name of known) {
        const parts = clean.split(name)
        masked.names += parts.length - 1
        clean = parts.join(marks.name)
      }
    }
    masked.secrets += clean.split(hidden).length + clean.split(maskedAtSource).length - 2
    return clean
  }

  function replaced(given: string, pattern: RegExp, mark: string, kind: 'positions' | 'names'): string {
    return given.replace(pattern, () => {
      masked[kind] += 1
      return mark
    })
  }

  function walk(value: Json, isForeign: boolean): Json {
    if (typeof value === 'string') return text(value)
    if (Array.isArray(value)) return value.map((item) => walk(item, isForeign))
    if (value === null || typeof value !== 'object') return value
    const members = new Map<string, Json>()
    for (const [key, member] of Object.entries(value)) {
      // No reader takes such a name, and nobody needs it.
      if (key === '__proto__') continue
      const taken = isHash(key, member) ? { put: member } : (withoutPlace(key, member, isForeign) ?? withoutName(key, member))
      if (taken === leftOut) continue
      members.set(nameAmong(members, text(key)), taken ? taken.put : walk(member, isForeign || foreignName.test(key)))
    }
    return Object.fromEntries(members)
  }

  function withoutPlace(key: string, member: Json, isForeign: boolean): Replaced {
    if (holds.positions || !isPlace(key, member)) return undefined
    masked.positions += 1
    if (typeof member === 'string') return { put: marks.position }
    if (isForeign) return leftOut
    if (Array.isArray(member)) return { put: [] }
    // Of a drive each witness has its own way.
    return { put: typeof member === 'object' ? Object.fromEntries(Object.keys(member as object).map((name) => [name, []])) : null }
  }

  function withoutName(key: string, member: Json): Replaced {
    if (holds.names || member === null || member === '') return undefined
    if (key === 'signatures') {
      masked.names += 1
      return leftOut
    }
    if (!personName.test(key) || typeof member !== 'string') return undefined
    masked.names += 1
    return { put: marks.name }
  }

  return {
    // Whole values first: what stands under the name of a secret is told by its name.
    json: (value) => walk(redactor.json(value) as Json, false),
    text,
    masked: () => ({ ...masked })
  }
}

/** What stands in the place of a member, that it is left out, or (undefined) that it is none of these. */
type Replaced = { put: Json } | typeof leftOut | undefined

function isPlace(key: string, member: Json): boolean {
  if (placeName.test(key)) return typeof member === 'number' || (typeof member === 'string' && member !== '')
  if (!wayName.test(key) || member === null || typeof member !== 'object') return false
  // Named degrees are found by their names, one level deeper.
  return Object.values(member).some((one) => Array.isArray(one))
}

/** A hash with some letters of a short password in it would be none any more. */
function isHash(key: string, member: Json): boolean {
  return typeof member === 'string' && /^[0-9a-f]{64}$/.test(member) && /(hash|sha256|head|seal)$/i.test(key)
}
