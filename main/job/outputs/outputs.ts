import { message } from '../../../preload/contract/messages.ts'
import type { OutputLine } from '../../../preload/contract/device/deviceAreas.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import type { LedgerEntry } from '../../../preload/contract/device/outputs.ts'
import type { LedgerRow, OutputLedgerStore } from '../../data/store/work/outputLedger.ts'
import { createController, type OutputController } from './controller.ts'
import { createGatewayController } from './gatewayController.ts'
import { mayConfirmOff, type OutputState } from './machine.ts'
import { createOpenEntries } from './openEntries.ts'
import type { OutputRecord } from './outputRecord.ts'
import { sayLedger } from './sayLedger.ts'
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

/**
 * The one door to relays: every output of every device is switched here, and every output that may be on is known here.
 */
export type Outputs = ReturnType<typeof createOutputs>

/** All outputs, those of one device, or those of one path. */
export interface OutputsOf {
  imei?: string
  path?: LedgerRow['path']
}

export function createOutputs(options: OutputsOptions) {
  const monotonicMs = options.monotonicMs ?? (() => performance.now())
  const now = options.now ?? (() => new Date())
  const controllers = new Map<string, OutputController>()
  const entries = createOpenEntries(options.ledger, { now, changed })
  let isTelling = false
  const gateway = createGatewayController({
    entries,
    limits: () => limits(),
    technician: options.technician,
    changed,
    monotonicMs,
    now,
    reportFault: (error) => options.reportFault(error)
  })

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
      ledger: entries,
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
    return entries.all().map((row) => {
      const kept = row.path === 'local' ? of(row.imei).output(row.output as OutputLine) : undefined
      const atGateway = kept ? undefined : gateway.of(row.id)
      const { id, imei, output, path, since, by, jobId } = row
      return {
        id,
        imei,
        output,
        path,
        vehicle: row.vehicleId === null ? null : { id: row.vehicleId, name: gateway.vehicleName(row.vehicleId) },
        since,
        by,
        jobId,
        ...watchedUntil(kept),
        ...triesOf(kept),
        state: kept ? stateOf(kept) : atGateway ? phaseOf(atGateway.state, atGateway.trouble !== undefined) : 'mayBeOn',
        trouble: kept?.trouble?.sentence ?? atGateway?.trouble ?? null,
        isReachable: kept ? (kept.device ?? options.reach(imei)) !== undefined : gateway.isServed(),
        mayConfirmOff: kept
          ? isConfirmable(kept.state, kept.lateOnAtMs - monotonicMs())
          : atGateway !== undefined && isConfirmable(atGateway.state, atGateway.lateOnMs),
        ...(atGateway?.offAt === undefined ? {} : { offAt: atGateway.offAt })
      }
    })
  }

  function watchedUntil(kept: OutputRecord | undefined): { watchedUntil?: string } {
    if (!kept || stateOf(kept) !== 'watched') return {}
    const leftMs = kept.lateOnAtMs - monotonicMs()
    return leftMs > 0 && leftMs !== Infinity
      ? { watchedUntil: new Date(now().getTime() + Math.round(leftMs)).toISOString() }
      : {}
  }

  function triesOf(kept: OutputRecord | undefined): Pick<LedgerEntry, 'tries'> {
    if (!kept?.tries) return {}
    const { n, sinceMs, atMs, everyS } = kept.tries
    return { tries: { n, since: new Date(sinceMs).toISOString(), at: new Date(atMs).toISOString(), everyS } }
  }

  function find(id: number): LedgerRow {
    const row = entries.find(id)
    if (!row) throw new AppError('NOT_FOUND', message('outputs.notListed'))
    return row
  }

  /**
   * Waits for the outputs of devices that this is about. An unreachable one stays in the ledger and is reported. A
   * failure of one does not end the wait for the others.
   */
  async function awaitDevices(isMeant: (entry: LedgerEntry) => boolean, withinMs: number): Promise<void> {
    const reachable = ledger().filter((entry) => entry.isReachable && entry.path === 'local' && isMeant(entry))
    await Promise.all(
      reachable.map(({ imei, output }) =>
        of(imei)
          .awaitOff(output as OutputLine, withinMs)
          .catch((error: unknown) =>
            options.reportFault(
              new Error(`What was sent to ${output} of ${imei} could not be written down`, { cause: error })
            )
          )
      )
    )
  }

  for (const row of entries.all()) if (row.path === 'local') of(row.imei).takeOver(row)

  return {
    of,
    limits,
    ledger,
    /** Adds an entry from an earlier log to the ledger, unless it is there. */
    adopt(row: { imei: string; output: OutputLine; address: string; by: string; jobId: string }): void {
      if (
        entries.all().some(({ imei, output, path }) => imei === row.imei && output === row.output && path === 'local')
      )
        return
      const written = entries.begin({ ...row, path: 'local', vehicleId: null, since: now().toISOString() })
      of(row.imei).takeOver({ ...written, isOnSettled: true })
    },
    /** The device can be reached (again), with credentials: outputs that may be on are switched off. */
    seen: (imei: string, device?: OutputDevice) => controllers.get(imei)?.seen(device),
    gateway,
    /** Waits for the proof of everything that may be on at this device, up to the limit; returns what is left. */
    async settle(imei: string, withinMs: number): Promise<LedgerEntry[]> {
      const rows = entries.all().filter((row) => row.imei === imei && row.path === 'local')
      await awaitDevices((entry) => entry.imei === imei, withinMs)
      return ledger().filter((entry) => rows.some(({ id }) => id === entry.id))
    },
    /**
     * Before Fitter gives up what it switches off with (a sign-out, another account, training): switches off whatever
     * may be on there and waits for the proof. Throws CONFLICT with the outputs that may still be on: then the caller
     * must stay.
     */
    async leave(which: OutputsOf = {}): Promise<void> {
      const isMeant = ({ imei, path }: Pick<LedgerRow, 'imei' | 'path'>) =>
        (which.imei ?? imei) === imei && (which.path ?? path) === path
      const withinMs = limits().quitWithinS * 1000
      if (which.path !== 'gateway')
        for (const [imei, controller] of controllers) if ((which.imei ?? imei) === imei) controller.allOff()
      await Promise.all([
        awaitDevices(isMeant, withinMs),
        which.path === 'local' ? undefined : gateway.allOff(withinMs, true)
      ])
      const left = sayLedger(ledger().filter(isMeant))
      if (left)
        throw new AppError('CONFLICT', message('outputs.staysForOutputs', { outputs: left }), { retryable: true })
    },
    /** Throws CONFLICT while an output of this device may be on: nothing that can cut the link to it may be sent. */
    assertLinkMayEnd(imei: string): void {
      const left = sayLedger(ledger().filter((entry) => entry.imei === imei))
      if (left) throw new AppError('CONFLICT', message('outputs.linkStays', { outputs: left }), { retryable: true })
    },
    async switchOff(id: number): Promise<LedgerEntry[]> {
      const row = find(id)
      if (row.path === 'gateway') {
        await gateway.switchOff(id, limits().quitWithinS * 1000)
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
    /**
     * All outputs off, in parallel. Waits up to the limits for the end of Fitter; returns what may still be on. Through
     * the gateway what an earlier run left gets "off" only if a person asks for it.
     */
    async allOff({ isAsked = false } = {}): Promise<LedgerEntry[]> {
      for (const controller of controllers.values()) controller.allOff()
      const withinMs = limits().quitWithinS * 1000
      await Promise.all([awaitDevices(() => true, withinMs), gateway.allOff(withinMs, isAsked)])
      return ledger()
    },
    /**
     * A person checked the relay itself. Throws CONFLICT while Fitter has it on, something reads it on, or a late "on"
     * is possible.
     */
    async confirmOff(id: number, reason: string): Promise<LedgerEntry[]> {
      const row = find(id)
      if (row.path === 'gateway') await gateway.personSawOff(id, options.technician(), reason)
      else of(row.imei).personSawOff(row.output as OutputLine, options.technician(), reason)
      return ledger()
    },
    async stop(): Promise<void> {
      await Promise.all([gateway.stop(), ...[...controllers.values()].map((controller) => controller.stop())])
    }
  }
}

function stateOf({ state, offSinceMs, trouble }: OutputRecord): LedgerEntry['state'] {
  return offSinceMs === Infinity ? phaseOf(state, trouble !== undefined) : 'watched'
}

function phaseOf({ phase }: OutputState, hasTrouble: boolean): LedgerEntry['state'] {
  if (phase === 'goingOn' || phase === 'on') return phase
  return hasTrouble ? 'mayBeOn' : 'goingOff'
}

function isConfirmable(state: OutputState, lateOnMs: number): boolean {
  return mayConfirmOff(lateOnMs > 0 ? state : { ...state, isOnSettled: true })
}
