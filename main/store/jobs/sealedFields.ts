import { randomBytes } from 'node:crypto'
import type { Json } from '../../../preload/contract/define.ts'
import { canonicalJson, sha256Hex, startHash, type JournalEntry } from './seal.ts'

/*
 * How a report can leave a value out without breaking the proof of the rest:
 *
 * - The hash of an entry covers all of it, so it proves nothing once a field is left out. A seal therefore also signs a
 *   salted hash of each field that a report may leave out (`fields` of the seal): the report shows that hash in place of
 *   the value, and whoever verifies computes `fields` again from what the report shows.
 * - The salt of an entry is random and part of its data. A report that leaves a field out leaves the salt out as well and
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
  return fillersOf(type) && isFields(data) ? { ...data, salt: randomBytes(16).toString('hex') } : data
}

/** The entry without these fields, and the proof of the rest. */
export function leaveOut(entry: JournalEntry, names: readonly string[]): { entry: JournalEntry; redaction: Redaction } {
  const { salt, ...data } = entry.data as Record<string, Json>
  const shown = { ...data }
  const redaction: Redaction = { seq: entry.seq, hidden: {}, salts: {} }
  for (const [name, value] of Object.entries(data)) {
    if (names.includes(name)) {
      redaction.hidden[name] = fieldHash(saltOf(salt, name), value)
      shown[name] = fillersOf(entry.type)?.[name] ?? null
    } else redaction.salts[name] = saltOf(salt, name)
  }
  return { entry: { ...entry, data: shown }, redaction }
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
  if (redaction && salt !== undefined) return undefined
  const fields: Record<string, string> = {}
  for (const [name, value] of Object.entries(rest)) {
    const hidden = redaction && Object.hasOwn(redaction.hidden, name) ? redaction.hidden[name] : undefined
    if (
      hidden !== undefined &&
      (!Object.hasOwn(mayHide, name) || canonicalJson(value) !== canonicalJson(mayHide[name]))
    )
      return undefined
    fields[name] = hidden ?? fieldHash(redaction ? (redaction.salts[name] ?? '') : saltOf(salt, name), value)
  }
  return canonicalJson({ seq, at, type, stepId, hash, fields })
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
