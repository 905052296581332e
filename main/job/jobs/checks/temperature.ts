import type { SeenRow } from '../../../../preload/contract/job/jobSeen.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { AccessoryEvent, ProbeName } from '../engine/accessoryPort.ts'
import { fail, inSteps, pass, unreadable, withFigure, type CheckContext, type Outcome } from '../engine/check.ts'
import {
  asReceived,
  finishByEvents,
  followEvents,
  notExposed,
  type EventView,
  type Judgement
} from './accessoryEvents.ts'

const probeNames = ['a', 'b', 'c'] as const
/** The sensor's millivolts at 60 degrees: a lower value is a short circuit at any temperature. */
const shortedBelowMv = 189

/** Each ordered probe reports a temperature in range since the step began. Swapped: each is in the other's range. */
export function checkTemperature(context: CheckContext<'temperature'>): Promise<Outcome> {
  return followEvents(context, {
    giveUpS: context.profile.temperature.giveUpS,
    say: message('accessoryChecks.readingProbes'),
    judge: judgeProbes
  })
}

export const finishTemperature = finishByEvents<'temperature'>(() => judgeProbes)

interface Wanted {
  probe: ProbeName
  label: Message
  minDegC: number
  maxDegC: number
}

interface JudgedProbe {
  wanted: Wanted
  celsius: number | null
  row: SeenRow
  problem: { what: Message; remedy: Message } | null
}

export function judgeProbes({ events, fields, plan, profile, isSettled, isOver }: EventView<'temperature'>): Judgement {
  const newest = new Map<ProbeName, AccessoryEvent>()
  for (const event of events)
    for (const probe of probeNames)
      if (event.probes[probe] || event.unreadable.includes(`ea_${probe}`)) newest.set(probe, event)
  const isOrdered = plan.probes !== undefined
  const asked = plan.probes ?? probeNames.filter((probe) => newest.has(probe)).map((probe) => ({ probe }))
  const wanted = asked.map(({ probe, ...more }: NonNullable<typeof plan.probes>[number]): Wanted => ({
    probe,
    label:
      more.name === undefined
        ? message('accessoryChecks.probe', { probe: probe.toUpperCase() })
        : message('accessoryChecks.probeNamed', { probe: probe.toUpperCase(), name: more.name }),
    minDegC: more.minDegC ?? profile.temperature.minDegC,
    maxDegC: more.maxDegC ?? profile.temperature.maxDegC
  }))
  const judged = wanted.map((one) => judgeProbe(one, newest.get(one.probe)))
  const others = probeNames.filter((probe) => newest.has(probe) && !asked.some((one) => one.probe === probe))
  const rows = [
    ...judged.map(({ row }) => (isOrdered ? row : asReceived(row))),
    ...others.map((probe): SeenRow => {
      const celsius = newest.get(probe)?.probes[probe]?.celsius ?? null
      return {
        label: message('accessoryChecks.probe', { probe: probe.toUpperCase() }),
        wanted: null,
        device: null,
        gateway: sayCelsius(celsius),
        verdict: 'notOrdered'
      }
    })
  ]
  const seen = [...new Set(newest.values())].map((event) => ({
    what: message('accessoryChecks.probesRead', {
      probes: probeNames.filter((probe) => newest.get(probe) === event).map((probe) => probe.toUpperCase())
    }),
    event,
    thresholds: Object.fromEntries(
      wanted.flatMap(({ probe, minDegC, maxDegC }) => [
        [`${probe}MinDegC`, minDegC],
        [`${probe}MaxDegC`, maxDegC]
      ])
    )
  }))
  return { outcome: outcomeOf(), rows, hint: judged.find((one) => one.problem)?.problem?.what ?? null, seen }

  function outcomeOf(): Outcome | null {
    const hidden = (isOrdered ? asked.map(({ probe }) => probe) : probeNames).filter(
      (probe) => !fields.has(`ea_${probe}`)
    )
    if (hidden.length > 0 && hidden.length >= asked.length) return notExposed(`ea_${hidden[0]}`)
    const missing = judged.filter(({ row }) => row.verdict === 'missing')
    if (!isOver && (missing.length > 0 || judged.length === 0)) return null
    const unread = judged.find(({ row }) => row.verdict === 'unreadable')
    if (unread)
      return isOver
        ? unreadable(
            message('accessoryChecks.fieldUnreadable', { field: `ea_${unread.wanted.probe}` }),
            message('jobs.lookAtRawAnswer')
          )
        : null
    if (judged.length === 0)
      return fail(message('accessoryChecks.noProbe'), message('accessoryChecks.checkProbePlug'), ['gateway'])
    if (missing.length > 0)
      return fail(
        message('accessoryChecks.probesMissing', { probes: missing.map(({ wanted: { label } }) => label) }),
        message('accessoryChecks.checkProbePlug'),
        ['gateway']
      )
    const problem = judged.find((one) => one.problem)?.problem
    if (problem && !isSettled && !isOver) return null
    const exchanged = exchangedOf(judged)
    if (exchanged) {
      const [one, other] = exchanged
      const named = {
        one: one.wanted.label,
        oneDegC: one.celsius ?? 0,
        other: other.wanted.label,
        otherDegC: other.celsius ?? 0
      }
      return inSteps(
        fail(message('accessoryChecks.probesExchanged', named), message('accessoryChecks.exchangeProbes'), ['gateway']),
        message('accessoryChecks.warmOneProbe'),
        message('accessoryChecks.exchangeProbes'),
        message('jobs.stepRunAgain')
      )
    }
    if (problem) return fail(problem.what, problem.remedy, ['gateway'])
    const read = judged.map(({ wanted: { label }, celsius }) =>
      message('accessoryChecks.probeAt', { probe: label, atDegC: celsius ?? 0 })
    )
    return withFigure(
      sayCelsius(judged[0]?.celsius ?? null),
      pass(message('accessoryChecks.probesFine', { probes: read }), ['gateway'])
    )
  }
}

