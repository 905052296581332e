import { randomUUID } from 'node:crypto'
import type { Json } from '../../../preload/contract/define.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type {
  ChangeResult,
  DeviceChange,
  EcuEntry,
  Run,
  RunChange,
  RunDevice
} from '../../../preload/contract/device/workspace.ts'
import { sideBySide } from '../../base/time/sideBySide.ts'
import { createOpenRuns } from './openRuns.ts'
import type { OpenedDevice } from './ports.ts'

export interface RunOptions {
  open(key: string): OpenedDevice
  apply(opened: OpenedDevice, change: DeviceChange): Promise<ChangeResult>
  addEntry(opened: OpenedDevice, entry: EcuEntry): Promise<Json>
  changed(run: Run): void
  now(): Date
  reportFault(error: unknown): void
}

interface OpenRun {
  shown: Run
  change: RunChange
  abort: AbortController
  ended: Promise<void>
  startedMs: number
  doneAtStart: number
}

/** Devices that are changed in parallel; each of them receives one request at a time. */
const devicesAtOnce = 4

/** One setting for a selection of devices, with a result for each; a run can be stopped and continued at any time. */
export function createRuns(options: RunOptions) {
  const { find, add, list, stop, close } = createOpenRuns<Run, OpenRun>(({ shown }) => shown.state === 'running')

  function tell(run: OpenRun): void {
    const { shown } = run
    const states = shown.devices.flatMap(({ rows, state }) =>
      rows.length > 0 ? rows.map((row) => row.state) : [state]
    )
    shown.total = states.length
    shown.done = states.filter((state) => state === 'done').length
    const settled = states.filter((state) => state !== 'waiting' && state !== 'running').length - run.doneAtStart
    const left = states.filter((state) => state === 'waiting' || state === 'running').length
    shown.leftMs =
      shown.state !== 'running' || settled <= 0
        ? null
        : Math.round(((performance.now() - run.startedMs) / settled) * left)
    options.changed(structuredClone(shown))
  }

  function begin(run: OpenRun): void {
    run.abort = new AbortController()
    run.startedMs = performance.now()
    run.doneAtStart = run.shown.devices
      .flatMap(({ rows, state }) => (rows.length > 0 ? rows.map((row) => row.state) : [state]))
      .filter((state) => state !== 'waiting').length
    run.shown.state = 'running'
    run.ended = work(run)
      .catch(options.reportFault)
      .finally(() => {
        run.shown.state = run.abort.signal.aborted ? 'stopped' : 'ended'
        tell(run)
      })
    tell(run)
  }

  function work(run: OpenRun): Promise<void> {
    const waiting = run.shown.devices.filter(({ state }) => state === 'waiting')
    return sideBySide(waiting, { most: devicesAtOnce, signal: run.abort.signal }, (device) => workOn(run, device))
  }

  async function workOn(run: OpenRun, device: RunDevice): Promise<void> {
    device.state = 'running'
    tell(run)
    try {
      const opened = options.open(device.key)
      if (run.change.operation === 'ecu.addParameter') await addRows(run, device, opened, run.change.rows)
      else {
        const { kind, detail } = await options.apply(opened, run.change)
        device.state = kind === 'readBack' || kind === 'sent' ? 'done' : kind === 'unknown' ? 'unknown' : 'failed'
        device.detail = detail
      }
    } catch (error) {
      if (!(error instanceof AppError)) {
        device.state = 'unknown'
        device.detail = message('workspace.runFault')
        throw error
      }
      noteFailure(device, error)
    } finally {
      tell(run)
    }
  }

  async function addRows(
    run: OpenRun,
    device: RunDevice,
    opened: OpenedDevice,
    entries: readonly EcuEntry[]
  ): Promise<void> {
    for (const [index, entry] of entries.entries()) {
      const row = device.rows[index]
      if (!row || row.state !== 'waiting') continue
      if (run.abort.signal.aborted) break
      row.state = 'running'
      tell(run)
      try {
        await options.addEntry(opened, entry)
        row.state = 'done'
        row.detail = message('workspace.rowSent')
      } catch (error) {
        if (!(error instanceof AppError)) {
          row.state = 'unknown'
          throw error
        }
        noteFailure(row, error)
        // The other devices would fail in the same way: they wait until a person continues.
        if (error.code === 'NOT_AUTHENTICATED' || error.code === 'UNREACHABLE' || error.code === 'TIMEOUT') break
      }
      tell(run)
    }
    const { rows } = device
    const count = (state: string) => rows.filter((row) => row.state === state).length
    device.state =
      count('unknown') > 0 ? 'unknown' : count('failed') > 0 ? 'failed' : count('waiting') > 0 ? 'waiting' : 'done'
    device.detail = message('workspace.rowsSent', {
      sent: count('done'),
      all: rows.length,
      refused: count('failed'),
      silent: count('unknown')
    })
    if (device.state === 'waiting' && !run.abort.signal.aborted) device.state = 'failed'
  }

  return {
    start(keys: readonly string[], change: RunChange): Run {
      const shown: Run = {
        id: randomUUID(),
        operation: change.operation,
        startedAt: options.now().toISOString(),
        state: 'running',
        done: 0,
        total: 0,
        leftMs: null,
        devices: [...new Set(keys)].map((key) => ({
          key,
          imei: options.open(key).imei,
          state: 'waiting',
          detail: null,
          rows:
            change.operation === 'ecu.addParameter'
              ? change.rows.map(({ PARAM_NAME: name }) => ({ name, state: 'waiting', detail: null }))
              : []
        }))
      }
      const run: OpenRun = {
        shown,
        change,
        abort: new AbortController(),
        ended: Promise.resolve(),
        startedMs: 0,
        doneAtStart: 0
      }
      add(run)
      begin(run)
      return structuredClone(shown)
    },
    list,
    stop,
    close,
    /**
     * Continues with waiting devices and repeats failed ones; with `alsoUnknown` also those that may already have the
     * setting.
     */
    continue(id: string, alsoUnknown: boolean): Run {
      const run = find(id)
      if (run.shown.state === 'running') throw new AppError('INVALID_REQUEST', message('workspace.stillRunning'))
      const isAgain = (state: string) =>
        state === 'failed' || state === 'waiting' || (alsoUnknown && state === 'unknown')
      for (const device of run.shown.devices) {
        for (const row of device.rows) if (isAgain(row.state)) Object.assign(row, { state: 'waiting', detail: null })
        if (isAgain(device.state) || device.rows.some((row) => row.state === 'waiting'))
          Object.assign(device, { state: 'waiting', detail: null })
      }
      begin(run)
      return structuredClone(run.shown)
    }
  }
}

/** The result for a device after a failed request. */
function noteFailure(item: { state: RunDevice['state']; detail: Message | null }, error: AppError): void {
  item.state = error.fate === 'unknown' ? 'unknown' : 'failed'
  item.detail = error.sentence
}
