import { z } from 'zod'
import type { Step } from '../../../preload/contract/jobs/jobs.ts'
import { message } from '../../../preload/contract/messages.ts'
import { askGateway } from '../engine/askGateway.ts'
import { fail } from '../engine/check.ts'
import { judgeLater } from '../checks/clock.ts'
import { coverageOf, judgeCoverage, orderedNames, rememberEngineBus, type BusHistory } from './engineBusCoverage.ts'
import { ended, type DeferredOptions, type Finish } from './finish.ts'

const clockOfEvidence = z.object({ device: z.object({ aheadOfComputerS: z.number(), assumed: z.enum(['unix', 'gps']) }) })

/** The device was compared with this computer on the day; what is left is this computer against the gateway. */
export async function finishClock(step: Step, { job, gateway, signal }: DeferredOptions): Promise<Finish> {
  const limits = job().thresholds.clock
  const seen = step.evidence.toReversed().map((one) => clockOfEvidence.safeParse(one.raw).data?.device).find((one) => one !== undefined)
  if (!limits || !seen) return { kind: 'open', why: step.summary ?? step.title }
  const reply = await askGateway(() => gateway.readClock(signal))
  if (reply.kind === 'away') return { kind: 'away', why: reply.why }
  if (reply.kind === 'no') return ended(fail(reply.why, message('jobs.askWhetherShown'), ['gateway']))
  const { aheadS } = reply.value
  if (aheadS === null) return { kind: 'open', why: message('clock.gatewaySaysNone') }
  const raw = { device: seen, gateway: { aheadOfComputerS: aheadS } }
  return ended(judgeLater({ aheadS: seen.aheadOfComputerS, isGps: seen.assumed === 'gps' }, aheadS, limits), [{ what: message('clock.gatewayAsked'), raw }])
}

/** What the bus said since the step began: by the events of that day, the engine may long be off. */
export async function finishEngineBus(step: Step, options: DeferredOptions): Promise<Finish> {
  const { device, thresholds, templateSteps, createdAt } = options.job()
  const limits = thresholds.engineBus
  const plan = templateSteps.get(step.id)
  const startedMs = Date.parse(step.startedAt ?? createdAt)
  if (!limits || plan?.kind !== 'engineBus') return { kind: 'open', why: step.summary ?? step.title }
  const reply = await askGateway(() => options.gateway.readEngineBus({ imei: device.imei, sinceMs: startedMs - limits.freshS * 1000 }, options.signal))
  if (reply.kind === 'away') return { kind: 'away', why: reply.why }
  if (reply.kind === 'no') return ended(fail(reply.why, message('jobs.askWhetherShown'), ['gateway']))
  if (!reply.value) return { kind: 'open', why: message('engineBus.noVehicle') }
  const valid = reply.value.events.filter(({ values }) => values.some(({ flag }) => flag === 'T'))
  if (valid.length === 0) {
    const isOver = options.now().getTime() - startedMs > thresholds.delivered.giveUpS * 1000
    return isOver ? ended(fail(message('engineBus.noValidThatDay'), message('engineBus.checkWires'), ['gateway']), [{ what: message('engineBus.seenUnreadable'), raw: reply.value.raw }]) : { kind: 'open', why: message('engineBus.nothingNew') }
  }
  const history: BusHistory = new Map()
  rememberEngineBus(history, valid)
  const coverage = coverageOf(orderedNames(plan), { ...reply.value, events: valid }, history)
  const seen = { isDetected: 'yes', isOn: 'yes', valid: coverage.valid, total: coverage.total, moving: coverage.moving } as const
  return ended(judgeCoverage(coverage, limits), [{ what: message('engineBus.seen', seen), raw: reply.value.raw }])
}
