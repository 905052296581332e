import type { CallOutput } from '../../../preload/contract/index.ts'
import type { SignalName } from '../../../preload/contract/device/signals.ts'
import { createSeries, type Series } from '../../../preload/base/signals/series.ts'
import { keepLatest } from '../diagnosis/keepLatest.ts'
import { signalsOf } from './signals.ts'
import type { DeviceRead } from '../../device/client/wire.ts'

export type HeardReading = Pick<DeviceRead, 'operation' | 'value' | 'atMs' | 'elapsedMs'>

/** A full day of this many devices takes at most 60 MB. */
const mostDevices = 16
const rawReadings = 1_200
/** Several views read one device: a shorter interval says nothing about how often it is read. */
const leastIntervalMs = 1_000
/** Readings of one round are made in parallel: the first of them shows the response time of the device. */
const roundMs = 200
/** For a whole day, as many points as a wide chart has columns. */
const mostColumns = 600

/** The numeric readings of devices while Fitter runs: 24 h for each of the most recently read devices. */
export function createSignalHistory({ devices: most = mostDevices, now = () => Date.now() } = {}) {
  /** The most recently read device is last. */
  const devices = new Map<string, Map<SignalName, Series>>()

  function seriesOf(device: string): Map<SignalName, Series> {
    return keepLatest(devices, device, devices.get(device) ?? new Map<SignalName, Series>(), most)
  }

  function note(signals: Map<SignalName, Series>, name: SignalName, at: { atMs: number; value: number | null }): void {
    let series = signals.get(name)
    if (!series) signals.set(name, (series = createSeries({ rawReadings, leastIntervalMs })))
    series.add(at.atMs, at.value)
  }

  /** The device restarted in between if its uptime is shorter than before. */
  function restartsAfter(signals: Map<SignalName, Series>, uptimeS: number): number {
    const before = signals.get('uptimeS')?.last?.value ?? 0
    return (signals.get('restarts')?.last?.value ?? 0) + (uptimeS < before ? 1 : 0)
  }

  return {
    /** `device` is its IMEI, or its address while the IMEI is unknown. */
    hear(device: string, { operation, value, atMs, elapsedMs }: HeardReading): void {
      const read = signalsOf(operation, value)
      const signals = seriesOf(device)
      for (const [name, number] of read) {
        if (name === 'uptimeS')
          note(signals, 'restarts', { atMs, value: number === null ? null : restartsAfter(signals, number) })
        note(signals, name, { atMs, value: number })
      }
      const answeredAtMs = signals.get('answerMs')?.last?.atMs ?? -Infinity
      if (atMs - answeredAtMs >= roundMs) note(signals, 'answerMs', { atMs, value: elapsedMs })
    },
    since(
      device: string,
      { names, sinceMs }: { names: readonly SignalName[]; sinceMs: number }
    ): CallOutput<'workspace.signals'> {
      // A reading from this very millisecond belongs to the next answer.
      const nowMs = now() - 1
      const signals = devices.get(device)
      const told: CallOutput<'workspace.signals'>['signals'] = {}
      for (const name of names) {
        const series = signals?.get(name)
        if (!series) continue
        series.settle(nowMs)
        const fromMs = Math.max(sinceMs, series.firstAtMs ?? sinceMs)
        const { atMs, values } = series.points(sinceMs === 0 ? fromMs : sinceMs, nowMs, mostColumns)
        const first = atMs.findIndex((one, index) => one > sinceMs && values[index] !== null)
        // The mark of a gap is sent with the reading that ends the gap.
        const from =
          first > 0 && values[first - 1] === null
            ? first - 1
            : first >= 0
              ? first
              : values.at(-1) === null
                ? values.length - 1
                : -1
        const to = atMs.findLastIndex((one) => one <= nowMs) + 1
        if (from >= 0 && from < to) told[name] = { atMs: atMs.slice(from, to), values: values.slice(from, to) }
      }
      return { nowMs, signals: told }
    }
  }
}
