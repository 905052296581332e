import type { Meter, Step, StepState } from '../../../preload/contract/job/jobs.ts'
import type { HeardStep, JobNow } from './jobNow.ts'
import { asMessage, message, type Message } from '../../../preload/contract/messages.ts'
import { actOfStep, needsPerson, sentenceOfStep, stepWord } from '../../../preload/job/stepWords.ts'
import type { Texts } from '../../base/messages/texts.ts'
import { windowMs, type LinePart } from './lineWindow.ts'

interface Value {
  label: string
  value: string
  tone: Meter['tone']
  /** Null where the step does not say when it was read. */
  ageMs: number | null
}

/** Everything that a phone gets to know of a job: finished texts, without identities, customers, pictures or other steps' evidence. */
export interface PhoneView {
  language: string
  vehicle: string
  plate: string
  training: string
  beads: string[]
  place: string
  title: string
  count: string
  /** What is wrong with the job as a whole: paused, device lost. */
  standing: string
  /** Values are from before that. */
  isOld: boolean
  tone: string
  say: string
  act: string
  hint: string
  now: (Value & { from: string }) | null
  turns: { done: number; total: number; text: string } | null
  leftMs: number | null
  line: { name: string; windowMs: number; parts: LinePart[]; toDo: number } | null
  values: Value[]
  next: { act: string; text: string; isYours: boolean }[]
  foot: string
}

const settled: readonly StepState[] = ['pass', 'warn', 'waived', 'notApplicable']
const failed: readonly StepState[] = ['fail', 'unreadable']
const mostValues = 3
const mostNext = 2
const mostTurns = 5
const mostToDo = 4
/** AN1 that is not wired reads next to nothing. */
const wiredMv = 500
/** AN1 and AN2 end at 28 V: a charging 24 V vehicle may have more. */
const clipMv = 28_000
/** While they run, these steps name keys, drivers, assets or device numbers: a phone gets their instruction alone. */
const discreet: readonly Step['kind'][] = ['iButton', 'identity', 'link', 'removed', 'swapped', 'vehicle']
/** The values of these steps are readings of the lines, so their age is known. */
const ofLines: readonly Step['kind'][] = ['externalPower', 'ignition', 'inputs', 'output']

