import { message, nameMessage, type Message } from '../../../../preload/contract/messages.ts'
import type { EcuEntry } from '../../../../preload/contract/device/workspace.ts'
import { busName } from '../../../../preload/job/busName.ts'
import { askGateway, createPatience } from '../engine/askGateway.ts'
import { deferred, fail, unreadable, type Asked, type CheckContext, type Outcome } from '../engine/check.ts'
import {
  coverageOf,
  judgeCoverage,
  orderedNames,
  rememberEngineBus,
  type BusHistory,
  type Coverage
} from './engineBusCoverage.ts'
import { sendChange } from '../engine/deviceWrite.ts'
import { makeMeter, shareOf, timeLeft } from '../engine/meters.ts'
import type { EngineBusAtGateway } from '../engine/ports.ts'
import { whyNotProved } from '../engine/sameDevice.ts'
import { ended, withoutAnswer, type Finisher } from '../finish/finish.ts'

/**
 * The ordered parameters of the engine bus appear at the gateway, valid and changing. The device's own list cannot be
 * read.
 */
export async function checkEngineBus(context: CheckContext<'engineBus'>): Promise<Outcome> {
  const limits = context.profile.engineBus
  const { imei } = context.job.device
  const ordered = orderedNames(context.plan)
  const sinceMs = context.now().getTime() - limits.freshS * 1000
  const patience = createPatience()
  const history: BusHistory = new Map()
  const entries = createEntries(context)
  let lastMs = context.monotonicMs()
  let runningMs = 0
  let hasRun = false
  let freshSinceMs: number | undefined
  let problemSinceMs: number | undefined
  let noted = ''

  for (;;) {
    const reply = await askGateway(() => context.gateway.readEngineBus({ imei, sinceMs }, context.signal))
    if (reply.kind === 'no') return fail(reply.why, message('jobs.askWhetherShown'), ['gateway'])
    if (reply.kind === 'away' && patience.isOver(reply))
      return deferred(message('jobs.waitsForGateway', { why: reply.why }))
    patience.isOver(reply)
    const bus = reply.kind === 'answer' ? reply.value : null
    const newest = bus?.events.at(-1)
    const isFresh = newest !== undefined && newest.ageS <= limits.freshS
    const nowMs = context.monotonicMs()
    const isRunning = context.lines.latest()?.value.TIG === true || (isFresh && bus?.isEngineOn === true)
    if (isRunning) runningMs += nowMs - lastMs
    hasRun ||= isRunning
    lastMs = nowMs

    const isUnreadable = bus !== null && bus.isDetected === null
    problemSinceMs = isUnreadable ? (problemSinceMs ?? nowMs) : undefined
    if (isUnreadable && problemSinceMs !== undefined && nowMs - problemSinceMs >= limits.settleS * 1000) {
      return unreadable(
        message('engineBus.unreadable', { why: bus.problem ?? message('jobs.missingInAnswer', { path: 'detected' }) }),
        message('jobs.lookAtRawAnswer')
      )
    }
    let coverage: Coverage | undefined
    if (bus) {
      rememberEngineBus(history, bus.events)
      coverage = coverageOf(ordered, bus, history)
      note(bus, coverage)
      const isSeen = bus.isDetected === true && isFresh && isRunning
      freshSinceMs = isSeen ? (freshSinceMs ?? nowMs) : undefined
      if (freshSinceMs !== undefined) {
        const outcome = judgeCoverage(coverage, limits)
        // More parameters may appear while the engine runs, but a pass is final.
        if (outcome.state === 'pass' || outcome.state === 'received' || nowMs - freshSinceMs >= limits.settleS * 1000)
          return outcome
      }
      // An older state proves nothing: the device must have reported while the engine ran.
      if (bus.isDetected === false && isHeard(bus) && bus.isUpgrading !== true && runningMs >= limits.runningS * 1000) {
        return {
          ...fail(
            message('engineBus.silent', { forS: Math.round(runningMs / 1000) }),
            message('engineBus.checkWires'),
            ['gateway']
          ),
          rows: coverage.rows
        }
      }
      const refused = await entries.offer(bus)
      if (refused) return refused
    }
    const leftMs = limits.giveUpS * 1000 - context.elapsedMs()
    if (leftMs <= 0)
      return reply.kind === 'away'
        ? deferred(message('jobs.waitsForGateway', { why: reply.why }))
        : givenUp(bus, { hasRun, isFresh: isFresh || (bus !== null && isHeard(bus)), coverage })
    context.show({
      say: sayFor(bus, isRunning),
      act: isRunning ? null : message('engineBus.startEngine'),
      hint:
        reply.kind === 'away'
          ? reply.why
          : reply.kind === 'answer' && !bus
            ? message('engineBus.noVehicle')
            : bus?.isUpgrading === true
              ? message('engineBus.waitForUpgrade')
              : null,
      meters: [
        makeMeter(
          message('engineBus.detected'),
          bus?.isDetected === undefined || bus.isDetected === null
            ? undefined
            : message(bus.isDetected ? 'meters.yes' : 'meters.none'),
          { tone: bus?.isDetected ? 'pass' : 'live' }
        ),
        makeMeter(
          message('engineBus.valid'),
          coverage && message('meters.of', { n: coverage.valid, total: coverage.total }),
          {
            target: message('engineBus.percent', { coveragePercent: limits.coveragePassPercent }),
            progress: coverage ? shareOf(coverage.valid, coverage.total) : null
          }
        ),
        timeLeft(leftMs)
      ],
      rows: coverage?.rows ?? [],
      leftMs
    })
    await context.pause(1_000)
  }

  function isHeard({ heardAgeS }: EngineBusAtGateway): boolean {
    return heardAgeS !== null && heardAgeS <= limits.freshS
  }

  function note(bus: EngineBusAtGateway, { valid, total, percent, moving }: Coverage): void {
    const what =
      bus.isDetected === null
        ? message('engineBus.seenUnreadable')
        : message('engineBus.seen', {
            isDetected: bus.isDetected ? 'yes' : 'no',
            isOn: bus.isEngineOn ? 'yes' : 'no',
            valid,
            total,
            moving
          })
    if (nameMessage(what) === noted) return
    noted = nameMessage(what)
    const { coveragePassPercent, coverageWarnPercent, freshS } = limits
    context.saw({
      witness: 'gateway',
      what,
      raw: { coveragePercent: percent, ...(bus.raw as object) },
      thresholds: { coveragePassPercent, coverageWarnPercent, freshS }
    })
  }

  function givenUp(
    bus: EngineBusAtGateway | null,
    seen: { hasRun: boolean; isFresh: boolean; coverage: Coverage | undefined }
  ): Outcome {
    if (!bus) return unreadable(message('engineBus.noVehicle'), message('engineBus.assignFirst'))
    const rows = { rows: seen.coverage?.rows ?? [] }
    if (!seen.hasRun)
      return {
        ...fail(message('engineBus.neverRan'), message('engineBus.startEngine'), ['device', 'gateway']),
        ...rows
      }
    if (!seen.isFresh)
      return { ...unreadable(message('engineBus.nothingNew'), message('engineBus.seeDelivered')), ...rows }
    return {
      ...fail(message('engineBus.silent', { forS: Math.round(runningMs / 1000) }), message('engineBus.checkWires'), [
        'gateway'
      ]),
      ...rows
    }
  }
}

