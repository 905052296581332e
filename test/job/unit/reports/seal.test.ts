import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { evidenceOf } from '../../../../main/data/store/jobs/evidence.ts'
import {
  canonicalJson,
  hashEntry,
  sealEntry,
  sealOf,
  sha256Hex,
  startHash,
  verifyChain,
  type JournalEntry
} from '../../../../main/data/store/jobs/seal.ts'
import { makeTruckJob } from '../../../world/data/sampleJob.ts'

describe('canonical JSON', () => {
  it('has sorted keys and no spaces, however the value was built', () => {
    expect(canonicalJson({ b: [1, 'x', null], a: { d: true, c: -0 } })).toBe('{"a":{"c":0,"d":true},"b":[1,"x",null]}')
    expect(canonicalJson({ a: 1, b: 2 })).toBe(canonicalJson({ b: 2, a: 1 }))
  })

  it('takes an object without a prototype for a plain one', () => {
    expect(canonicalJson(Object.assign(Object.create(null), { a: 1 }))).toBe('{"a":1}')
  })

  it('is JSON that reads back as the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      })
    )
  })

  it.each([
    ['undefined', undefined],
    ['a member that is undefined', { a: undefined }],
    ['a hole in a list', [1, , 2]],
    ['NaN', NaN],
    ['an infinity', { a: [Infinity] }],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['a function', () => 1],
    ['a big integer', 1n],
    [
      'something of a class',
      new (class Thing {
        a = 1
      })()
    ]
  ])('refuses %s instead of writing something else', (_name, value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError)
  })
})

describe('hash chain of a log', () => {
  const jobId = '01JD2F7Q3XW9V6M0KZ4T8B5HCN'
  let entries: JournalEntry[]
  beforeAll(() => {
    entries = makeTruckJob().entries
  })

  it('starts at the hash of the job id and chains SHA-256 over canonical JSON', () => {
    const bare = { seq: 1, at: '2026-11-19T08:00:00.000Z', type: 'created', stepId: null, data: { b: 1, a: 2 } }
    const text = '{"at":"2026-11-19T08:00:00.000Z","data":{"a":2,"b":1},"seq":1,"stepId":null,"type":"created"}'
    expect(startHash(jobId)).toBe(sha256Hex(jobId))
    expect(hashEntry(startHash(jobId), bare)).toBe(sha256Hex(sha256Hex(jobId) + text))
    expect(sealEntry(startHash(jobId), bare)).toEqual({ ...bare, hash: sha256Hex(sha256Hex(jobId) + text) })
  })

  it('accepts an untouched log and an empty one', () => {
    expect(verifyChain(jobId, entries)).toEqual({ ok: true })
    expect(verifyChain(jobId, [])).toEqual({ ok: true })
    expect(sealOf(jobId, [])).toBe(startHash(jobId))
    expect(sealOf(jobId, entries)).toBe(entries.at(-1)?.hash)
  })

  it('refuses the log of another job', () => {
    expect(verifyChain('another', entries)).toMatchObject({ ok: false, at: 1 })
  })

  it('names the first entry that was changed, whichever part of it', () => {
    const changes: ((entry: JournalEntry) => JournalEntry)[] = [
      (entry) => ({ ...entry, at: '2026-11-19T08:00:00.001Z' }),
      (entry) => ({ ...entry, type: `${entry.type}x` }),
      (entry) => ({ ...entry, stepId: entry.stepId === null ? 'x' : null }),
      (entry) => ({ ...entry, data: { other: true } }),
      (entry) => ({ ...entry, hash: '0'.repeat(64) })
    ]
    for (const [index, entry] of entries.entries()) {
      for (const change of changes) {
        expect(verifyChain(jobId, entries.with(index, change(entry)))).toMatchObject({ ok: false, at: entry.seq })
      }
    }
  })

  it('notices an entry that was removed, doubled or moved', () => {
    for (let index = 0; index < entries.length - 1; index++) {
      expect(verifyChain(jobId, entries.toSpliced(index, 1))).toMatchObject({ ok: false })
      expect(verifyChain(jobId, entries.toSpliced(index, 0, entries[index]!))).toMatchObject({ ok: false })
      expect(verifyChain(jobId, entries.with(index, entries[index + 1]!).with(index + 1, entries[index]!)).ok).toBe(
        false
      )
    }
  })

  it('refuses numbers that do not grow, even when every hash fits', () => {
    for (const seq of [1, 0, NaN]) {
      const first = sealEntry(startHash(jobId), { ...entries[0]!, seq: 1 })
      const body = { at: first.at, type: 'note', stepId: null, data: null }
      const second = { ...sealEntry(first.hash, { ...body, seq: Number.isNaN(seq) ? 2 : seq }), seq }
      expect(verifyChain(jobId, [first, second])).toMatchObject({
        ok: false,
        why: expect.stringMatching(/order was changed/)
      })
    }
  })

  it('takes the hash of a blacked-out entry as given, and holds what comes after it against that', () => {
    const blacked = entries.with(2, { ...entries[2]!, data: { text: '[hidden]' } })
    const { seq } = entries[2]!
    expect(verifyChain(jobId, blacked)).toMatchObject({
      ok: false,
      at: seq,
      why: expect.stringMatching(/does not fit its hash/)
    })
    expect(verifyChain(jobId, blacked, new Set([seq]))).toEqual({ ok: true })
    expect(verifyChain(jobId, blacked, new Set([seq + 1]))).toMatchObject({ ok: false, at: seq })
    expect(verifyChain(jobId, blacked.with(2, { ...blacked[2]!, hash: '0'.repeat(64) }), new Set([seq]))).toMatchObject(
      { ok: false, at: entries[3]!.seq }
    )
    expect(verifyChain(jobId, entries.with(3, { ...entries[3]!, seq }), new Set([seq]))).toMatchObject({
      ok: false,
      at: seq,
      why: expect.stringMatching(/order was changed/)
    })
  })

  it('seals only what belongs to an entry', () => {
    const more = { ...entries[0]!, other: 'of a row' }
    expect(sealEntry(startHash(jobId), more)).toEqual(entries[0])
  })

  it('lets a fault of its own through instead of calling the log changed', () => {
    const fault = new RangeError('a fault inside Fitter')
    const data = Object.defineProperty({}, 'a', {
      enumerable: true,
      get: () => {
        throw fault
      }
    })
    expect(() => verifyChain(jobId, [{ ...entries[0]!, data }])).toThrow(fault)
  })

  it('refuses an entry whose content cannot be hashed', () => {
    const broken = { ...entries[0]!, data: undefined } as unknown as JournalEntry
    expect(verifyChain(jobId, [broken])).toMatchObject({ ok: false, at: 1 })
  })

  it('gives back the evidence that an entry holds and nothing for other entries', () => {
    const found = entries.map(evidenceOf).filter((one) => one !== undefined)
    expect(found).toHaveLength(9)
    expect(found[0]).toMatchObject({ witness: 'person', attempt: 1, hash: entries[1]!.hash, seq: 2 })
    expect(evidenceOf(entries[0]!)).toBeUndefined()
    expect(evidenceOf({ ...entries[1]!, data: { witness: 'nobody' } })).toBeUndefined()
  })
})
