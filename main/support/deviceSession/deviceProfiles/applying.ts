import { randomUUID } from 'node:crypto'
import type { Json } from '../../../../preload/contract/define.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type {
  AppliedRow,
  ApnLogin,
  PreviewRow,
  ProfileRun
} from '../../../../preload/contract/device/deviceProfiles.ts'
import type { ChangeResult, DeviceChange, EcuEntry } from '../../../../preload/contract/device/workspace.ts'
import { createOpenRuns } from '../openRuns.ts'
import type { OpenedDevice } from '../ports.ts'
import { sentAs } from './preview.ts'

export interface ProfileRunOptions {
  open(key: string): OpenedDevice
  /** Sends a setting, reads it back and logs both. */
  apply(opened: OpenedDevice, change: DeviceChange): Promise<ChangeResult>
  /** Sends one entry of the engine-bus list and logs it. */
  addEntry(opened: OpenedDevice, entry: EcuEntry): Promise<Json>
  /** Stores how the device is before anything is sent. */
  takeSnapshot(key: string, view: string, signal: AbortSignal): Promise<unknown>
  /** Why nothing may be sent to this device now; null when nothing prevents it. */
  refusal(imei: string | null): Message | null
  changed(run: ProfileRun): void
  now(): Date
  reportFault(error: unknown): void
}

interface OpenRun {
  shown: ProfileRun
  login: ApnLogin
  abort: AbortController
  ended: Promise<void>
}

/** With one of these the device, or the way to it, is lost for the settings that follow as well. */
const lostCodes: ReadonlySet<string> = new Set(['UNREACHABLE', 'TIMEOUT', 'NOT_AUTHENTICATED', 'WRONG_DEVICE'])
const kindOrder = ['busConfiguration', 'busParameter', 'apn', 'hotspotOn', 'wifiOn']

/** The order of sending: what can cut our own connection comes last. */
export function inSendingOrder(rows: readonly PreviewRow[]): PreviewRow[] {
  const rank = ({ cut, setting }: PreviewRow) => (cut ? kindOrder.length : 0) + kindOrder.indexOf(setting.kind)
  return [...rows].sort((one, other) => rank(one) - rank(other))
}

/** Profiles that are sent to devices: one setting after the other, each with its own result. */
export function createProfileRuns(options: ProfileRunOptions) {
  const isOpen = ({ shown }: OpenRun) => shown.state === 'snapshot' || shown.state === 'running'
  const { add, some, list, stop, ended, close } = createOpenRuns<ProfileRun, OpenRun>(isOpen)
  const tell = ({ shown }: OpenRun) => options.changed(structuredClone(shown))

  async function work(run: OpenRun): Promise<void> {
    const { shown, abort } = run
    await options.takeSnapshot(shown.key, shown.id, abort.signal)
    shown.state = 'running'
    tell(run)
    for (const row of shown.rows) {
      if (abort.signal.aborted) return
      const refusal = options.refusal(shown.imei)
      if (refusal) {
        end(run, 'stopped', refusal)
        return
      }
      row.state = 'sending'
      tell(run)
      await send(run, row)
      if (shown.state !== 'running') return
      tell(run)
    }
  }

  async function send(run: OpenRun, row: AppliedRow): Promise<void> {
    try {
      const opened = options.open(run.shown.key)
      const sent = sentAs(row.setting, run.login)
      if (sent.kind === 'entry') {
        await options.addEntry(opened, sent.entry)
        Object.assign(row, { state: 'sent', detail: message('workspace.taken') })
        return
      }
      const { kind, detail } = await options.apply(opened, sent.change)
      Object.assign(row, {
        state: ({ readBack: 'confirmed', different: 'differs', sent: 'sent', unknown: 'unknown' } as const)[kind],
        detail
      })
      // A setting that can be read back stays unknown only while the device cannot be read.
      if (kind === 'unknown' && row.setting.kind !== 'busConfiguration') end(run, 'lost', detail)
    } catch (error) {
      if (!(error instanceof AppError)) {
        Object.assign(row, { state: 'unknown', detail: message('workspace.runFault') })
        throw error
      }
      const wasSent = error.fate === 'unknown'
      const isRefused = error.fate === 'refused' && error.code !== 'WRONG_DEVICE'
      Object.assign(row, { state: isRefused ? 'refused' : wasSent ? 'unknown' : 'notSent', detail: error.sentence })
      if (lostCodes.has(error.code)) end(run, 'lost', error.sentence)
    }
  }

  function end({ shown }: OpenRun, state: 'stopped' | 'lost', why: Message | null): void {
    shown.state = state
    shown.why = why
  }

  function settle(run: OpenRun): void {
    const { shown } = run
    if (isOpen(run)) shown.state = run.abort.signal.aborted ? 'stopped' : 'ended'
    for (const row of shown.rows) if (row.state === 'waiting' || row.state === 'sending') row.state = 'notSent'
    // The passwords of the APN are not needed again.
    run.login = { user: '', pass: '', pin: '' }
    tell(run)
  }

  return {
    isRunning: (key: string) => some((run) => run.shown.key === key && isOpen(run)),
    start(
      opened: OpenedDevice,
      profile: ProfileRun['profile'],
      rows: readonly PreviewRow[],
      login: ApnLogin
    ): ProfileRun {
      const shown: ProfileRun = {
        id: randomUUID(),
        key: opened.key,
        imei: opened.imei,
        profile,
        startedAt: options.now().toISOString(),
        state: 'snapshot',
        why: null,
        rows: inSendingOrder(rows).map(({ id, setting, now }) => ({
          id,
          setting,
          before: now,
          state: 'waiting',
          detail: null
        }))
      }
      const run: OpenRun = { shown, login, abort: new AbortController(), ended: Promise.resolve() }
      add(run)
      tell(run)
      run.ended = work(run)
        .catch((error: unknown) => {
          // A person who stops it during the snapshot is told no reason.
          if (error instanceof AppError) end(run, 'stopped', error.code === 'CANCELLED' ? null : error.sentence)
          else {
            end(run, 'stopped', message('workspace.runFault'))
            options.reportFault(error)
          }
        })
        .finally(() => settle(run))
      return structuredClone(shown)
    },
    list,
    stop,
    ended,
    close
  }
}
