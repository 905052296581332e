import { message, type Message } from '../../../../preload/contract/messages.ts'
import type {
  NextMove,
  Paused,
  StoryJob,
  StoryOperation,
  WaitCause
} from '../../../../preload/contract/gateway/stories.ts'

interface Told {
  operations: readonly StoryOperation[]
  jobs: readonly StoryJob[]
  needPerson: number
  paused: Paused
}

/** The first sentence of a story: a person's task, then the next move, then what delays the rest. */
const order: readonly WaitCause[] = [
  'person',
  'office',
  'underWay',
  'limit',
  'readBack',
  'turn',
  'gateway',
  'signIn',
  'noGateway',
  'effect',
  'pause',
  'need',
  'decision',
  'older'
]

/** The present and the next action, in one sentence. The time is separate, because it counts down. */
export function sayStory({ operations, jobs, needPerson, paused }: Told): { sentence: Message; next: NextMove } {
  const [lead] = operations.toSorted(
    (a, b) =>
      order.indexOf(a.next.cause) - order.indexOf(b.next.cause) || (a.next.inMs ?? Infinity) - (b.next.inMs ?? Infinity)
  )
  if (lead) return { sentence: sayLead(lead, { needPerson, paused }), next: lead.next }
  const [job] = jobs
  const [step] = jobs.flatMap(({ steps }) => steps)
  if (!job) return { sentence: message('waiting.nothing'), next: { cause: 'turn', inMs: null } }
  return { sentence: step ? sayStep(step, job, paused) : message('waiting.jobToClose'), next: job.next }
}

function sayLead(
  { title, reason, next, needs, paused: own }: StoryOperation,
  { needPerson, paused }: Pick<Told, 'needPerson' | 'paused'>
): Message {
  switch (next.cause) {
    case 'person':
      return needPerson > 1
        ? message('waiting.personMany', { n: needPerson, title })
        : message('waiting.person', { title })
    case 'office':
      return message('waiting.office', { title })
    case 'underWay':
      return message('waiting.underWay', { title })
    case 'limit':
      return message('waiting.limit')
    case 'readBack':
      return message('waiting.readBack')
    case 'effect':
      return message('waiting.effect', { reason })
    case 'gateway':
      return message('waiting.gateway')
    case 'signIn':
      return message('waiting.signIn')
    case 'noGateway':
      return message('waiting.noGateway')
    case 'pause':
      return sayPause(own ?? paused)
    case 'need':
      return message('waiting.need', { title, needs: needs.map((need) => need.title) })
    default:
      return message('waiting.turn', { title })
  }
}

function sayStep({ title, waitsFor }: StoryJob['steps'][number], { next }: StoryJob, paused: Paused): Message {
  switch (next.cause) {
    case 'pause':
      return sayPause(paused)
    case 'signIn':
      return message('waiting.signIn')
    case 'noGateway':
      return message('waiting.noGateway')
    case 'gateway':
      return message('waiting.gateway')
    default:
      return message('waiting.step', { title, waitsFor })
  }
}

/** Since when and by whom it is paused. */
export function sayPause(paused: Paused): Message {
  if (!paused) return message('waiting.paused')
  return paused.by === ''
    ? message('waiting.pausedSince', { sinceAt: paused.at })
    : message('waiting.pausedBy', { sinceAt: paused.at, by: paused.by })
}
