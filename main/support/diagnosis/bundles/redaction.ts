import type { Json } from '../../../../preload/contract/define.ts'
import { isMessage } from '../../../../preload/contract/messages.ts'
import { checkJson } from '../../../base/reading/checkJson.ts'
import { escapePattern, hidden, nameAmong, type Redactor } from '../../../base/secrets/redact.ts'
import { changeOf, identifier, marks, outermost, personKind, standingIn, type ValueContext } from './people.ts'

export interface RedactionWish {
  /** Removes the secrets that this process knows, and texts that look like secrets. */
  redactor: Pick<Redactor, 'text' | 'json'>
  /** True: included. */
  holds: { positions: boolean; names: boolean }
  /** Names and numbers of people that this computer knows: removed everywhere. */
  people: readonly string[]
}

/** Removes secrets from all content of a support bundle, and positions and names if they are not included. */
export type Redaction = ReturnType<typeof createRedaction>

const degreesName = 'lat|lon|lng|latitude|longitude'
/** Names that devices and gateways use for degrees, also within `start_lat` and `homeLongitude`. */
const placeName = new RegExp(`^(.*[_-])?(${degreesName})([_-]?(deg|degrees|e7))?$`, 'i')
const placeNameAtEnd = /[a-z](Lat|Lon|Lng|Latitude|Longitude)(Deg|E7)?$/
/** A position encoded in one text. */
const codedPlaceName = /^(nmea|geohash|plus_?code|mgrs|wkt|what3words)$/i
/** Fields that contain positions as bare numbers. */
const wayName =
  /^(coords?|coordinates|geometry|polyline|polygon|track|points|path|drive|fences?|bounds|waypoints|route|cent(er|re)|location|position|place)$/i
const number = String.raw`-?\d{1,3}\.\d`
const placesInText = [
  // As a field, in JSON, in an address or in a sentence: `"latitude": 4.6`, `lat=4.6`, `longitude -74.05`.
  new RegExp(
    String.raw`((?:\b|_|(?<=[a-z])(?=L))(?:${degreesName})(?:[_-]?(?:deg|degrees|e7))?\b[\\"'\s:=]{1,8})-?\d{1,10}(?:[.,]\d+)?`,
    'gi'
  ),
  // Two decimal numbers of degrees in a row.
  new RegExp(String.raw`()(?<![\d.])${number}{3,}(?:[\s,;/|"'\\]|%2C){1,8}${number}{3,}\b`, 'gi'),
  new RegExp(String.raw`((?:geo:|@|[?&](?:q|ll|center|loc)=|POINT\s*\())${number}+(?:[,\s]{1,3}|%2C)${number}+`, 'gi'),
  // With a compass direction: `4.65 N`, `74° 3' 5.2" W`, and as a receiver writes it.
  /()\b\d{1,3}(?:\.\d+)?\s?°\s?(?:[NSEWO]\b|\d{1,2}(?:\.\d+)?\s?['’′]\s?(?:\d{1,2}(?:\.\d+)?\s?["”″']{1,2})?(?:\s?[NSEWO]\b)?)/g,
  /()\b\d{1,3}\.\d{2,}\s*[NSEW]\b/g,
  /()\$G[A-Z]{4},[^\s"\\]*/g,
  // A number with this precision is a coordinate, anywhere in a text.
  new RegExp(String.raw`()(?<![\d.])${number}{5,}\b`, 'g')
]
/** A person in an answer of a device or the gateway inside a text. */
const personInText =
  /(\\*"(?:\w*(?:technician|customer|driver|owner|holder|contact|person|asset_?name|user_?name|first_?name|last_?name|full_?name)|by|user|reason|notes?|comments?)\\*"\s*:\s*\\*")(?!\[)[^"\\]+/gi
/** The user name for a network operator, in an answer of a device inside a text. */
const apnUserInText = /(\\*"apn\\*"\s*:[^{}]{0,400}?\\*"user\\*"\s*:\s*\\*")[^"\\]+/gi
const phoneInText = /\+\d[\d ().-]{6,18}\d/g
const mailInText = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g
const maskedAtSource = '********'
const leftOut = Symbol('left out')

