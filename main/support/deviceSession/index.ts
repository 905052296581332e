import type { Json } from '../../../preload/contract/define.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, plainMessage, type Message } from '../../../preload/contract/messages.ts'
import type { CallOutput, CallParsed } from '../../../preload/contract/index.ts'
import type { ChangeResult, DeviceChange, EcuEntry, Run } from '../../../preload/contract/device/workspace.ts'
import { assertCanAlign } from './alignment.ts'
import { applyChange, assertSendable } from './change.ts'
import { judgeCommand } from '../../device/client/console/consoleGuard.ts'
import { refusalSentence } from './consoleRefusal.ts'
import { readEcuFile, readEcuText } from './ecuFile.ts'
import { checkEcuList } from './ecuList.ts'
import { ecuPresets } from './ecuPresets.ts'
import { cutsLink, findLink, linkEffects } from './link.ts'
import type { DiagnosisLimits } from '../diagnosis/limits.ts'
import { createLiveReader } from './liveReading.ts'
import { mergeNetworks } from './networks.ts'
import type { DeviceWriteStore } from '../../data/store/work/deviceWrites.ts'
import type { OpenedDevice } from './ports.ts'
import { createRuns } from './runs.ts'
import { readUpdateMessage } from '../../device/client/updateMessage.ts'

export interface WorkspaceOptions {
  /** A device of the table, by its key. Throws NOT_FOUND or UNREACHABLE. */
  open(key: string): OpenedDevice
  log: DeviceWriteStore
  technician(): string
  runningJob(imei: string): string | null
  /** The latest job on this device that is not finished, also one that is paused. */
  openJob(imei: string): string | null
  /** Below this speed a vehicle stands. */
  standstillKmh(): number
  /** Writes what was sent to the log of that job. */
  recordInJob(
    jobId: string,
    entry: { phase: 'intent' | 'answered' | 'unknown'; operation: string; input: Json; what: Message; raw: Json }
  ): void
  /** From now on this text is removed from everything that leaves the process. */
  addSecret(text: string): void
  /** A copy without any known secret. */
  redact(value: unknown): Json
  /** Receives each new reading of a device, for other parts that show the device. */
  addReadings(key: string, readings: CallOutput<'workspace.read'>['readings']): void
  runChanged(run: Run): void
  limits(): DiagnosisLimits
  reportFault(error: unknown): void
}

const requiredApps = 'requiredApps'
/** The log contains the start of a command's output, not all of it: endless output would fill the data folder. */
const keptOutput = 20_000

