import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAgreement } from '../../../renderer/device/devices/label/useCamera.ts'
import { createTypedLines } from '../../../renderer/device/devices/label/typedLines.ts'

describe('Two pictures', () => {
  it('have to agree before a text counts, and it counts once', () => {
    const agree = createAgreement()
    expect(['1', '2', '1', '1', '1', '1'].map(agree)).toEqual([
      undefined,
      undefined,
      undefined,
      '1',
      undefined,
      undefined
    ])
    // Seen again after another one, it counts again.
    expect(['2', '1', '1'].map(agree)).toEqual([undefined, undefined, '1'])
  })
})

describe('Typed lines', () => {
  let given: string[]
  let typed: ReturnType<typeof createTypedLines>
  beforeEach(() => {
    vi.useFakeTimers()
    given = []
    typed = createTypedLines((text) => given.push(text))
  })
  afterEach(() => {
    typed.stop()
    vi.useRealTimers()
  })

  function type(line: string, msPerKey: number): void {
    for (let key = 0; key <= line.length; key++) {
      typed.key(Date.now())
      vi.advanceTimersByTime(msPerKey)
    }
    typed.line(line)
  }

  it('of a person are given at once', () => {
    type('490154203237518', 120)
    expect(given).toEqual(['490154203237518'])
  })

  it('of a scanner are given together, as one label', () => {
    for (const line of ['MODEL ft4 rev 2', 'IMEI 490154203237518', 'S/N 1']) type(line, 5)
    expect(given).toEqual([])
    vi.advanceTimersByTime(250)
    expect(given).toEqual(['MODEL ft4 rev 2\nIMEI 490154203237518\nS/N 1'])
    type('490154203237518', 5)
    vi.advanceTimersByTime(250)
    expect(given).toHaveLength(2)
  })

  it('that were pasted, without a key, are given at once', () => {
    typed.line('490154203237518')
    expect(given).toEqual(['490154203237518'])
  })
})
