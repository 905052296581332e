import { writeSync } from 'node:fs'
import { expect, it } from 'vitest'
import { loadShipped } from '../../../../../main/job/jobs/checklists/shipped.ts'
import type { Answer, LiveStep } from '../../../../../preload/contract/job/jobs.ts'
import type { TemplateStep } from '../../../../../preload/contract/job/steps/index.ts'
import { AppError } from '../../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../../preload/contract/messages.ts'
import { createRandom } from '../../../../world/data/damage.ts'
import { resourcesFolder } from '../../../../world/device/quickProfile.ts'
import { openVirtualJob, virtualImei, type VirtualJob } from '../../../../world/device/virtualJob.ts'

/** Random orders of every kind of step; `npm run proof -- going [RUNS [SEED]]` plays more of them. */
const runs = Number(process.env['FITTER_GOING_RUNS'] ?? 20)
const isLong = process.env['FITTER_GOING_RUNS'] !== undefined
const seed = Number(process.env['FITTER_GOING_SEED'] ?? Date.now() % 1_000_000)
const seconds = isLong ? 120 : 40
/** So many steps in one of the daily orders; the long form has all of them in each. */
const fewSteps = 14

const every = [...loadShipped(resourcesFolder).templates.values()]
  .flatMap(({ steps }) => steps)
  .filter(({ kind }, at, all) => all.findIndex((other) => other.kind === kind) === at || kind === 'output')
  .slice(0, 40)

type Random = (below: number) => number

function shuffled<T>(random: Random, all: readonly T[]): T[] {
  const rest = [...all]
  return all.map(() => rest.splice(random(rest.length), 1)[0] as T)
}

/** A checklist in any order; some steps hang on the answer to an earlier question. */
function randomSteps(random: Random): TemplateStep[] {
  const [signOff] = every.filter(({ kind }) => kind === 'signOff')
  const identity = every.filter(({ kind }) => kind === 'identity')
  const others = shuffled(
    random,
    every.filter(({ kind }) => kind !== 'signOff' && kind !== 'identity')
  )
  const chosen = shuffled(random, [...identity, ...(isLong ? others : others.slice(0, fewSteps))])
  return [...chosen, signOff as TemplateStep].map(({ when: _when, perItem: _perItem, ...step }, at, all) => {
    const question = all.slice(0, at).find(({ kind }) => kind === 'question')
    const isIfYes = question && step.kind !== 'signOff' && random(6) === 0
    return {
      ...step,
      id: `${step.kind.toLowerCase()}-${at}`,
      ...(isIfYes ? { when: { answered: { step: `question-${all.indexOf(question)}`, is: random(2) === 0 } } } : {})
    } as TemplateStep
  })
}

function answerOf(random: Random, { prompt }: LiveStep): Answer {
  switch (prompt?.kind) {
    case 'imei':
      return { value: virtualImei }
    case 'value':
      return { value: 12 }
    case 'text':
      return { value: 'words' }
    case 'choice':
      return { choose: prompt.choices[0]?.id ?? '' }
    case 'choose':
      return { choose: prompt.entity === 'vehicle' ? 'Truck 1' : '' }
    case 'arm':
      return { armed: true }
    case 'effect':
      return { effect: random(4) > 0 }
    case 'lines':
      return { notWired: { lines: ['IN1', 'IN2', 'IN3'], reason: 'not wired here' } }
    case 'signOff':
      return { value: 'Technician One', choose: 'Customer One' }
    default:
      return { answer: random(4) > 0 }
  }
}

