import { expect, test } from 'vitest'
import type { Fact } from '../../../preload/contract/support/facts.ts'
import { lineRows } from '../../../renderer/job/accessories/lineRows.ts'

const line = (
  kind: 'power' | 'input' | 'output',
  number: number,
  on: boolean | null,
  isShorted: boolean | null = null
) => ({ name: '', kind, number, on, isShorted })
const fact = (name: string, value: boolean) => ({ fact: name, device: { value } }) as unknown as Fact

test('21 lines in five rows: by the gateway, else by the connected device, else not shown', () => {
  const rows = lineRows(
    [line('power', 1, true), line('input', 1, false), line('input', 2, null), line('output', 2, true, true)],
    [fact('in1', true), fact('in2', true), fact('in5', false)]
  )
  expect(rows.map(({ id, lines }) => [id, lines.length])).toEqual([
    ['power', 2],
    ['inputs', 7],
    ['outputs', 4],
    ['expanderIn', 4],
    ['expanderOut', 4]
  ])
  const [power, inputs, outputs, expander] = rows.map(({ lines }) => lines)
  expect(power?.map(({ on }) => on)).toEqual([true, null])
  // The gateway's word comes first; a line that it does not show comes from the device.
  expect(inputs?.slice(0, 5).map(({ on, isOfDevice }) => [on, isOfDevice])).toEqual([
    [false, false],
    [true, true],
    [null, false],
    [null, false],
    [false, true]
  ])
  expect(outputs?.[1]).toMatchObject({ on: true, isShorted: true })
  expect(expander?.every(({ on }) => on === null)).toBe(true)
})
