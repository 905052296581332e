import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkJson } from '../../../../main/base/reading/checkJson.ts'
import { parseJson } from '../../../../main/base/reading/json.ts'
import { putPiece, takeApart } from '../../../../main/base/reading/jsonPieces.ts'

const bytesOf = (value: unknown): Buffer => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
const events = (count: number) =>
  Array.from({ length: count }, (_, id) => ({
    id,
    vid: 7,
    label: 'ignition',
    lat: 40.4,
    lon: -3.7,
    text: 'x'.repeat(20)
  }))

/** Turns that everything else gets while `work` is under way. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await work
  isOver = true
  return turns
}

test('a large answer is the same value, and others keep getting their turn while it is read', async () => {
  const value = { units: { speed: 'km/h' }, events: events(130_000), last: [null, true, 'end'] }
  const work = parseJson(bytesOf(value))
  expect(await turnsDuring(work)).toBeGreaterThan(100)
  expect(await work).toEqual({ kind: 'json', value })
}, 30_000)

test('what would stop Fitter is refused before it is parsed', async () => {
  expect(await parseJson(bytesOf(`[${'{},'.repeat(1_700_000)}{}]`))).toEqual({ kind: 'tooMany' })
  expect(await parseJson(bytesOf('['.repeat(600_000)))).toEqual({ kind: 'tooDeep' })
  expect(await parseJson(bytesOf(`{"a": "${'x'.repeat(300_000)}`))).toMatchObject({ kind: 'notJson' })
  expect(checkJson('[1,')).toMatchObject({ kind: 'notJson' })
  expect(checkJson('\uFEFF{"a": "[[[\\"{"}')).toEqual({ kind: 'json', value: { a: '[[["{' } })
})

test('a reader that no longer waits ends the thread', async () => {
  const stop = new AbortController()
  const work = parseJson(bytesOf({ events: events(20_000) }), stop.signal)
  stop.abort(new Error('no longer wanted'))
  await expect(work).rejects.toThrow('no longer wanted')
})

test('any value is whole again after it was taken apart, names that mean something to objects too', () => {
  const put = (value: unknown): unknown => {
    const whole = { value: undefined as unknown }
    for (const piece of takeApart(value)) putPiece(whole, structuredClone(piece))
    return whole.value
  }
  fc.assert(fc.property(fc.jsonValue(), (value) => void expect(put(value)).toEqual(value)))
  expect(Object.keys(put(JSON.parse(`{"__proto__": ${JSON.stringify(events(2_000))}}`)) as object)).toEqual([
    '__proto__'
  ])
  const large = { a: events(3_000), b: { c: [events(2_000), 'x'.repeat(9_000_000), events(4_000)] }, d: 1 }
  expect(put(large)).toEqual(large)
})

test('an integer that no number can represent keeps its digits as text, in an answer of any size', async () => {
  const id = '2916334247900527532'
  expect(checkJson(`{"id": ${id}, "text": "${id}", "list":[-${id}, 1]}`)).toEqual({
    kind: 'json',
    value: { id, text: id, list: [`-${id}`, 1] }
  })
  expect(
    checkJson('[9007199254740991, 9007199254740993, 1.2345678901234567890, 123456789012345678e3, 86769804002305]')
  ).toEqual({
    kind: 'json',
    value: [9007199254740991, '9007199254740993', 1.2345678901234567, 123456789012345678e3, 86769804002305]
  })
  const large = await parseJson(bytesOf(`{"id": ${id}, "events": ${JSON.stringify(events(10_000))}}`))
  expect(large).toMatchObject({ kind: 'json', value: { id } })
  expect(checkJson(`{"__proto__": {"a": ${id}}}`)).toEqual({
    kind: 'json',
    value: JSON.parse(`{"__proto__": {"a": "${id}"}}`)
  })
})
