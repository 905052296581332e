import { describe, expect, test, vi } from 'vitest'
import type { LedgerEntry } from '../../../../preload/contract/device/outputs.ts'
import { benchImei, ledgerRow, openOutputBench, pass } from '../../../world/device/outputBench.ts'

describe('All off', () => {
  test('brings off each output on its own, also when what is sent to another one cannot be written down', async () => {
    const bench = openOutputBench()
    await bench.on('OUT1')
    await bench.on('OUT2')
    bench.isReached = true
    bench.unwritable.add('OUT1')
    bench.device.fails.off = 'TIMEOUT'
    setTimeout(() => (bench.device.fails = {}), 2_000)
    expect(await pass(bench.outputs.allOff())).toEqual([])
    expect(bench.device.relays).toMatchObject({ OUT1: false, OUT2: false })
    expect(bench.faults.map(String)).toEqual([`Error: What was sent to OUT1 of ${benchImei} could not be written down`])
    expect(bench.faults).toMatchObject([{ cause: { code: 'DATA_UNUSABLE' } }])
  })

  test('keeps what is not proved off in the ledger, also when the ledger cannot be written', async () => {
    const bench = openOutputBench()
    await bench.on('OUT1')
    await bench.on('OUT2')
    bench.ledger.isFull = true
    bench.device.fails.read = 'UNREACHABLE'
    expect(await pass(bench.outputs.allOff())).toMatchObject([{ output: 'OUT1' }, { output: 'OUT2' }])
    bench.device.fails = {}
    expect(await pass(bench.outputs.allOff())).toHaveLength(2)
    expect(bench.device.relays).toMatchObject({ OUT1: false, OUT2: false })
    bench.ledger.isFull = false
    await vi.advanceTimersByTimeAsync(5_000)
    expect(bench.outputs.ledger()).toEqual([])
  })

  test('reports a fault of Fitter that it meets on the way', async () => {
    const bench = openOutputBench()
    await bench.on('OUT1')
    const fault = new Error('broken')
    bench.device.breaks.off = fault
    setTimeout(() => (bench.device.breaks = {}), 2_000)
    bench.isReached = true
    expect(await pass(bench.outputs.allOff())).toEqual([])
    expect(new Set(bench.faults)).toEqual(new Set([fault]))
  })

  test('does not wait for an output that nobody can reach, and says that it may be on', async () => {
    const bench = openOutputBench([ledgerRow()])
    const beforeMs = Date.now()
    expect(await pass(bench.outputs.allOff())).toMatchObject([{ output: 'OUT1', isReachable: false }])
    expect(Date.now() - beforeMs).toBeLessThan(100)
  })
})

describe('An output that must go off while its device is silent', () => {
  test('says how often “off” was tried, since when, when last, and within which time again', async () => {
    const bench = openOutputBench()
    const claim = await bench.on('OUT1')
    expect(bench.outputs.ledger()[0]).not.toHaveProperty('tries')
    bench.isReached = true
    bench.device.fails = { off: 'UNREACHABLE', read: 'UNREACHABLE' }
    const sinceMs = Date.now()
    claim.release()
    await vi.advanceTimersByTimeAsync(2_000)
    const [early] = bench.outputs.ledger()
    expect(early?.tries).toMatchObject({ n: 4, since: new Date(sinceMs).toISOString(), everyS: 7 })
    await vi.advanceTimersByTimeAsync(20_000)
    const [late] = bench.outputs.ledger()
    expect(late?.tries?.n).toBeGreaterThan(20)
    expect(late?.tries).toMatchObject({ since: early?.tries?.since, everyS: 9 })
    expect(Date.now() - Date.parse(late?.tries?.at ?? '')).toBeLessThan(9_000)
    bench.device.fails = {}
    await vi.advanceTimersByTimeAsync(9_000)
    await bench.on('OUT1')
    expect(bench.outputs.ledger()[0]).not.toHaveProperty('tries')
  })
})

