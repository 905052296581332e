import type { Json } from '../../../../preload/contract/define.ts'
import { isMessage } from '../../../../preload/contract/messages.ts'
import { hidden } from '../../../base/secrets/redact.ts'

/** The replacements for redacted texts; for secrets, the mark that Fitter uses everywhere. */
export const marks = { position: '[position]', name: '[name]', typed: '[text]' } as const

/** Fields whose text names a person, a laptop of the team, or the owner of a key or a tag. */
const personField =
  /(^|[_ -]|[a-z])(technician|customer|driver|owner|holder|taker|contact|person|asset|username|user|conductor|chofer|propietario|cliente|titular)s?([_ -]?(full|first|last))?([_ -]?names?)?$/i
const otherPersonField =
  /^(by|(\w+_)?by|\w+[a-z]By|(first|last|full|middle|sur|family|given)[_ -]?name|phone([_ -]?number)?|mobile([_ -]?number)?|msisdn|tel|telephone|e[_-]?mail|login|laptop)$/i
/** Handovers name both sides this way; in readings these fields are times, addresses and numbers. */
const sideField = /^(from|to)$/i
/** Texts that a person typed, with any content. */
const typedField = /^(reasons?|notes?|comments?|remarks?|waive)$/i
/** Records of people: in these, `name` is also a person's name. */
const peopleField =
  /^(assets?|drivers?|persons?|people|contacts?|laptops|users?|owners?|technicians|customers|members|accounts?)$/i
/** Messages in which `{name}` or `{names}` are drivers, owners of keys and tags, users, or laptops. */
const messageOfPeople =
  /^(accessories\.|link\.|copied\.|events\.with$|chain\.visible\.|operations\.|team|assigned\.|accessoryChecks\.(key|eventNames|registering))/
const nameInMessage = /^(names?|was|is|asset|text)$/

/** An address, a number or a time, never a person's name. */
const technical = /^(\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:?\d\d)?)?|[\d.,:+-]+|[\da-f]*:[\da-f:]+(\/\d+)?)$/i
/** A text that may be a keyword, such as the state of a line: only its field shows whether it is a person. */
export const identifier = /^[a-z0-9_.-]*$/
const mostNames = 2_000

/**
 * The relation of a field to people. name: the text is a name. typed: a person wrote the text, which may contain
 * anything.
 */
type PersonKind = 'name' | 'typed' | undefined

/** `isOfPeople`: inside a record of a person; `isForeign`: inside data from a device or the gateway. */
export interface ValueContext {
  isForeign: boolean
  isOfPeople: boolean
}

const foreignField = /^(raw|readings|answer|input|payload|result|baseline|properties)$/

export const outermost: ValueContext = { isForeign: false, isOfPeople: false }

export function standingIn(key: string, value: object, { isForeign, isOfPeople }: ValueContext): ValueContext {
  const isMessageValues = key === 'values'
  return {
    isForeign: isForeign || foreignField.test(key),
    isOfPeople:
      peopleField.test(key) ||
      (isMessageValues && isOfPeople) ||
      (isOfPeople && /^(value|\d*)$/.test(key)) ||
      isPersonRecord(value)
  }
}

function isPersonRecord(value: object): boolean {
  if (isMessage(value)) return messageOfPeople.test(value.id)
  const { kind, type } = value as { kind?: unknown; type?: unknown }
  return kind === 'asset' || (typeof type === 'string' && /^(driver|person|contact|asset)/i.test(type))
}

export function personKind(key: string, text: string, { isForeign, isOfPeople }: ValueContext): PersonKind {
  if (text === '' || technical.test(text)) return undefined
  if (typedField.test(key)) return !isForeign || /\s/.test(text) ? 'typed' : undefined
  if (sideField.test(key)) return isForeign && identifier.test(text) ? undefined : 'name'
  return personField.test(key) || otherPersonField.test(key) || (isOfPeople && nameInMessage.test(key))
    ? 'name'
    : undefined
}

/** A person's answer to a step: in an answer, `value` is the typed text. */
function isTypedAnswer(key: string, above: string, text: string): boolean {
  return key === 'value' && above === 'answer' && text.length > 3 && !technical.test(text)
}

/** All names of people in these values, and texts that people typed: other texts may repeat them. */
export function namesIn(values: readonly unknown[]): string[] {
  const found = new Set<string>()

  function note(text: string): void {
    if (found.size < mostNames && !Object.values<string>(marks).includes(text) && text !== hidden) found.add(text)
  }

  function walk(
    value: unknown,
    { key, above, standing }: { key: string; above: string; standing: ValueContext }
  ): void {
    if (typeof value === 'string') {
      const kind = personKind(key, value, standing)
      // A single plain word that someone typed as a reason also occurs in many other sentences.
      const isWord = kind === 'typed' && identifier.test(value)
      if ((kind !== undefined && !isWord) || isTypedAnswer(key, above, value)) note(value)
      return
    }
    if (typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) return value.forEach((item) => walk(item, { key, above, standing }))
    if (isMessage(value) && value.id === 'plain.text') return walk(value.values['text'], { key, above, standing })
    const inside = standingIn(key, value, standing)
    const change = changeOf(value as Json)
    for (const [name, member] of Object.entries(value))
      walk(member, {
        key: name === 'value' && change ? change.key : name,
        above: key,
        standing: change ? { ...inside, isOfPeople: change.isOfPeople } : inside
      })
  }

  for (const value of values) walk(value, { key: '', above: '', standing: outermost })
  return [...found]
}

export function changeOf(value: Json): { key: string; isOfPeople: boolean } | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value) || !Array.isArray(value['path']))
    return undefined
  const path = value['path'].map(String)
  return { key: path.at(-1) ?? '', isOfPeople: path.slice(0, -1).some((name) => peopleField.test(name)) }
}
