import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { Json } from '../../../../preload/contract/define.ts'
import type { Step } from '../../../../preload/contract/job/jobs.ts'
import type { EntryInput, LoggedJob } from '../record/journal.ts'
import type { SessionOptions } from './session.ts'

/** What the log last said of an output that was not confirmed off. */
const doubts = ['output.notProvedOff', 'output.watchedOff', 'output.cameOnLate']
const dangers = ['output.mayBeOn', 'output.nobodyKnows']

/** The step that tests this output. */
export function stepOfOutput(
  { steps, templateSteps }: Pick<LoggedJob, 'steps' | 'templateSteps'>,
  out: string
): Step | undefined {
  return steps.find(({ id }) => {
    const plan = templateSteps.get(id)
    return plan?.kind === 'output' && (plan.output ?? 'OUT1') === out
  })
}

/** An ended step follows its output: a late "on" fails it, and a later proof of "off" removes the warning. */
export function followOutput(
  job: LoggedJob,
  write: SessionOptions['write'],
  { operation, input, phase, raw }: EntryInput<'deviceWrite'>,
  at: string
): void {
  if (operation !== 'io.setOutput' || phase !== 'readBack') return
  const { out, state: isOn } = input as { out: string; state: boolean }
  const step = stepOfOutput(job, out)
  if (!step || step.state === 'running' || step.attempts === 0) return
  const saw = (what: Message): void =>
    write('evidence', step.id, { attempt: step.attempts, witness: 'device', what, raw: raw as Json, thresholds: null })
  const end = (result: Pick<Step, 'state' | 'summary' | 'remedy'>): void => {
    // A step that was skipped stays skipped.
    if (step.state !== 'waived')
      write('stepEnded', step.id, {
        attempt: step.attempts,
        ...result,
        witness: ['device'],
        durationMs: step.durationMs ?? 0
      })
  }
  if (isOn) {
    const late = message('output.cameOnLate', { out, onAt: at })
    saw(late)
    return end({ state: 'fail', summary: late, remedy: message('output.mayBeOn', { out }) })
  }
  const last =
    step.evidence.findLast(
      ({ what }) => /^output\.(offAgain|offConfirmed|offConfirmedLater)$/.test(what.id) || doubts.includes(what.id)
    )?.what.id ?? ''
  const isUnproved = step.summary?.id === 'output.notProvedOff'
  if (!isUnproved && !doubts.includes(last)) return
  const off = message(isUnproved ? 'output.offConfirmedLater' : 'output.offConfirmed', { out, offAt: at })
  saw(off)
  const isDanger = dangers.includes(step.remedy?.id ?? '')
  if (isUnproved || isDanger)
    end({
      state: step.state,
      summary: isUnproved ? off : step.summary,
      remedy: isDanger ? message('output.whenItMayBeTested') : step.remedy
    })
}
