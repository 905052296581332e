import { message } from '../../preload/contract/messages.ts'
import type { OutputLine } from '../../preload/contract/device/deviceAreas.ts'
import { AppError } from '../../preload/contract/errors.ts'
import type { LedgerEntry } from '../../preload/contract/device/outputs.ts'
import type { LedgerEnd, LedgerRow, OutputLedgerStore } from '../store/work/outputLedger.ts'
import { atMost } from '../time/pause.ts'
import { createController, type OutputController } from './controller.ts'
import type { GatewayLedger, GatewayOutputName } from './gatewayOutputs.ts'
import type { OutputRecord } from './outputRecord.ts'
import { completeLimits, type OutputLimits, type StoredOutputLimits } from './limits.ts'
import type { OutputDevice, SwitchEntry } from './outputTypes.ts'

export interface OutputsOptions {
  ledger: OutputLedgerStore
  /** Of the delivered profile, which has every limit. */
  shipped: OutputLimits
  chosen(): Partial<StoredOutputLimits>
  /** A client of this device at its last address, if someone is signed in to it. */
  reach(imei: string): OutputDevice | undefined
  technician(): string
  /** Logs what is sent to an output of an earlier run. */
  record(imei: string, jobId: string | null, entry: SwitchEntry): void
  changed(outputs: LedgerEntry[]): void
  reportFault(error: unknown): void
  monotonicMs?: () => number
  now?: () => Date
}

/** The one door to relays: every output of every device is switched here, and every output that may be on is known here. */
export type Outputs = ReturnType<typeof createOutputs>

/** Sends "off" through the gateway, once, and follows it to its end. */
type SwitchOffAtGateway = (
  output: { vehicleId: number; otype: string; out: number },
  signal: AbortSignal
) => Promise<void>

/** The gateway could not be asked: the next attempt. */
const againMs = 10_000

