import { describe, expect, it } from 'vitest'
import { canonicalJson, sha256Hex, type JournalEntry } from '../../../../main/data/store/jobs/seal.ts'
import {
  addFields,
  fieldsOfLog,
  fillersOf,
  firstFields,
  leaveOut,
  withSalt
} from '../../../../main/data/store/jobs/sealedFields.ts'
import type { Json } from '../../../../preload/contract/define.ts'

const entry = (type: string, data: Json, seq = 1): JournalEntry => ({
  seq,
  at: '2026-11-20T09:00:00.000Z',
  type,
  stepId: 'step',
  data,
  hash: String(seq).repeat(64)
})
const start = firstFields('job')

describe('What a report may leave out', () => {
  it('is listed for each type of entry, with what stands in its place', () => {
    expect(fillersOf('evidence')).toEqual({ what: '[hidden]', raw: '[hidden]', thresholds: { '[hidden]': null } })
    expect(fillersOf('answered')).toEqual({ answer: {} })
    expect(fillersOf('deviceWrite')).toEqual({ input: '[hidden]', what: '[hidden]', raw: '[hidden]' })
    expect(fillersOf('stepEnded')).toBeUndefined()
    expect(fillersOf('constructor')).toBeUndefined()
  })

  it('has a salt of its own in each new entry, and nothing else has', () => {
    const [first, second] = [withSalt('answered', { answer: 1 }), withSalt('answered', { answer: 1 })] as {
      answer: number
      salt: string
    }[]
    expect(first).toEqual({ answer: 1, salt: expect.stringMatching(/^[0-9a-f]{32}$/) })
    expect(first?.salt).not.toBe(second?.salt)
    expect(withSalt('stepEnded', { answer: 1 })).toEqual({ answer: 1 })
    for (const data of [null, 'text', 7, true, [1]]) expect(withSalt('answered', data)).toEqual(data)
  })
})

describe('An entry without a field', () => {
  it.each<[string, Json, string, Json]>([
    [
      'evidence',
      { what: 'PWR', raw: { PWR: true }, thresholds: { n: 2 }, verdict: 'passed' },
      'thresholds',
      { '[hidden]': null }
    ],
    ['answered', { answer: { text: 'yes' }, by: 'T' }, 'answer', {}],
    ['deviceWrite', { input: { apn: 'a' }, what: 'APN', raw: null, phase: 'sent' }, 'input', '[hidden]']
  ])('of %s has the same place in the seal as the whole one', (type, data, name, filler) => {
    const whole = entry(type, withSalt(type, data))
    const { entry: shown, redaction } = leaveOut(whole, [name])
    expect(shown).toEqual({ ...whole, data: { ...(data as object), [name]: filler } })
    expect(Object.keys(redaction.hidden)).toEqual([name])
    expect(Object.keys(redaction.salts)).toEqual(Object.keys(data as object).filter((field) => field !== name))
    expect(addFields(start, shown, redaction)).toBe(addFields(start, whole))
    expect(addFields(start, whole)).toBe(fieldsOfLog('job', [whole]))
  })

  it('shows no salt, which would open what is hidden', () => {
    const whole = entry('answered', { answer: 'yes', by: 'T', salt: 'ab' })
    const { entry: shown, redaction } = leaveOut(whole, ['answer'])
    expect(addFields(start, { ...shown, data: { ...(shown.data as object), salt: 'ab' } }, redaction)).toBeUndefined()
  })

  it('hides nothing that decides, whatever its type says', () => {
    const { entry: shown, redaction } = leaveOut(entry('stepEnded', { state: 'failed', by: 'T' }), ['state'])
    expect(shown.data).toEqual({ state: null, by: 'T' })
    expect(addFields(start, shown, redaction)).toBeUndefined()
  })

  it.each<[string, Json]>([
    ['nothing', null],
    ['a text', 'text'],
    ['a number', 7],
    ['a list', [1, 2]]
  ])('cannot be one whose data is %s: its hash alone is sealed', (_, data) => {
    const whole = entry('answered', data)
    expect(addFields(start, whole)).toBe(sha256Hex(start + canonicalJson({ hash: whole.hash })))
    expect(addFields(start, whole, { seq: 1, hidden: {}, salts: {} })).toBeUndefined()
  })
})