describe('What an earlier run left on', () => {
  test('goes off as soon as its device is seen', async () => {
    const bench = openOutputBench([ledgerRow({ isOnSettled: true })])
    bench.device.relays.OUT1 = true
    await vi.advanceTimersByTimeAsync(10_000)
    expect(bench.outputs.ledger()).toMatchObject([{ output: 'OUT1', isReachable: false, state: 'goingOff' }])
    expect(bench.device.seen).toEqual([])
    bench.outputs.seen(benchImei, bench.device)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(bench.device.relays.OUT1).toBe(false)
    expect(bench.ledger.ended).toEqual([{ id: 1, how: 'proved' }])
  })

  test('is not proved off by a reading while its "on" may still take effect', async () => {
    const shown: LedgerEntry[][] = []
    const bench = openOutputBench([ledgerRow()], { changed: (entries) => shown.push(entries) })
    bench.isReached = true
    await vi.advanceTimersByTimeAsync(30_000)
    expect(bench.outputs.ledger()).toMatchObject([{ output: 'OUT1', state: 'watched' }])
    // Front ends hear it, with the end of the watch.
    const [told] = shown.at(-1) ?? []
    expect(told).toMatchObject({ state: 'watched', watchedUntil: bench.outputs.ledger()[0]?.watchedUntil })
    expect(Date.parse(told?.watchedUntil ?? '')).toBeGreaterThan(Date.now())
    bench.device.relays.OUT1 = true
    await vi.advanceTimersByTimeAsync(3_000)
    expect(bench.device.relays.OUT1).toBe(false)
    await vi.advanceTimersByTimeAsync(120_000)
    expect(bench.outputs.ledger()).toEqual([])
  })

  test.each<[string, string]>([
    ['of half a minute ago', '2026-11-20T08:59:30.000Z'],
    ['of yesterday', '2026-11-19T09:00:00.000Z'],
    ['of a clock that was set back', '2026-11-21T09:00:00.000Z']
  ])(
    'an entry %s is older than its “on”, which may have waited: the whole time counts from the start',
    async (_what, since) => {
      const bench = openOutputBench([ledgerRow({ since })])
      bench.isReached = true
      await vi.advanceTimersByTimeAsync(44_000)
      expect(bench.outputs.ledger()).toHaveLength(1)
      await vi.advanceTimersByTimeAsync(4_000)
      expect(bench.outputs.ledger()).toEqual([])
    }
  )

  test('is out of the ledger when a person saw it off at the relay', async () => {
    const bench = openOutputBench([ledgerRow({ isOnSettled: true })])
    await vi.advanceTimersByTimeAsync(1)
    expect(bench.outputs.ledger()).toMatchObject([{ mayConfirmOff: true }])
    expect(await bench.outputs.confirmOff(1, 'fuse taken out')).toEqual([])
    expect(bench.ledger.ended).toEqual([{ id: 1, how: 'person' }])
    expect(bench.journal.at(-1)).toContain('fuse taken out')
    await expect(bench.outputs.confirmOff(1, 'again')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      sentence: { id: 'outputs.notListed' }
    })
  })

  test('is switched off by its row in the list, and read', async () => {
    const bench = openOutputBench([ledgerRow({ isOnSettled: true })])
    bench.isReached = true
    bench.device.relays.OUT1 = true
    expect(await pass(bench.outputs.switchOff(1))).toEqual([])
    expect(bench.device.relays.OUT1).toBe(false)
  })
})

test('waiting for a device gives what is left of it, and nothing of others', async () => {
  const bench = openOutputBench([ledgerRow(), ledgerRow({ id: 2, imei: '356938035643809' })])
  bench.isReached = true
  bench.device.fails.read = 'UNREACHABLE'
  expect(await pass(bench.outputs.settle(benchImei, 1_000))).toMatchObject([{ id: 1, state: 'mayBeOn' }])
})

test('waiting for a device ends when its outputs are proved off, whatever others may have on', async () => {
  const bench = openOutputBench([
    ledgerRow({ isOnSettled: true }),
    ledgerRow({ id: 2, imei: '356938035643809', isOnSettled: true })
  ])
  bench.isReached = true
  bench.device.relays.OUT1 = true
  const beganMs = Date.now()
  expect(await pass(bench.outputs.settle(benchImei, 10_000))).toEqual([])
  expect(Date.now() - beganMs).toBeLessThan(1_000)
  expect(bench.outputs.ledger()).toMatchObject([{ id: 2 }])
})

describe('A way out', () => {
  const awayImei = '867698040023056'
  const away = () => ledgerRow({ id: 9, imei: awayImei, output: 'OUT3', isOnSettled: true })

  test('of one device waits for its outputs alone', async () => {
    const bench = openOutputBench([away()])
    await bench.on('OUT1')
    await pass(bench.outputs.leave({ imei: benchImei }))
    expect(bench.device.relays.OUT1).toBe(false)
    expect(bench.outputs.ledger()).toMatchObject([{ imei: awayImei, output: 'OUT3' }])
  })

  test('of one device neither switches off what another one has on, nor waits for it', async () => {
    const bench = openOutputBench()
    await bench.on('OUT1')
    bench.isReached = true
    bench.device.seen = []
    const beganMs = Date.now()
    await pass(bench.outputs.leave({ imei: awayImei }))
    await pass(bench.outputs.leave({ path: 'gateway' }))
    expect(Date.now() - beganMs).toBeLessThan(100)
    expect(bench.device.seen.filter((what) => what.startsWith('OUT'))).toEqual([])
    expect(bench.outputs.ledger()).toMatchObject([{ output: 'OUT1', state: 'on' }])
  })

  test('is refused with every output that may still be on, and only with those that it is about', async () => {
    const bench = openOutputBench([away()])
    const refused = { code: 'CONFLICT', retryable: true, sentence: { id: 'outputs.staysForOutputs' } }
    await expect(pass(bench.outputs.leave())).rejects.toMatchObject(refused)
    await expect(pass(bench.outputs.leave({ path: 'local' }))).rejects.toMatchObject(refused)
    await expect(pass(bench.outputs.leave({ imei: awayImei }))).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining('OUT3') as string
    })
    await pass(bench.outputs.leave({ imei: benchImei }))
    await pass(bench.outputs.leave({ path: 'gateway' }))
  })

  test('from the gateway leaves an output of a device as it is', async () => {
    const bench = openOutputBench()
    await bench.on('OUT1')
    await pass(bench.outputs.leave({ path: 'gateway' }))
    expect(bench.device.relays.OUT1).toBe(true)
    expect(bench.outputs.ledger()).toMatchObject([{ output: 'OUT1' }])
  })

  test('by the link stays closed for the device whose output may be on, and for no other', () => {
    const bench = openOutputBench([away()])
    const close = (imei: string) => () => bench.outputs.assertLinkMayEnd(imei)
    expect(close(benchImei)).not.toThrow()
    expect(close(awayImei)).toThrow(
      expect.objectContaining({
        code: 'CONFLICT',
        retryable: true,
        sentence: expect.objectContaining({ id: 'outputs.linkStays' })
      })
    )
    expect(close(awayImei)).toThrow(/OUT3/)
  })
})