export function createRedaction({ redactor, holds, people }: RedactionWish) {
  const masked = { secrets: 0, positions: 0, names: 0 }
  const names = people.map((name) => name.trim()).filter((name) => name.length >= 2)
  const known = patternOf(names.filter((name) => !identifier.test(name)))
  const words = patternOf(names.filter((name) => name.length >= 3 && identifier.test(name)))

  function text(given: string): string {
    let clean = redactor.text(given).replace(apnUserInText, `$1${hidden}`)
    if (!holds.positions)
      for (const pattern of placesInText) clean = replaced(clean, pattern, marks.position, 'positions')
    if (!holds.names) {
      for (const pattern of [personInText, phoneInText, mailInText])
        clean = replaced(clean, pattern, marks.name, 'names')
      if (known) clean = replaced(clean, known, marks.name, 'names')
      // Alone, such a word may be the state of a line or the name of a field: only its field shows what it is.
      if (words && /\s/.test(clean)) clean = replaced(clean, words, marks.name, 'names')
    }
    masked.secrets += clean.split(hidden).length + clean.split(maskedAtSource).length - 2
    return clean
  }

  /** The first group of a pattern stays in front of the mark. */
  function replaced(given: string, pattern: RegExp, mark: string, kind: 'positions' | 'names'): string {
    return given.replace(pattern, (_whole, before: unknown) => {
      masked[kind] += 1
      return typeof before === 'string' ? before + mark : mark
    })
  }

  /** JSON inside a text has fields as well: the field name identifies degrees there. */
  function ofText(given: string, standing: ValueContext): string {
    if (!/^\s*[[{]/.test(given) || (holds.positions && holds.names)) return text(given)
    const { kind, value } = { value: undefined, ...checkJson(given) }
    return kind === 'json' && typeof value === 'object' && value !== null
      ? JSON.stringify(walk(redactor.json(value) as Json, '', { ...standing, isForeign: true }))
      : text(given)
  }

  function walk(value: Json, key: string, standing: ValueContext): Json {
    if (typeof value === 'string') return personMark(key, value, standing) ?? ofText(value, standing)
    if (Array.isArray(value)) return isPair(value) ? [] : value.map((item) => walk(item, key, standing))
    if (value === null || typeof value !== 'object') return value
    if (isMessage(value) && value.id === 'plain.text') {
      const mark = personMark(key, String(value.values['text']), standing)
      if (mark !== undefined) return { id: value.id, values: { text: mark } }
    }
    return object(value, key, standing)
  }

  function object(value: { [key: string]: Json }, above: string, standing: ValueContext): Json {
    const change = changeOf(value)
    const inside = { ...standingIn(above, value, standing), ...(change?.isOfPeople ? { isOfPeople: true } : {}) }
    const members = new Map<string, Json>()
    for (const [key, member] of Object.entries(value)) {
      // No reader accepts this name, and no code needs it.
      if (key === '__proto__') continue
      const taken = isHash(key, member)
        ? { put: member }
        : (withoutPlace(key, member, inside.isForeign) ?? withoutName(key, member))
      if (taken === leftOut) continue
      members.set(
        nameAmong(members, text(key)),
        taken ? taken.put : walk(member, key === 'value' && change ? change.key : key, inside)
      )
    }
    return Object.fromEntries(members)
  }

  function isPair(value: Json[]): boolean {
    if (holds.positions || value.length < 2 || value.length > 3 || !value.slice(0, 2).every(isExactDegree)) return false
    masked.positions += 1
    return true
  }

  function personMark(key: string, given: string, standing: ValueContext): string | undefined {
    const kind = holds.names ? undefined : personKind(key, given, standing)
    if (kind === undefined) return undefined
    masked.names += 1
    return kind === 'name' ? marks.name : marks.typed
  }

  function withoutPlace(key: string, member: Json, isForeign: boolean): Replaced {
    if (holds.positions || !isPlace(key, member)) return undefined
    masked.positions += 1
    if (typeof member === 'string') return { put: marks.position }
    if (isForeign) return leftOut
    if (Array.isArray(member)) return { put: [] }
    // A drive contains a separate track from each witness.
    return {
      put:
        typeof member === 'object' ? Object.fromEntries(Object.keys(member as object).map((name) => [name, []])) : null
    }
  }

  function withoutName(key: string, member: Json): Replaced {
    if (holds.names || member === null || member === '') return undefined
    if (key === 'signatures') {
      masked.names += 1
      return leftOut
    }
    return undefined
  }

  return {
    // Whole values first: only the field name identifies a value as a secret.
    json: (value: Json): Json => walk(redactor.json(value) as Json, '', outermost),
    text,
    /** The number of texts removed so far, including those that were already masked. */
    masked: (): { secrets: number; positions: number; names: number } => ({ ...masked })
  }
}

/** The replacement of a member, `leftOut` to omit it, or undefined to keep it. */
type Replaced = { put: Json } | typeof leftOut | undefined

export function isPlaceName(name: string): boolean {
  return placeName.test(name) || placeNameAtEnd.test(name)
}

function isPlace(key: string, member: Json): boolean {
  if (isPlaceName(key)) return typeof member === 'number' || (typeof member === 'string' && member !== '')
  if (codedPlaceName.test(key)) return typeof member === 'string' && member !== ''
  if (!wayName.test(key) || member === null || typeof member !== 'object') return false
  // Named degrees are found by their names, one level deeper.
  if (
    Array.isArray(member) &&
    member.length <= 3 &&
    member.length >= 2 &&
    member.every((one) => typeof one === 'number')
  )
    return !member.every(Number.isInteger)
  return Object.values(member).some((one) => Array.isArray(one))
}

/** A number with at least four decimals that may be degrees; two of them in a row are a position under any name. */
function isExactDegree(value: Json): boolean {
  return typeof value === 'number' && Math.abs(value) <= 180 && /\.\d{4,}$/.test(String(value))
}

/** A pattern for the names as whole words, also as written in JSON and in an address. Undefined without names. */
function patternOf(names: readonly string[]): RegExp | undefined {
  const forms = new Set(
    names.flatMap((name) => [
      name,
      JSON.stringify(name).slice(1, -1),
      ...(name.isWellFormed() ? [encodeURIComponent(name)] : []),
      name.replaceAll(' ', '+'),
      name.replaceAll(' ', '_')
    ])
  )
  if (forms.size === 0) return undefined
  const longestFirst = [...forms].sort((a, b) => b.length - a.length).map(escapePattern)
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${longestFirst.join('|')})(?![\p{L}\p{N}])`, 'giu')
}

/** Redacting the letters of a short password inside a hash would destroy the hash. */
function isHash(key: string, member: Json): boolean {
  return typeof member === 'string' && /^[0-9a-f]{64}$/.test(member) && /(hash|sha256|head|seal)$/i.test(key)
}