/** What the person, the vehicle and the links do in this second. */
async function happens(random: Random, job: VirtualJob): Promise<string> {
  const { steps } = job.jobs.live(job.id)
  const any = <T>(all: readonly T[]): T | undefined => all[random(all.length)]
  const open = job.jobs.show(job.id).steps
  switch (random(14)) {
    case 0:
    case 1:
    case 2:
    case 3: {
      const asking = any(steps.filter(({ prompt }) => prompt))
      if (!asking) return 'nothing'
      job.jobs.answer(job.id, asking.stepId, answerOf(random, asking))
      return `answer ${asking.stepId}`
    }
    case 4:
      job.vehicle.turnKey(any(['off', 'on', 'crank'] as const) ?? 'off')
      return 'key'
    case 5:
      job.vehicle.setInput(any(['IN1', 'IN2', 'IN3'] as const) ?? 'IN1', random(2) === 0)
      return 'input'
    case 6: {
      const failed = any(open.filter(({ state }) => state === 'fail' || state === 'unreadable'))
      if (!failed) return 'nothing'
      job.begin(failed.id)
      return `run ${failed.id} again`
    }
    case 7: {
      const failed = any(
        open.filter(({ state, kind }) => state === 'fail' && kind !== 'identity' && kind !== 'signOff')
      )
      if (!failed) return 'nothing'
      await job.jobs.waive(job.id, failed.id, 'not today', 'Technician One').catch(() => undefined)
      return `skip ${failed.id}`
    }
    case 8: {
      const running = random(4) === 0 ? any(steps) : undefined
      if (!running) return 'nothing'
      void job.jobs.stopStep(job.id, running.stepId)
      return `stop ${running.stepId}`
    }
    case 9: {
      const early = random(4) === 0 ? any([...job.jobs.standings(job.id)]) : undefined
      if (early?.[1].is !== 'waits' || early[1].for.what !== 'step' || !early[1].for.mayStart) return 'nothing'
      job.begin(early[0])
      return `start ${early[0]} now`
    }
    case 10:
      job.jobs.onStage(job.id, any(open)?.id ?? null)
      return 'look elsewhere'
    case 11:
      job.breakDevice('all', random(5) === 0 ? 'hang' : null)
      return 'device'
    case 12:
      job.gateway.isAway = random(3) === 0 ? new AppError('UNREACHABLE', plainMessage('The gateway is away.')) : null
      return 'gateway'
    default:
      job.gateway.events = random(2) === 0 ? () => [] : job.gateway.events
      return 'nothing'
  }
}

/** What is wrong with how the job goes on at this moment; nothing if something runs, is asked, or says what it awaits. */
function wrongIn(job: VirtualJob): string[] {
  const { steps, state } = job.jobs.show(job.id)
  const { active, steps: running } = job.jobs.live(job.id)
  if (!active || state === 'done' || state === 'installedAwaitingGateway') return []
  const standings = job.jobs.standings(job.id)
  const stateOf = new Map(steps.map((step) => [step.id, step.state]))
  const isFailed = steps.some((step) => step.state === 'fail' || step.state === 'unreadable')
  const wrong = [...standings].flatMap(([stepId, standing]) => {
    if (standing.is === 'starts') return [`${stepId} could start and does not`]
    if (stateOf.get(stepId) === 'running' && !running.some((live) => live.stepId === stepId))
      return [`${stepId} is said to run`]
    if (standing.is !== 'waits' || standing.for.what !== 'step') return []
    const awaited = standing.for.stepId
    const isAwaited = standings.has(awaited) || ['fail', 'unreadable'].includes(stateOf.get(awaited) ?? '')
    return isAwaited ? [] : [`${stepId} waits for ${awaited}, which has ended`]
  })
  const isAnyone = isFailed || [...standings.values()].some((one) => one.is !== 'waits' || one.for.what !== 'step')
  return [...wrong, ...(standings.size > 0 && !isAnyone ? ['everything waits for something else'] : [])]
}

it(
  `in ${String(runs)} random orders something runs, a person is asked, or a wait is named, in every second (seed ${String(seed)})`,
  { timeout: runs * 60_000 },
  async () => {
    for (let run = 0; run < runs; run += 1) {
      const random = createRandom(seed + run)
      const steps = randomSteps(random)
      const job = openVirtualJob(steps)
      const story: string[] = []
      try {
        const started = job.jobs.start(job.id, new AbortController().signal, { goesOn: true })
        await job.pass(1_000)
        await started
        for (let second = 0; second < seconds; second += 1) {
          story.push(await happens(random, job))
          await job.pass(1_000)
          const wrong = wrongIn(job)
          const at = `seed ${String(seed + run)}, second ${String(second)}: ${steps.map(({ id }) => id).join(' ')}; ${story.filter((one) => one !== 'nothing').join(', ')}`
          expect(wrong, at).toEqual([])
        }
        expect(job.faults, `seed ${String(seed + run)}`).toEqual([])
      } finally {
        job.breakDevice('all', null)
        await job.close()
      }
      if (isLong) writeSync(1, `order ${String(run + 1)} of ${String(runs)}\n`)
    }
  }
)