function sayFor(bus: EngineBusAtGateway | null, isRunning: boolean): Message {
  if (!isRunning) return message('engineBus.startEngine')
  return bus?.isDetected ? message('engineBus.letRun') : message('engineBus.looking')
}

/** Ordered entries that may be missing from the device's list: offered once, sent if the person agrees. */
function createEntries(context: CheckContext<'engineBus'>) {
  const sentBefore = new Set(
    (context.job.steps.find(({ id }) => id === context.step.id)?.evidence ?? []).flatMap(({ raw }) => {
      const sent = raw !== null && typeof raw === 'object' && !Array.isArray(raw) ? raw['sentEntry'] : undefined
      return typeof sent === 'string' ? [sent] : []
    })
  )
  let asked: Asked | undefined
  let isDone = false

  return {
    /** The outcome that ends the step if the device refuses or is another one. */
    async offer(bus: EngineBusAtGateway): Promise<Outcome | undefined> {
      const present = new Set(bus.parameters.map(({ name }) => name))
      const missing = (context.plan.entries ?? []).filter(
        ({ PARAM_NAME: name }) => !present.has(busName(name)) && !sentBefore.has(name)
      )
      if (missing.length === 0 && asked && !asked.given) {
        context.unask()
        asked = undefined
      }
      if (isDone || missing.length === 0) return undefined
      asked ??= context.ask({
        kind: 'yesNo',
        text: message('engineBus.offerEntries', {
          names: missing.map(({ PARAM_NAME }) => PARAM_NAME),
          n: missing.length
        })
      })
      if (!asked.given) return undefined
      isDone = true
      return asked.given.answer === true ? send(context, missing) : undefined
    }
  }
}