/** What the page shows of a job now. */
export function makePhoneView(
  now: JobNow,
  { say, settings }: Texts,
  { technician, isTraining }: { technician: string; isTraining: boolean }
): PhoneView {
  const { job, isActive, live, lines, monotonicMs } = now
  const step = stepOnPhone(now)
  const place = step ? job.steps.indexOf(step) + 1 : 0
  const heard = step?.state === 'running' && isActive ? (live.get(step.id) ?? null) : null
  const lostForMs = isActive ? lines.lostForMs() : null
  const isOld = lostForMs !== null || heard?.isWaiting === true
  const readAgeMs = isActive ? lines.ageMs() : null
  const isDiscreet = step !== undefined && discreet.includes(step.kind)
  const meters = (isDiscreet ? [] : (heard?.meters ?? [])).filter(({ label }) => label.id !== 'meters.timeLeft')
  const turns = meters.find(({ value }) => value?.id === 'meters.of' && Number(value.values['total']) <= mostTurns)
  const [main, ...more] = meters.filter((meter) => meter !== turns)
  const meterAgeMs = step && ofLines.includes(step.kind) ? readAgeMs : lostForMs

  function valueOf(meter: Meter): Value {
    return { label: say(meter.label), value: meter.value ? say(meter.value) : '—', tone: meter.tone, ageMs: meterAgeMs }
  }

  function leftMs(): number | null {
    if (heard?.leftMs === null || heard === null || isOld) return null
    return Math.max(0, Math.round(heard.leftMs - (monotonicMs() - heard.heardMs)))
  }

  function supply(): Value[] {
    if (readAgeMs === null) return []
    const [isPresent, mv] = [lines.isOn('PWR'), lines.millivolts('AN1')]
    const volts = mv === null || mv < wiredMv ? null : message('common.textWord', { readMv: mv })
    return [
      {
        label: say(message('common.externalPower')),
        value: say(message(isPresent === null ? 'common.unknown' : isPresent ? 'common.present' : 'common.missing')),
        tone: isPresent === null ? 'wait' : isPresent ? 'pass' : 'fail',
        ageMs: readAgeMs
      },
      ...(volts === null
        ? []
        : [
            {
              label: say(message('windowJobs.supply.analog', { n: 1 })),
              value: say(mv !== null && mv >= clipMv ? message('windowJobs.supply.orMore', { volts }) : volts),
              tone: 'live' as const,
              ageMs: readAgeMs
            }
          ])
    ]
  }

  function line(): PhoneView['line'] {
    const name = step && isActive && step.state === 'running' ? lineOf(step, heard) : undefined
    const parts = name === undefined ? [] : lines.parts(name)
    if (name === undefined || parts.length === 0) return null
    const { n = 0, total = 0 } = turns?.value?.values ?? {}
    return {
      name,
      windowMs,
      parts: parts.map(({ fromMs, toMs, on }) => ({ fromMs: Math.round(fromMs), toMs: Math.round(toMs), on })),
      toDo: step?.kind === 'ignition' && !isOld ? Math.min(mostToDo, 2 * Math.max(0, Number(total) - Number(n))) : 0
    }
  }

  function next(): PhoneView['next'] {
    const others = job.steps.filter((one) => one !== step)
    const asking = others.filter(({ id, state }) => isActive && state === 'running' && needsPerson(live.get(id)))
    const yours = asking.map((one) => ({
      act: capital(say(actOfStep(one, live.get(one.id)) ?? asMessage(one.title))),
      text: say(asMessage(one.title)),
      isYours: true
    }))
    const waiting = others
      .filter(({ state }) => state === 'waiting')
      .map((one) => ({ act: say(asMessage(one.title)), text: '', isYours: false }))
    return [...yours, ...waiting].slice(0, mostNext)
  }

  function capital(text: string): string {
    return text.charAt(0).toLocaleUpperCase(settings.language) + text.slice(1)
  }

  /** Of a step that has ended, its state alone: its result may name what a person typed. */
  function sentence(): Message | null {
    if (!step) return null
    if (failed.includes(step.state) && step.lastResult?.other) return message('windowJob.other.stop')
    // Its evidence cannot be seen while the device is lost.
    if (heard?.isWaiting) return message('windowJob.lost.check')
    if (step.state === 'running' && !isDiscreet) return sentenceOfStep(step, heard)
    if (step.state === 'running' || step.state === 'waiting' || step.state === 'deferred')
      return asMessage(step.instruction)
    return message('phonePage.result', {
      title: asMessage(step.title),
      state: message(`windowJobs.step.state.${stepWord(step, heard)}`)
    })
  }

  function hint(): Message | null {
    if (!step || isDiscreet) return null
    if (isOld && heard?.output && (heard.output.phase === 'on' || heard.output.phase === 'effect'))
      return message('windowJob.output.mayBeOn', { out: heard.output.out })
    if (failed.includes(step.state)) return step.remedy
    return isOld ? null : (heard?.hint ?? null)
  }

  function standing(): Message | null {
    if (lostForMs !== null) return message('windowJob.lost.for', { forS: Math.floor(lostForMs / 1000) })
    if (isActive) return null
    return message(job.state === 'draft' ? 'phonePage.notStarted' : 'phonePage.paused')
  }

  const said = sentence()
  const vehicle = job.vehicle?.name ?? (job.vehicleText || say(message('windowJobs.job.noVehicle')))
  const plate = job.vehicle?.plate ?? ''
  const sayOrNothing = (text: Message | null | undefined): string => (text ? say(text) : '')
  const act = heard?.act && !isOld && !isDiscreet ? say(heard.act) : ''
  return {
    language: settings.language,
    vehicle,
    plate: plate === vehicle ? '' : plate,
    training: isTraining ? say(message('phonePage.training')) : '',
    beads: job.steps.map((one) => stepWord(one, isActive ? live.get(one.id) : undefined)),
    place: say(message('windowJobs.stage.stepOf', { n: place, total: job.steps.length })),
    title: step ? say(asMessage(step.title)) : '',
    count: countOf(now).map(say).join(', '),
    standing: sayOrNothing(standing()),
    isOld: isOld || !isActive,
    tone: step ? stepWord(step, heard) : 'waiting',
    say: capital(sayOrNothing(said)),
    act: act === sayOrNothing(said) ? '' : act,
    hint: sayOrNothing(hint()),
    now: main ? { ...valueOf(main), value: capital(valueOf(main).value), from: say(message('common.device')) } : null,
    turns: turns?.value
      ? { done: Number(turns.value.values['n']), total: Number(turns.value.values['total']), text: say(turns.value) }
      : null,
    leftMs: leftMs(),
    line: line(),
    values: [...more.map(valueOf), ...supply()].slice(0, mostValues),
    next: next(),
    foot: say(message('phonePage.foot', { named: technician === '' ? 'no' : 'yes', technician }))
  }
}

/** The step that the window shows; while no window shows one, the one that needs the person, or runs, or comes next. */
function stepOnPhone({ job, live, stage }: JobNow): Step | undefined {
  const onStage = job.steps.find(({ id }) => id === stage)
  if (onStage) return onStage
  const running = job.steps.filter(({ state }) => state === 'running')
  const asking = running.filter(({ id }) => needsPerson(live.get(id)))
  return (
    asking.find(({ id }) => live.get(id)?.prompt) ??
    asking[0] ??
    running[0] ??
    job.steps.find(({ state }) => !settled.includes(state)) ??
    job.steps.at(-1)
  )
}

/** Skipped steps are never among the done ones. */
function countOf({ job, isActive, live }: JobNow): Message[] {
  const n = (isCounted: (step: Step) => boolean): number => job.steps.filter(isCounted).length
  const skipped = n(({ state }) => state === 'waived')
  const broken = n(({ state }) => failed.includes(state))
  const asking = n(({ id, state }) => isActive && state === 'running' && needsPerson(live.get(id)))
  return [
    message('phonePage.done', { n: n(({ state }) => settled.includes(state)) - skipped }),
    ...(skipped > 0 ? [message('common.nSkipped', { n: skipped })] : []),
    ...(broken > 0 ? [message('common.nFailedJob', { n: broken })] : []),
    ...(asking > 0 ? [message('common.nNeedYou', { n: asking })] : [])
  ]
}

/** The line that shows what the step is about. */
function lineOf({ kind }: Step, heard: HeardStep | null): string | undefined {
  if (kind === 'ignition') return 'IGN'
  if (kind === 'externalPower') return 'PWR'
  return kind === 'output' ? heard?.output?.out : undefined
}
