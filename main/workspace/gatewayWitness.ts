import type { Message } from '../../preload/contract/messages.ts'
import type { DeviceCompare } from '../../preload/contract/deviceCompare.ts'
import { askGateway, type GatewayAnswer } from '../jobs/askGateway.ts'
import type { DeviceRecord, GatewayEvent, GatewayLines } from '../jobs/ports.ts'

/** What is asked of the gateway about a device that somebody looks at. Every call throws AppError when it cannot be asked. */
export interface WitnessPort {
  findDevice(imei: string, signal: AbortSignal): Promise<DeviceRecord | null>
  findSim(iccid: string, signal: AbortSignal): Promise<unknown>
  findVehicleOfDevice(imei: string, signal: AbortSignal): Promise<{ id: number; name: string; plate: string | null } | null>
  readLines(imei: string, signal: AbortSignal): Promise<GatewayLines | null>
  readEvents(request: { imei: string; vehicleId: number | null }, signal: AbortSignal): Promise<GatewayEvent[]>
  /** Metres on the device's counter of the vehicle; null when there is none. */
  readDistance(vehicleId: number, signal: AbortSignal): Promise<number | null>
}

interface Kept<T> {
  value: T
  atMs: number
}

/** What the gateway said last, with when it was read on our clock. */
export interface Witness {
  gateway: DeviceCompare['gateway']
  record?: Kept<DeviceRecord | null>
  sim?: Kept<boolean>
  vehicle?: Kept<{ id: number; name: string; plate: string | null } | null>
  lines?: Kept<GatewayLines | null>
  events?: Kept<GatewayEvent[]>
  distanceM?: Kept<number | null>
}

/** Both change with every report: four times a minute each leaves two thirds of the calls that the gateway grants to others. */
const liveEveryMs = 15_000
const seldomEveryMs = 10 * 60_000
/** After a failure it is left alone for a while. */
const againAfterMs = 30_000
/** Who looks at the screen is not kept waiting by a slow gateway: what it says comes with the next look. */
const mostWaitMs = 1_500

/** Asks the gateway about devices no more often than it is worth, and keeps what it said. */
export function createGatewayWitness(port: WitnessPort, now: () => number = () => Date.now()) {
  const known = new Map<string, Witness>()
  const running = new Map<string, Promise<void>>()
  const notBeforeMs = new Map<string, number>()
  const ending = new AbortController()
  let round = 0

  /** True when the answer is worth going on with. */
  function take<T>(witness: Witness, answer: GatewayAnswer<T>, keep: (kept: Kept<T>) => void): boolean {
    if (answer.kind === 'answer') {
      keep({ value: answer.value, atMs: now() })
      return true
    }
    witness.gateway = { state: answer.kind === 'away' && answer.cause === 'signedOut' ? 'signedOut' : 'away', why: answer.why satisfies Message }
    return false
  }

  async function ask(imei: string, simId: string | undefined): Promise<void> {
    const mine = round
    const witness: Witness = { ...(known.get(imei) ?? { gateway: { state: 'asking', why: null } }) }
    const { signal } = ending
    const isDue = (kept: Kept<unknown> | undefined, everyMs: number) => kept === undefined || now() - kept.atMs >= everyMs
    async function step<T>(kept: Kept<unknown> | undefined, everyMs: number, work: () => Promise<T>, keep: (kept: Kept<T>) => void): Promise<boolean> {
      return !isDue(kept, everyMs) || take(witness, await askGateway(work), keep)
    }
    const all = async () => {
      if (!(await step(witness.record, seldomEveryMs, () => port.findDevice(imei, signal), (kept) => (witness.record = kept)))) return false
      if (witness.record?.value === null) return true
      if (!(await step(witness.lines, liveEveryMs, () => port.readLines(imei, signal), (kept) => (witness.lines = kept)))) return false
      if (!(await step(witness.vehicle, seldomEveryMs, () => port.findVehicleOfDevice(imei, signal), (kept) => (witness.vehicle = kept)))) return false
      const isSimAsked = simId === undefined || (witness.record?.value?.simIds.length ?? 0) > 0
      if (!isSimAsked && !(await step(witness.sim, seldomEveryMs, async () => (await port.findSim(simId, signal)) !== null, (kept) => (witness.sim = kept)))) return false
      const vehicleId = witness.vehicle?.value?.id
      if (vehicleId === undefined) return true
      if (!(await step(witness.events, liveEveryMs, () => port.readEvents({ imei, vehicleId }, signal), (kept) => (witness.events = kept)))) return false
      return step(witness.distanceM, seldomEveryMs, () => port.readDistance(vehicleId, signal), (kept) => (witness.distanceM = kept))
    }
    const isWhole = await all()
    if (mine !== round) return
    if (isWhole) witness.gateway = { state: witness.record?.value === null ? 'notShown' : 'answers', why: null }
    else notBeforeMs.set(imei, now() + againAfterMs)
    known.set(imei, witness)
  }

  return {
    /** What is known of a device by now; asks what is due, and waits for it a moment. */
    async look(imei: string, simId: string | undefined, fault: (error: unknown) => void): Promise<Witness> {
      if (!running.has(imei) && now() >= (notBeforeMs.get(imei) ?? 0)) {
        const work: Promise<void> = ask(imei, simId)
          .catch((error: unknown) => {
            if (!ending.signal.aborted) fault(error)
          })
          .finally(() => {
            if (running.get(imei) === work) running.delete(imei)
          })
        running.set(imei, work)
      }
      let timer: NodeJS.Timeout | undefined
      const wait = new Promise<void>((resolve) => (timer = setTimeout(resolve, mostWaitMs)))
      await Promise.race([running.get(imei), wait])
      clearTimeout(timer)
      return known.get(imei) ?? { gateway: { state: 'asking', why: null } }
    },
    /** Another gateway, or another user of it: nothing that was heard is of it. */
    forget(): void {
      round += 1
      notBeforeMs.clear()
      known.clear()
      running.clear()
    },
    stop(): void {
      ending.abort()
    }
  }
}
export type GatewayWitness = ReturnType<typeof createGatewayWitness>