function judgeProbe(wanted: Wanted, event: AccessoryEvent | undefined): JudgedProbe {
  const { probe, label, minDegC, maxDegC } = wanted
  const row = { label, wanted: message('accessoryChecks.rangeDegC', { minDegC, maxDegC }), device: null }
  if (!event) return { wanted, celsius: null, row: { ...row, gateway: null, verdict: 'missing' }, problem: null }
  const reading = event.probes[probe]
  if (!reading) return { wanted, celsius: null, row: { ...row, gateway: null, verdict: 'unreadable' }, problem: null }
  const { millivolts, celsius } = reading
  if (celsius === null) {
    const isShorted = millivolts < shortedBelowMv
    const what = message(isShorted ? 'accessoryChecks.probeShorted' : 'accessoryChecks.probeOpen', {
      probe: label,
      atMv: millivolts
    })
    const remedy = message(isShorted ? 'accessoryChecks.findShort' : 'accessoryChecks.findBreak')
    return {
      wanted,
      celsius,
      row: { ...row, gateway: message('accessoryChecks.atMv', { atMv: millivolts }), verdict: 'differs', note: what },
      problem: { what, remedy }
    }
  }
  const gateway = sayCelsius(celsius)
  if (celsius >= minDegC && celsius <= maxDegC)
    return { wanted, celsius, row: { ...row, gateway, verdict: 'agrees' }, problem: null }
  const what = message('accessoryChecks.probeOutside', { probe: label, atDegC: celsius, minDegC, maxDegC })
  return {
    wanted,
    celsius,
    row: { ...row, gateway, verdict: 'differs', note: what },
    problem: { what, remedy: message('accessoryChecks.compareThermometer') }
  }
}

function exchangedOf(judged: JudgedProbe[]): [JudgedProbe, JudgedProbe] | undefined {
  const fits = ({ celsius }: JudgedProbe, { minDegC, maxDegC }: Wanted): boolean =>
    celsius !== null && celsius >= minDegC && celsius <= maxDegC
  for (const one of judged) {
    const other = judged.find(
      (candidate) =>
        candidate !== one &&
        !fits(one, one.wanted) &&
        !fits(candidate, candidate.wanted) &&
        fits(one, candidate.wanted) &&
        fits(candidate, one.wanted)
    )
    if (other) return [one, other]
  }
  return undefined
}

function sayCelsius(celsius: number | null): Message {
  return celsius === null ? message('accessoryChecks.unknown') : message('accessoryChecks.degrees', { atDegC: celsius })
}
