import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseAnswer } from '../../../main/device/parse.ts'
import { gpsPosition, osUpdate, wifiList } from '../../../preload/contract/deviceAreas.ts'

describe('Parsing an answer field by field', () => {
  it('names path, wanted and seen type of each field that does not fit, and keeps the rest', () => {
    const raw = { coords: { latitude: 1.5, longitude: 2, speed: '0', accuracy: null, altitude: 5, bearing: 9, altitudeAccuracy: 1e999 }, timestamp: true, more: 1 }
    expect(parseAnswer(gpsPosition, raw)).toEqual({
      value: { coords: { latitude: 1.5, longitude: 2, altitude: 5, bearing: 9 }, more: 1 },
      problems: [
        'coords.speed: number wanted, text seen',
        'coords.accuracy: number wanted, null seen',
        'coords.altitudeAccuracy: number wanted, number out of range seen',
        'timestamp: number wanted, true or false seen',
        'extras: object wanted, nothing seen'
      ]
    })
  })

  it('leaves an item that does not fit out of a list', () => {
    expect(parseAnswer(wifiList, { ssids: ['a', 5, 'b'] })).toEqual({
      value: { ssids: ['a', 'b'] },
      problems: ['ssids[1]: text wanted, number seen']
    })
  })

  it('takes the documented shape that fits best', () => {
    expect(parseAnswer(osUpdate, { error: 'Error getting file. Try again' })).toEqual({ value: { error: 'Error getting file. Try again' }, problems: [] })
    expect(parseAnswer(osUpdate, { mess: 5 })).toEqual({ value: {}, problems: ['mess: text wanted, number seen'] })
  })

  it('does not miss an optional field, but names it when it has the wrong type', () => {
    const schema = z.looseObject({ ip: z.string().optional() })
    expect(parseAnswer(schema, {})).toEqual({ value: {}, problems: [] })
    expect(parseAnswer(schema, { ip: null })).toEqual({ value: {}, problems: ['ip: text wanted, null seen'] })
  })

  it('does not take what every object inherits for an answer', () => {
    const schema = z.looseObject({ toString: z.string(), constructor: z.string() })
    expect(parseAnswer(schema, {})).toEqual({
      value: {},
      problems: ['toString: text wanted, nothing seen', 'constructor: text wanted, nothing seen']
    })
  })

  it('keeps a field called __proto__ as a plain field', () => {
    const parsed = parseAnswer(z.looseObject({}), JSON.parse('{"__proto__": {"polluted": true}}')) as { value: object }
    expect(Object.getPrototypeOf(parsed.value)).toBe(Object.prototype)
    expect(Object.keys(parsed.value)).toEqual(['__proto__'])
  })

  it('says what came instead of the outermost object or list', () => {
    expect(parseAnswer(gpsPosition, [])).toEqual({ wanted: 'object', seen: 'list' })
    expect(parseAnswer(z.array(z.string()), {})).toEqual({ wanted: 'list', seen: 'object' })
  })

  it('never throws, and never lets a field of the wrong type through, for any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.record({ coords: fc.jsonValue(), timestamp: fc.jsonValue(), extras: fc.jsonValue() }), (any, shaped) => {
        for (const raw of [any, shaped]) {
          const parsed = parseAnswer(gpsPosition, raw)
          if ('wanted' in parsed) continue
          const { coords, timestamp, extras } = parsed.value
          for (const value of [timestamp, coords?.speed, coords?.latitude, extras?.hdop]) expect(['number', 'undefined']).toContain(typeof value)
          if (timestamp === undefined) expect(parsed.problems.some((text) => text.startsWith('timestamp:'))).toBe(true)
        }
      })
    )
  })
})