export function createOutputs(options: OutputsOptions) {
  const monotonicMs = options.monotonicMs ?? (() => performance.now())
  const now = options.now ?? (() => new Date())
  const controllers = new Map<string, OutputController>()
  /** The ledger in memory: the file is read once. */
  const open = new Map<number, LedgerRow>()
  const atGateway = new Map<number, LedgerEntry['state']>()
  /** Until when an "on" through the gateway may take effect. What an earlier run sent counts from the start of this one. */
  const lateOnAtGateway = new Map<number, number>()
  const vehicleNames = new Map<number, string>()
  const offAtGateway = new Map<number, { at: string; timer: NodeJS.Timeout }>()
  const startedMs = monotonicMs()
  let switchOffAtGateway: SwitchOffAtGateway | undefined
  let isTelling = false

  function limits(stored: Partial<StoredOutputLimits> = options.chosen()): OutputLimits {
    return completeLimits(stored, options.shipped)
  }

  /** Many things change in one moment; one event is enough. */
  function changed(): void {
    if (isTelling) return
    isTelling = true
    queueMicrotask(() => {
      isTelling = false
      options.changed(ledger())
    })
  }

  function of(imei: string): OutputController {
    const present = controllers.get(imei)
    if (present) return present
    const controller = createController({
      imei,
      ledger: {
        begin(row) {
          const written: LedgerRow = { ...row, id: options.ledger.begin(row), isOnSettled: false }
          open.set(written.id, written)
          return written
        },
        settleOn: (row) => options.ledger.settleOn(row.id),
        end(row, end) {
          options.ledger.end(row.id, { ...end, at: now().toISOString() })
          open.delete(row.id)
          changed()
        }
      },
      reach: () => options.reach(imei),
      changed,
      record: (jobId, entry) => options.record(imei, jobId, entry),
      limits: () => limits(),
      monotonicMs,
      now,
      reportFault: (error) => options.reportFault(error)
    })
    controllers.set(imei, controller)
    return controller
  }

  /** What may be on, oldest first. */
  function ledger(): LedgerEntry[] {
    return [...open.values()].map((row) => {
      const kept = controllers
        .get(row.imei)
        ?.known()
        .find((one) => one.row?.id === row.id)
      const { id, imei, output, path, since, by, jobId } = row
      return {
        id,
        imei,
        output,
        path,
        vehicle: row.vehicleId === null ? null : { id: row.vehicleId, name: vehicleNames.get(row.vehicleId) ?? '' },
        since,
        by,
        jobId,
        state: kept ? stateOf(kept) : (atGateway.get(id) ?? 'mayBeOn'),
        trouble: kept?.trouble?.sentence ?? null,
        isReachable:
          path === 'gateway' ? switchOffAtGateway !== undefined : (kept?.device ?? options.reach(imei)) !== undefined,
        ...(offAtGateway.has(id) ? { offAt: offAtGateway.get(id)?.at ?? '' } : {})
      }
    })
  }

  function find(id: number): LedgerRow {
    const row = open.get(id)
    if (!row) throw new AppError('NOT_FOUND', message('outputs.notListed'))
    return row
  }

  function findAtGateway({ imei, output }: Pick<GatewayOutputName, 'imei' | 'output'>): LedgerRow | undefined {
    return [...open.values()].find((row) => row.path === 'gateway' && row.imei === imei && row.output === output)
  }

  function putAtGateway({ imei, output, vehicleId }: GatewayOutputName): LedgerRow {
    const present = findAtGateway({ imei, output })
    if (present) return present
    const row = {
      imei,
      output,
      path: 'gateway' as const,
      vehicleId,
      address: '',
      since: now().toISOString(),
      by: options.technician(),
      jobId: null
    }
    const written: LedgerRow = { ...row, id: options.ledger.begin(row), isOnSettled: false }
    open.set(written.id, written)
    return written
  }

  function lateOnLeftMs(name: GatewayOutputName): number {
    const row = findAtGateway(name)
    if (!row) return 0
    return Math.max(0, (lateOnAtGateway.get(row.id) ?? startedMs + limits().gatewayExpiresS * 1000) - monotonicMs())
  }

  function end(row: LedgerRow, how: LedgerEnd['how'], reason: string): void {
    options.ledger.end(row.id, {
      how,
      by: how === 'person' ? options.technician() : '',
      reason,
      at: now().toISOString()
    })
    open.delete(row.id)
    lateOnAtGateway.delete(row.id)
    keepOn(row.id)
    changed()
  }

  /** A person, or the end of the output, takes the place of the limit. */
  function keepOn(id: number): void {
    clearTimeout(offAtGateway.get(id)?.timer)
    offAtGateway.delete(id)
  }

  /** Nobody may forget an output: it is switched off after the limit, and again until the gateway accepts it. */
  function switchOffLater(row: LedgerRow, afterMs: number): void {
    keepOn(row.id)
    const timer = setTimeout(() => {
      tryOffAtGateway(row, limits().quitWithinS * 1000)
        .catch((error: unknown) => {
          if (!(error instanceof AppError)) options.reportFault(error)
        })
        .finally(() => {
          if (atGateway.get(row.id) === 'on' && open.has(row.id)) switchOffLater(row, againMs)
        })
    }, afterMs)
    offAtGateway.set(row.id, { at: new Date(now().getTime() + afterMs).toISOString(), timer })
  }

  /** The command is followed to its end; this waits only as long as the end of Fitter may take. */
  async function tryOffAtGateway({ vehicleId, output }: LedgerRow, withinMs: number): Promise<void> {
    const [otype = '', out = ''] = output.split(' ')
    const abort = new AbortController()
    try {
      await atMost(
        withinMs,
        Promise.resolve(switchOffAtGateway?.({ vehicleId: vehicleId ?? 0, otype, out: Number(out) }, abort.signal))
      )
    } finally {
      abort.abort()
    }
  }

  /** At the end of Fitter: what this run switched on through the gateway is switched off there, as time allows. */
  async function allOffAtGateway(withinMs: number): Promise<void> {
    const ours = [...open.values()].filter(({ id, path }) => path === 'gateway' && atGateway.has(id))
    const offs = ours.map((row) =>
      tryOffAtGateway(row, withinMs).catch((error: unknown) => {
        // It stays in the ledger, and that is reported.
        if (!(error instanceof AppError)) options.reportFault(error)
      })
    )
    await Promise.all(offs)
  }

  /** An unreachable one stays in the ledger and is reported. A failure of one does not end the wait for the others. */
  async function awaitAll(rows: LedgerRow[], withinMs: number): Promise<void> {
    const reachable = ledger().filter(({ isReachable }) => isReachable)
    await Promise.all(
      rows
        .filter(({ id }) => reachable.some((one) => one.id === id))
        .map((row) =>
          of(row.imei)
            .awaitOff(row.output as OutputLine, withinMs)
            .catch((error: unknown) =>
              options.reportFault(
                new Error(`What was sent to ${row.output} of ${row.imei} could not be written down`, { cause: error })
              )
            )
        )
    )
  }

  for (const row of options.ledger.open()) {
    open.set(row.id, row)
    if (row.path === 'local') of(row.imei).takeOver(row)
  }

  return {
    of,
    limits,
    ledger,
    /** Adds an entry from an earlier log to the ledger, unless it is there. */
    adopt(row: { imei: string; output: OutputLine; address: string; by: string; jobId: string }): void {
      if (
        [...open.values()].some(
          ({ imei, output, path }) => imei === row.imei && output === row.output && path === 'local'
        )
      )
        return
      const controller = of(row.imei)
      const written: LedgerRow = {
        ...row,
        path: 'local',
        vehicleId: null,
        since: now().toISOString(),
        id: 0,
        isOnSettled: true
      }
      const { id: _id, isOnSettled: _settled, ...fresh } = written
      written.id = options.ledger.begin(fresh)
      open.set(written.id, written)
      controller.takeOver(written)
    },
    /** The device can be reached (again), with credentials: outputs that may be on are switched off. */
    seen: (imei: string, device?: OutputDevice) => controllers.get(imei)?.seen(device),
    gateway: {
      serve: (switchOff: SwitchOffAtGateway) => void (switchOffAtGateway = switchOff),
      nameVehicle: (id: number, name: string) => void vehicleNames.set(id, name),
      begin(name) {
        const { id } = putAtGateway(name)
        lateOnAtGateway.set(id, Infinity)
        atGateway.set(id, 'goingOn')
        changed()
      },
      setLateOn(name, leftMs) {
        const row = findAtGateway(name)
        if (row) lateOnAtGateway.set(row.id, monotonicMs() + leftMs)
      },
      lateOnLeftMs,
      has: (name) => findAtGateway(name) !== undefined,
      note(name, state) {
        const present = findAtGateway(name)
        // "Off" for an output that this run did not switch on: its result says whether it may be on.
        if (!present && state === 'goingOff') return
        const { id } = putAtGateway(name)
        if (!present) lateOnAtGateway.set(id, monotonicMs())
        atGateway.set(id, state)
        if (state === 'on') switchOffLater(putAtGateway(name), limits().gatewayMostOnS * 1000)
        else keepOn(id)
        changed()
      },
      end(name, how) {
        const row = findAtGateway(name)
        if (row) end(row, how, '')
      }
    } satisfies GatewayLedger & Record<'serve' | 'nameVehicle', unknown>,
    /** Waits for the proof of everything that may be on at this device, up to the limit; returns what is left. */
    async settle(imei: string, withinMs: number): Promise<LedgerEntry[]> {
      const rows = [...open.values()].filter((row) => row.imei === imei && row.path === 'local')
      await awaitAll(rows, withinMs)
      return ledger().filter((entry) => rows.some(({ id }) => id === entry.id))
    },
    async switchOff(id: number): Promise<LedgerEntry[]> {
      const row = find(id)
      if (row.path === 'gateway') {
        await tryOffAtGateway(row, limits().quitWithinS * 1000)
        return ledger()
      }
      const device = options.reach(row.imei)
      await of(row.imei).switchOff(row.output as OutputLine, {
        device,
        address: row.address,
        by: options.technician(),
        jobId: row.jobId,
        record: (entry) => options.record(row.imei, row.jobId, entry)
      })
      return ledger()
    },
    /** All outputs off, in parallel. Waits up to the limits for the end of Fitter; returns what may still be on. */
    async allOff(): Promise<LedgerEntry[]> {
      for (const controller of controllers.values()) controller.allOff()
      const withinMs = limits().quitWithinS * 1000
      await Promise.all([
        awaitAll(
          [...open.values()].filter(({ path }) => path === 'local'),
          withinMs
        ),
        allOffAtGateway(withinMs)
      ])
      return ledger()
    },
    confirmOff(id: number, reason: string): LedgerEntry[] {
      const row = find(id)
      if (row.path === 'gateway') end(row, 'person', reason)
      else of(row.imei).personSawOff(row.output as OutputLine, options.technician(), reason)
      return ledger()
    },
    async stop(): Promise<void> {
      for (const id of [...offAtGateway.keys()]) keepOn(id)
      await Promise.all([...controllers.values()].map((controller) => controller.stop()))
    }
  }
}

function stateOf({ state, offSinceMs, trouble }: OutputRecord): LedgerEntry['state'] {
  if (state.phase === 'goingOn' || state.phase === 'on') return state.phase
  if (offSinceMs !== Infinity) return 'watched'
  return trouble ? 'mayBeOn' : 'goingOff'
}
