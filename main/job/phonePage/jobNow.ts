import type { Events, EventName } from '../../../preload/contract/events.ts'
import type { LiveStep } from '../../../preload/contract/job/jobs.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { createLineWindow, type LineWindow } from './lineWindow.ts'

/** A live step with the time of its event, so that its remaining time can count down between two events. */
export interface HeardStep extends LiveStep {
  heardMs: number
}

/** What is known of a job at this moment. */
export interface JobNow {
  job: ReturnType<Jobs['loaded']>
  /** Connected to its device. */
  isActive: boolean
  live: ReadonlyMap<string, HeardStep>
  lines: LineWindow
  /** The step that a window shows; null for none. */
  stage: string | null
  monotonicMs(): number
}

export type FollowedJob = ReturnType<typeof followJob>

/** Follows a job by its events, from its state at this moment. */
export function followJob(jobs: Pick<Jobs, 'loaded' | 'live'>, jobId: string, monotonicMs: () => number) {
  const live = new Map<string, HeardStep>()
  const lines = createLineWindow(monotonicMs)
  let isActive = false
  read()

  function read(): void {
    const state = jobs.live(jobId)
    isActive = state.active
    live.clear()
    for (const step of state.steps) live.set(step.stepId, { ...step, heardMs: monotonicMs() })
    if (state.lines) lines.take(state.lines)
  }

  return {
    now: (): Omit<JobNow, 'stage'> => ({ job: jobs.loaded(jobId), isActive, live, lines, monotonicMs }),
    /** An event of any job. */
    take(name: EventName, payload: unknown): void {
      if (name === 'jobs.state') {
        const state = payload as Events['jobs.state']
        if (state.id === jobId) isActive = state.isActive
      } else if (name === 'jobs.live') {
        const step = payload as Events['jobs.live']
        if (step.jobId === jobId) live.set(step.stepId, { ...step, heardMs: monotonicMs() })
      } else if (name === 'jobs.step') {
        const { jobId: id, step } = payload as Events['jobs.step']
        if (id === jobId && step.state !== 'running') live.delete(step.id)
      } else if (name === 'jobs.lines') {
        const news = payload as Events['jobs.lines']
        if (news.jobId !== jobId) return
        isActive = true
        // News that does not continue what is known comes after a pause of the job.
        if (!lines.take(news)) read()
      }
    }
  }
}