/** Everything that a technician does with a device outside a checklist. */
export function createWorkspace(options: WorkspaceOptions) {
  const { log } = options
  const live = createLiveReader(options.limits)
  const runs = createRuns({
    open: (key) => options.open(key),
    apply: (opened, change) => sendChange(opened, change),
    addEntry: (opened, entry) => addEntry(opened, entry),
    changed: (run) => options.runChanged(run),
    now: () => new Date(),
    reportFault: (error) => options.reportFault(error)
  })

  /** Writes the intent before the first byte and the outcome after the last, to the logs of the device and its job. */
  async function logged<T>(
    opened: OpenedDevice,
    operation: string,
    input: unknown,
    work: () => Promise<{ value: T; detail: Message; outcome: 'done' | 'failed' | 'unknown'; answer: Json }>
  ): Promise<T> {
    const shown = options.redact(input)
    const jobId = opened.imei === null ? null : options.runningJob(opened.imei)
    const write = { imei: opened.imei ?? opened.address, operation, input: shown, by: options.technician(), jobId }
    const id = log.begin({ ...write, at: new Date().toISOString() })
    if (jobId)
      options.recordInJob(jobId, {
        phase: 'intent',
        operation,
        input: shown,
        what: message('workspace.byHand', { operation }),
        raw: null
      })
    const end = (outcome: 'done' | 'failed' | 'refused' | 'unknown', detail: Message, answer: Json) => {
      const raw = shorten(options.redact(answer))
      log.end(id, { outcome, detail, answer: raw, at: new Date().toISOString() })
      if (jobId)
        options.recordInJob(jobId, {
          phase: outcome === 'unknown' ? 'unknown' : 'answered',
          operation,
          input: shown,
          what: detail,
          raw
        })
    }
    try {
      const { value, detail, outcome, answer } = await work()
      end(outcome, detail, answer)
      return value
    } catch (error) {
      const isRefused =
        error instanceof AppError &&
        ['REFUSED', 'CONFLICT', 'NOT_PERMITTED', 'NOT_AUTHENTICATED', 'NOT_FOUND', 'INVALID_REQUEST'].includes(
          error.code
        )
      end(
        isRefused ? 'refused' : 'unknown',
        error instanceof AppError ? error.sentence : message('workspace.fault'),
        null
      )
      throw error
    }
  }

  async function sendChange(opened: OpenedDevice, change: DeviceChange, signal?: AbortSignal) {
    if (change.operation === 'accel.autoAlignment' && change.state) await assertAlignable(opened, signal)
    for (const secret of secretsOf(change)) options.addSecret(secret)
    const { operation, ...input } = change
    return logged(opened, operation, input, async () => {
      const { result } = await applyChange(opened.device, change, { signal })
      const outcome = result.kind === 'unknown' ? 'unknown' : result.kind === 'different' ? 'failed' : 'done'
      return {
        value: { ...result, at: new Date().toISOString() },
        detail: result.detail,
        outcome,
        answer: result.answer
      }
    })
  }

  function addEntry(opened: OpenedDevice, entry: EcuEntry): Promise<Json> {
    return logged(opened, 'ecu.addParameter', entry, async () => {
      const { raw } = await opened.device.ecu.addParameter(entry)
      const answer = (raw ?? null) as Json
      return {
        value: answer,
        detail: message('workspace.entrySent', { name: entry.PARAM_NAME }),
        outcome: 'done',
        answer
      }
    })
  }

  /** A job has a step of its own for it, and its log has to contain what that step saw. */
  async function assertAlignable(
    { imei, device }: OpenedDevice,
    signal: AbortSignal = new AbortController().signal
  ): Promise<void> {
    if (imei !== null && options.openJob(imei) !== null) throw new AppError('CONFLICT', message('workspace.alignInJob'))
    await assertCanAlign(device, options.standstillKmh(), signal)
  }

  function assertNoJob({ imei }: OpenedDevice): void {
    if (imei !== null && options.runningJob(imei) !== null) {
      throw new AppError('CONFLICT', message('workspace.jobWorks'))
    }
  }

  return {
    async read(
      { key, view, operations, everyMs }: CallParsed<'workspace.read'>,
      signal: AbortSignal
    ): Promise<CallOutput<'workspace.read'>> {
      const result = await live.read(options.open(key), { view, operations, everyMs }, signal)
      options.addReadings(key, result.readings)
      return result
    },
    closeView: (view: string) => live.closeView(view),
    async link(key: string, signal: AbortSignal): Promise<CallOutput<'workspace.link'>> {
      const link = await findLink(options.open(key), { signal })
      return { ...link, effects: linkEffects(link) }
    },
    async change(
      { key, change, confirmCut }: CallParsed<'workspace.change'>,
      signal: AbortSignal
    ): Promise<CallOutput<'workspace.change'>> {
      assertSendable(change)
      const opened = options.open(key)
      if (!confirmCut && touchesRadio(change)) {
        const link = await findLink(opened, { signal })
        const cut = cutsLink(change, link)
        if (cut) return { kind: 'cutsLink', over: link.over, ...cut }
      }
      return { kind: 'changed', result: await sendChange(opened, change, signal) }
    },
    async scanWifi(
      { key, view }: CallParsed<'workspace.scanWifi'>,
      signal: AbortSignal
    ): Promise<CallOutput<'workspace.scanWifi'>> {
      const { device } = options.open(key)
      return live.within(view, signal, async (own) => {
        const [scan, saved] = await Promise.all([device.wifi.scan({ signal: own }), device.wifi.list({ signal: own })])
        const networks = mergeNetworks(
          scan.value.nets ?? [],
          (saved.value.ssids ?? []).filter((ssid) => ssid !== undefined)
        )
        return { networks, raw: (scan.raw ?? null) as Json, problems: scan.problems }
      })
    },
    async checkUpdate(
      { key, view }: CallParsed<'workspace.checkUpdate'>,
      signal: AbortSignal
    ): Promise<CallOutput<'workspace.checkUpdate'>> {
      const opened = options.open(key)
      assertNoJob(opened)
      return live.within(view, signal, (own) =>
        logged(opened, 'updates.osCheck', {}, async () => {
          const { value, raw } = await opened.device.updates.osCheck({ signal: own })
          const told = readUpdateMessage(value)
          const answer = (raw ?? null) as Json
          return {
            value: { ...told, raw: answer },
            detail: plainMessage(told.said),
            outcome: told.state === 'failed' ? 'failed' : 'done',
            answer
          }
        })
      )
    },
    async exec(
      { key, command, repeated }: CallParsed<'workspace.exec'>,
      signal: AbortSignal
    ): Promise<CallOutput<'workspace.exec'>> {
      const opened = options.open(key)
      const verdict = judgeCommand(command)
      if (verdict.kind === 'refused') {
        const reason = refusalSentence(verdict)
        keepRefusal(opened, command, reason)
        return { kind: 'refused', by: 'fitter', reason }
      }
      if (verdict.kind === 'confirm' && repeated !== command) return { kind: 'unconfirmed' }
      try {
        return await logged(opened, 'exec.run', { command }, async () => {
          const { raw, elapsedMs } = await opened.device.exec.run({ command }, { signal })
          const answer = options.redact(raw ?? null)
          const output = typeof answer === 'string' ? answer : JSON.stringify(answer, null, 2)
          return {
            value: { kind: 'ran' as const, output, raw: answer, elapsedMs },
            detail: message('console.ran'),
            outcome: 'done',
            answer
          }
        })
      } catch (error) {
        if (error instanceof AppError && (error.code === 'NOT_PERMITTED' || error.code === 'REFUSED')) {
          return { kind: 'refused', by: 'device', reason: error.sentence }
        }
        throw error
      }
    },
    history({ key, operations, limit }: CallParsed<'workspace.history'>): CallOutput<'workspace.history'> {
      const { imei, address } = options.open(key)
      return { writes: log.list({ imei: imei ?? address, operations, limit }) }
    },
    async checkEcuList({
      key,
      rows,
      csv,
      base64
    }: CallParsed<'workspace.checkEcuList'>): Promise<CallOutput<'workspace.checkEcuList'>> {
      const { imei, address } = options.open(key)
      const sent = new Map(
        log
          .list({ imei: imei ?? address, operations: ['ecu.addParameter'], limit: 500 })
          .filter(({ outcome }) => outcome === 'done' || outcome === 'unknown')
          .map(({ at, input }) => [(input as { PARAM_NAME?: string }).PARAM_NAME, at])
      )
      try {
        const file =
          base64 !== undefined
            ? await readEcuFile(Buffer.from(base64, 'base64'))
            : csv.trim() === ''
              ? { rows, configuration: null }
              : readEcuText(csv)
        return {
          rows: checkEcuList(file.rows, (name) => sent.get(name) ?? null),
          problem: null,
          configuration: file.configuration
        }
      } catch (error) {
        if (error instanceof AppError && error.code === 'INVALID_REQUEST')
          return { rows: [], problem: error.sentence, configuration: null }
        throw error
      }
    },
    ecuPresets: (): CallOutput<'workspace.ecuPresets'> => ({ presets: ecuPresets.map((preset) => ({ ...preset })) }),
    startRun({ keys, change }: CallParsed<'workspace.startRun'>): Run {
      if (change.operation !== 'ecu.addParameter') {
        for (const secret of secretsOf(change)) options.addSecret(secret)
        assertSendable(change)
      }
      return runs.start(keys, change)
    },
    runs: (): Run[] => runs.list(),
    stopRun: (id: string): Promise<Run> => runs.stop(id),
    continueRun: (id: string, alsoUnknown: boolean): Run => runs.continue(id, alsoUnknown),
    /** Sends a setting, reads it back and logs both; whoever calls has made sure of the connection. */
    applySetting: (opened: OpenedDevice, change: DeviceChange): Promise<ChangeResult> => sendChange(opened, change),
    /** Sends an entry of the engine-bus list and logs it. */
    addEntry,
    requiredApps: (): string[] => log.names(requiredApps),
    setRequiredApps(names: string[]): string[] {
      log.keepNames(requiredApps, [...new Set(names)])
      return log.names(requiredApps)
    },
    async stop(): Promise<void> {
      live.stop()
      await runs.close()
    }
  }

  function keepRefusal(opened: OpenedDevice, command: string, reason: Message): void {
    const jobId = opened.imei === null ? null : options.runningJob(opened.imei)
    const input = options.redact({ command })
    const at = new Date().toISOString()
    const id = log.begin({
      imei: opened.imei ?? opened.address,
      at,
      operation: 'exec.run',
      input,
      by: options.technician(),
      jobId
    })
    log.end(id, { outcome: 'refused', detail: reason, answer: null, at })
  }
}

function touchesRadio({ operation }: DeviceChange): boolean {
  return operation.startsWith('wifi.') || operation.startsWith('hotspot.')
}

function secretsOf(change: DeviceChange): string[] {
  switch (change.operation) {
    case 'modem.editApn':
      return [change.user, change.pass, change.pin]
    case 'wifi.add':
    case 'hotspot.edit':
      return [change.password]
    default:
      return []
  }
}

function shorten(value: Json): Json {
  if (typeof value === 'string') return value.length > keptOutput ? `${value.slice(0, keptOutput)}… [cut]` : value
  return JSON.stringify(value).length > keptOutput ? '[too long to keep]' : value
}