async function send(context: CheckContext<'engineBus'>, missing: readonly EcuEntry[]): Promise<Outcome | undefined> {
  const { device, job, signal } = context
  for (const entry of missing) {
    const { PARAM_NAME: name } = entry
    const unproved = await whyNotProved(device, job.device.imei, signal)
    if (unproved) return unproved
    const change = {
      operation: 'ecu.addParameter',
      input: entry,
      what: message('engineBus.entry', { name }),
      answered: (status: number) => message('engineBus.entryAnswered', { name, status })
    }
    const sending = await sendChange(context, change, () => device.ecu.addParameter(entry, { signal }))
    if ('failure' in sending) {
      const { fate, sentence } = sending.failure
      // The entry may already exist: it is not sent again.
      if (fate === 'unknown')
        context.saw({ witness: 'device', what: message('engineBus.entryUnknown', { name }), raw: { sentEntry: name } })
      return fail(message('engineBus.entryFailed', { name, why: sentence }), message('jobs.runAgainWhileAnswering'), [
        'device'
      ])
    }
    context.saw({ witness: 'device', what: message('engineBus.entrySent', { name }), raw: { sentEntry: name } })
  }
  return undefined
}

/** The bus data since the step began, from the events of that period: the engine may be off by now. */
export const finishEngineBus: Finisher<'engineBus'> = async (step, options) => {
  const { device, thresholds, templateSteps, createdAt } = options.job()
  const { limits } = options
  const plan = templateSteps.get(step.id)
  const startedMs = Date.parse(step.startedAt ?? createdAt)
  if (plan?.kind !== 'engineBus') return { kind: 'open', why: step.summary ?? step.title }
  const reply = await askGateway(() =>
    options.gateway.readEngineBus({ imei: device.imei, sinceMs: startedMs - limits.freshS * 1000 }, options.signal)
  )
  if (reply.kind !== 'answer') return withoutAnswer(reply, message('jobs.askWhetherShown'))
  if (!reply.value) return { kind: 'open', why: message('engineBus.noVehicle') }
  const valid = reply.value.events.filter(({ values }) => values.some(({ flag }) => flag === 'T'))
  if (valid.length === 0) {
    const isOver = options.now().getTime() - startedMs > thresholds.delivered.giveUpS * 1000
    return isOver
      ? ended(fail(message('engineBus.noValidThatDay'), message('engineBus.checkWires'), ['gateway']), [
          { what: message('engineBus.seenUnreadable'), raw: reply.value.raw }
        ])
      : { kind: 'open', why: message('engineBus.nothingNew') }
  }
  const history: BusHistory = new Map()
  rememberEngineBus(history, valid)
  const coverage = coverageOf(orderedNames(plan), { ...reply.value, events: valid }, history)
  const seen = {
    isDetected: 'yes',
    isOn: 'yes',
    valid: coverage.valid,
    total: coverage.total,
    moving: coverage.moving
  } as const
  return ended(judgeCoverage(coverage, limits), [{ what: message('engineBus.seen', seen), raw: reply.value.raw }])
}
