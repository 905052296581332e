import type { Json } from '../../../../preload/contract/define.ts'
import { randomHex } from './hashing.ts'
import { canonicalJson, sha256Hex, startHash, type JournalEntry } from './seal.ts'

/*
 * How a report can leave a value out without breaking the proof of the rest:
 *
 * - The hash of an entry covers all of it, so it proves nothing once a field is left out. A seal therefore also signs a
 *   salted hash of each field that a report may leave out (`fields` of the seal): the report shows that hash in place of
 *   the value, and whoever verifies computes `fields` again from what the report shows.
 * - The salt of an entry is random and part of its data. A report that leaves a field out leaves the salt out as well
 * and
 *   gives the salts of the shown fields instead, each derived from it, so nobody finds a short value by trying.
 * - Fields that decide (who, which device, how a step ended, skipped steps, states, seals) are not in the list below.
 *
 * Entries of earlier versions have no salt, and their seals no `fields`. They keep their hashes.
 */

/** What a report may leave out, and its replacement, by the type of the entry. */
const fillers: Record<string, Record<string, Json>> = {
  evidence: { what: '[hidden]', raw: '[hidden]', thresholds: { '[hidden]': null } },
  answered: { answer: {} },
  deviceWrite: { input: '[hidden]', what: '[hidden]', raw: '[hidden]' }
}

export interface Redaction {
  seq: number
  /** Salted hash of each field that is not shown. */
  hidden: Record<string, string>
  salts: Record<string, string>
}

/** What may be left out of an entry of this type, with its replacement; undefined when nothing may. */
export function fillersOf(type: string): Record<string, Json> | undefined {
  return Object.hasOwn(fillers, type) ? fillers[type] : undefined
}

/** The data of a new entry, with a salt if a report may leave something out. */
export function withSalt(type: string, data: Json): Json {
  return fillersOf(type) && isFields(data) ? { ...data, salt: randomHex(16) } : data
}

/** The entry without these fields, and the proof of the rest. */
export function leaveOut(entry: JournalEntry, names: readonly string[]): { entry: JournalEntry; redaction: Redaction } {
  const { salt, ...data } = entry.data as Record<string, Json>
  // A field may have any name, `__proto__` too: assigning it would not set it.
  const fields = Object.entries(data)
  const hidden = fields
    .filter(([name]) => names.includes(name))
    .map(([name, value]) => [name, fieldHash(saltOf(salt, name), value)])
  const salts = fields.filter(([name]) => !names.includes(name)).map(([name]) => [name, saltOf(salt, name)])
  const shown = fields.map(([name, value]) => [name, names.includes(name) ? fillerOf(entry.type, name) : value])
  return {
    entry: { ...entry, data: Object.fromEntries(shown) as Json },
    redaction: {
      seq: entry.seq,
      hidden: Object.fromEntries(hidden) as Record<string, string>,
      salts: Object.fromEntries(salts) as Record<string, string>
    }
  }
}

function fillerOf(type: string, name: string): Json {
  const filled = fillersOf(type)
  return filled && Object.hasOwn(filled, name) ? (filled[name] ?? null) : null
}

/** The initial `fields` value of a log. */
export function firstFields(jobId: string): string {
  return startHash(jobId)
}

/** Adds an entry to `fields`. Undefined when it shows something that its redaction does not allow. */
export function addFields(before: string, entry: JournalEntry, redaction?: Redaction): string | undefined {
  const own = fieldsOf(entry, redaction)
  return own === undefined ? undefined : sha256Hex(before + own)
}

/** `fields` of a seal after these entries. */
export function fieldsOfLog(jobId: string, entries: readonly JournalEntry[]): string {
  return entries.reduce((before, entry) => addFields(before, entry) ?? before, firstFields(jobId))
}

function fieldsOf(entry: JournalEntry, redaction: Redaction | undefined): string | undefined {
  const { seq, at, type, stepId, data, hash } = entry
  const mayHide = fillersOf(type)
  if (!mayHide || !isFields(data)) return redaction ? undefined : canonicalJson({ hash })
  const { salt, ...rest } = data
  if (!redaction)
    return canonicalJson({
      seq,
      at,
      type,
      stepId,
      hash,
      fields: Object.fromEntries(
        Object.entries(rest).map(([name, value]) => [name, fieldHash(saltOf(salt, name), value)])
      )
    })
  const { hidden, salts } = redaction
  const names = [...Object.keys(hidden), ...Object.keys(salts)]
  // Each field is either hidden or has a salt: a name without a field would be text that nothing covers.
  if (
    salt !== undefined ||
    names.length !== Object.keys(rest).length ||
    !names.every((name) => Object.hasOwn(rest, name)) ||
    new Set(names).size !== names.length
  )
    return undefined
  if (
    !Object.keys(hidden).every(
      (name) => Object.hasOwn(mayHide, name) && canonicalJson(rest[name]) === canonicalJson(mayHide[name])
    )
  )
    return undefined
  const fields = Object.entries(rest).map(([name, value]) => [
    name,
    Object.hasOwn(hidden, name) ? hidden[name] : fieldHash(salts[name] ?? '', value)
  ])
  return canonicalJson({ seq, at, type, stepId, hash, fields: Object.fromEntries(fields) as Record<string, string> })
}

function saltOf(salt: Json | undefined, name: string): string {
  return sha256Hex(canonicalJson({ salt: salt ?? '', name }))
}

function fieldHash(salt: string, value: Json): string {
  return sha256Hex(canonicalJson({ salt, value }))
}

function isFields(data: Json): data is Record<string, Json> {
  return data !== null && typeof data === 'object' && !Array.isArray(data)
}
