import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkJson } from '../../../../main/base/reading/checkJson.ts'
import { problemOf, readFields as readRaw, readFieldsInTurns } from '../../../../main/base/reading/fields.ts'
import { english } from '../../../world/window/english.ts'
import { gpsPosition, osUpdate, wifiList } from '../../../../preload/contract/device/deviceAreas.ts'

/** As it is read, with the problems in words. */
function readFields(schema: z.ZodType, raw: unknown) {
  const read = readRaw(schema, raw)
  return 'wanted' in read
    ? { wanted: english(read.wanted), seen: english(read.seen) }
    : { ...read, problems: read.problems.map(english) }
}

describe('Parsing an answer field by field', () => {
  it('names path, wanted and seen type of each field that does not fit, and keeps the rest', () => {
    const raw = {
      coords: {
        latitude: 1.5,
        longitude: 2,
        speed: '0',
        accuracy: null,
        altitude: 5,
        bearing: 9,
        altitudeAccuracy: 1e999
      },
      timestamp: true,
      more: 1
    }
    expect(readFields(gpsPosition, raw)).toEqual({
      value: { coords: { latitude: 1.5, longitude: 2, altitude: 5, bearing: 9 }, more: 1 },
      problems: [
        'coords.speed: expected number, got text',
        'coords.accuracy: expected number, got null',
        'coords.altitudeAccuracy: expected number, got number out of range',
        'timestamp: expected number, got true or false',
        'extras: expected object, got nothing'
      ]
    })
  })

  it('never rounds an integer that no number can represent: a text is read whole, a number is named', () => {
    const schema = z.looseObject({ iccid: z.string(), id: z.number() })
    const answer = checkJson('{"iccid": 8901260852291475879, "id": 2916334247900527532, "other": 2916334247900527532}')
    expect(readFields(schema, answer.kind === 'json' ? answer.value : null)).toEqual({
      value: { iccid: '8901260852291475879', other: '2916334247900527532' },
      problems: ['id: expected number, got number out of range']
    })
  })

  it('leaves an item that does not fit out of a list', () => {
    expect(readFields(wifiList, { ssids: ['a', 5, 'b'] })).toEqual({
      value: { ssids: ['a', 'b'] },
      problems: ['ssids[1]: expected text, got number']
    })
  })

  it('takes the documented shape that fits best', () => {
    expect(readFields(osUpdate, { error: 'Error getting file. Try again' })).toEqual({
      value: { error: 'Error getting file. Try again' },
      problems: []
    })
    expect(readFields(osUpdate, { mess: 5 })).toEqual({ value: {}, problems: ['mess: expected text, got number'] })
  })

  it('does not miss an optional field, but names it when it has the wrong type', () => {
    const schema = z.looseObject({ ip: z.string().optional() })
    expect(readFields(schema, {})).toEqual({ value: {}, problems: [] })
    expect(readFields(schema, { ip: null })).toEqual({ value: {}, problems: ['ip: expected text, got null'] })
  })

  it('does not take what every object inherits for an answer', () => {
    const schema = z.looseObject({ toString: z.string(), constructor: z.string() })
    expect(readFields(schema, {})).toEqual({
      value: {},
      problems: ['toString: expected text, got nothing', 'constructor: expected text, got nothing']
    })
  })

  it('keeps a field called __proto__ as a plain field', () => {
    const parsed = readFields(z.looseObject({}), JSON.parse('{"__proto__": {"polluted": true}}')) as { value: object }
    expect(Object.getPrototypeOf(parsed.value)).toBe(Object.prototype)
    expect(Object.keys(parsed.value)).toEqual(['__proto__'])
  })

  it('says what came instead of the outermost object or list', () => {
    expect(readFields(gpsPosition, [])).toEqual({ wanted: 'object', seen: 'list' })
    expect(readFields(z.array(z.string()), {})).toEqual({ wanted: 'list', seen: 'object' })
  })

  it('never throws, and never lets a field of the wrong type through, for any JSON', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.record({ coords: fc.jsonValue(), timestamp: fc.jsonValue(), extras: fc.jsonValue() }),
        (any, shaped) => {
          for (const raw of [any, shaped]) {
            const parsed = readRaw(gpsPosition, raw)
            if ('wanted' in parsed) continue
            const { coords, timestamp, extras } = parsed.value
            for (const value of [timestamp, coords?.speed, coords?.latitude, extras?.hdop])
              expect(['number', 'undefined']).toContain(typeof value)
            // A receiver leaves out what it does not know.
            const told = (raw as { timestamp?: unknown } | null)?.timestamp
            if (timestamp === undefined && ![undefined, null, false].includes(told as never))
              expect(problemOf(parsed.problems, 'timestamp') !== undefined).toBe(true)
          }
        }
      )
    )
  })

  it('reads an answer in which no documented field can be read as nothing, whatever else is in it', () => {
    expect(readFields(wifiList, { ssids: 'none', invented: { a: 1 } })).toEqual({
      value: {},
      problems: ['ssids: expected list, got text']
    })
    expect(readFields(wifiList, { invented: 1 })).toEqual({
      value: {},
      problems: ['ssids: expected list, got nothing']
    })
    expect(readFields(z.array(z.looseObject({ name: z.string() })), [{ x: 1 }])).toEqual({
      value: [],
      problems: ['[0].name: expected text, got nothing']
    })
    expect(readFields(wifiList, { ssids: [], invented: 1 })).toEqual({
      value: { ssids: [], invented: 1 },
      problems: []
    })
  })

  it('counts complaints, and words only some of them', () => {
    const read = readFields(wifiList, { ssids: Array.from({ length: 500 }, () => 7) }) as { problems: string[] }
    expect(read.problems).toHaveLength(41)
    expect(read.problems.at(-1)).toBe('and 460 more fields that could not be read')
  })

  it('reads tables of records, and fields that may be null', () => {
    const schema = z.looseObject({
      keys: z.record(z.string(), z.looseObject({ type: z.string().nullable().optional() })),
      more: z.record(z.string(), z.unknown()).optional()
    })
    expect(readFields(schema, { keys: { a: { type: null }, b: 5, c: { type: 6 } }, more: { x: 1 } })).toEqual({
      value: { keys: { a: { type: null }, c: {} }, more: { x: 1 } },
      problems: ['keys.b: expected object, got number', 'keys.c.type: expected text, got number']
    })
  })

  it('gives the same in turns, and lets others have theirs', async () => {
    const raw = { ssids: Array.from({ length: 100 }, (_, index) => (index === 50 ? 5 : `${index}`)) }
    expect(await readFieldsInTurns(wifiList, raw)).toEqual(readRaw(wifiList, raw))
    const events = z.looseObject({ events: z.array(z.looseObject({ id: z.number().optional() })) })
    let turns = 0
    let isOver = false
    const count = (): void => {
      turns += 1
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const read = await readFieldsInTurns(events, { events: Array.from({ length: 200_000 }, (_, id) => ({ id })) })
    isOver = true
    expect((read as { value: { events: unknown[] } }).value.events).toHaveLength(200_000)
    expect(turns).toBeGreaterThan(50)
  })
})
