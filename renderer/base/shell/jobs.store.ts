import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { CallOutput } from '../../../preload/contract/index.ts'
import type { Events } from '../../../preload/contract/events.ts'
import type { Job, JobLines, JobState, ListedJob, LiveStep, Step } from '../../../preload/contract/job/jobs.ts'
import { goingOn, type Standing } from '../../../preload/job/goingOn.ts'
import { followLines, nextMark, type LinesStory } from '../../../preload/job/linesStory.ts'
import { call } from '../bridge.ts'
import { isClosed } from './jobStage.ts'
import { useToasts } from './toasts.store.ts'

/** While the device is lost, an output that is switched asks nobody: the other steps say themselves that they wait. */
function withoutDevice(heard: ReadonlyMap<string, HeardStep>): ReadonlyMap<string, HeardStep> {
  return new Map(
    [...heard].map(([id, step]) => [id, step.output && step.output.phase !== 'hold' ? { ...step, isLost: true } : step])
  )
}

/** A live step with the time of its event, so that its remaining time can count down between two events. */
export interface HeardStep extends LiveStep {
  heardAtMs: number
  /** Its output may be on while the device does not answer: nobody can take it further. */
  isLost?: true
}

const standardTemplate = 'standard-installation'
const refreshPauseMs = 300
const openStates: readonly JobState[] = ['draft', 'running', 'installedAwaitingGateway']
const openAtMost = 100

function lostSince({ lostForMs }: JobLines): number | null {
  return lostForMs === null ? null : Date.now() - lostForMs
}

/** An ended job is no longer open, and a new one is first. */
function withState(open: ListedJob[], next: ListedJob): ListedJob[] {
  if (!openStates.includes(next.state) || next.handedOver) return open.filter(({ id }) => id !== next.id)
  return open.some(({ id }) => id === next.id)
    ? open.map((one) => (one.id === next.id ? next : one))
    : [next, ...open].slice(0, openAtMost)
}

/** The job log, the job on the screen, and the state of its running checks. */
export const useJobs = defineStore('jobs', () => {
  const openJobs = shallowRef<ListedJob[]>([])
  const templates = ref<CallOutput<'jobs.templates'>['templates']>([])
  const job = shallowRef<Job | null>(null)
  const isActive = ref(false)
  /** Since when the job's device has not answered, by this window's clock; null while it answers. */
  const lostSinceMs = ref<number | null>(null)
  const heard = shallowRef<ReadonlyMap<string, HeardStep>>(new Map())
  const live = computed(() => (lostSinceMs.value === null ? heard.value : withoutDevice(heard.value)))
  const lines = shallowRef<LinesStory | null>(null)
  const after = shallowRef<CallOutput<'jobs.live'>['after']>({})
  /** How each step of the job on the screen goes on that has not ended. */
  const standings = computed<ReadonlyMap<string, Standing>>(() =>
    job.value
      ? goingOn({ steps: job.value.steps, after: after.value, live: live.value, isActive: isActive.value })
      : new Map()
  )
  /** The device of a job that was just closed: it is fitted, and the next job is about another one. */
  const finishedImei = computed(() => (job.value && isClosed(job.value.state) ? job.value.device.imei : null))
  let refreshTimer: ReturnType<typeof setTimeout> | undefined

  /** The latest jobs that still need work; the whole log has its own screen. */
  async function loadOpen(): Promise<void> {
    openJobs.value = (await call('jobs.list', { isOpen: true, limit: openAtMost })).jobs.filter(
      ({ handedOver }) => !handedOver
    )
  }

  async function loadTemplates(): Promise<void> {
    const all = (await call('jobs.templates', {})).templates
    // Most frequent first.
    templates.value = all.sort((a, b) => Number(b.id === standardTemplate) - Number(a.id === standardTemplate))
  }

  function receiveState(next: ListedJob): void {
    if (job.value?.id === next.id) {
      const { isActive: isConnected, damage: _damage, ...summary } = next
      const { handedOver: _before, ...before } = job.value
      job.value = { ...before, ...summary }
      isActive.value = isConnected
      if (!isConnected) rest()
      // The log will receive more entries; the seal is requested when the log is at rest.
      if (next.state !== 'running') refreshSoon(next.id)
    }
    openJobs.value = withState(openJobs.value, next)
  }

  function receiveStep({ jobId, step }: Events['jobs.step']): void {
    if (job.value?.id !== jobId) return
    job.value = { ...job.value, steps: job.value.steps.map((one) => (one.id === step.id ? { ...one, ...step } : one)) }
    if (step.state === 'running') isActive.value = true
    else if (heard.value.has(step.id)) heard.value = new Map([...heard.value].filter(([stepId]) => stepId !== step.id))
  }

  function receiveEntry({ jobId, stepId, evidence }: Events['jobs.entry']): void {
    if (job.value?.id !== jobId) return
    const add = (step: Step): Step =>
      step.id !== stepId || step.evidence.some((one) => one.seq === evidence.seq)
        ? step
        : { ...step, evidence: [...step.evidence, evidence] }
    job.value = { ...job.value, steps: job.value.steps.map(add) }
  }

  function receiveAttached({ jobId, attachment }: Events['jobs.attached']): void {
    if (job.value?.id !== jobId) return
    const present = job.value.attachments ?? []
    if (!present.some(({ seq }) => seq === attachment.seq))
      job.value = { ...job.value, attachments: [...present, attachment] }
  }

  function receiveLive(step: LiveStep): void {
    if (job.value?.id !== step.jobId) return
    isActive.value = true
    heard.value = new Map(heard.value).set(step.stepId, { ...step, heardAtMs: Date.now() })
  }

  function receiveLines(news: JobLines): void {
    if (job.value?.id !== news.jobId) return
    lostSinceMs.value = lostSince(news)
    const next = followLines(lines.value, news)
    if (next && nextMark(next)) lines.value = next
    // An event was missed, or the list has become long: then the whole job is loaded.
    else refreshSoon(news.jobId)
  }

  /** The seal and the gateway work of a job at rest are requested once, after a moment without events. */
  function refreshSoon(id: string): void {
    clearTimeout(refreshTimer)
    refreshTimer = setTimeout(() => {
      if (job.value?.id === id) show(id).catch(useToasts().sayFailure)
    }, refreshPauseMs)
  }

  /** Opens a job on the screen with the state of its session. */
  async function show(id: string): Promise<void> {
    if (job.value?.id !== id) clearJob()
    job.value = await call('jobs.show', { id })
    await refreshSession(id)
  }

  async function refreshSession(id: string): Promise<void> {
    const now = await call('jobs.live', { id })
    if (job.value?.id !== id) return
    isActive.value = now.active
    after.value = now.after
    const heardAtMs = Date.now()
    heard.value = new Map(now.steps.map((step) => [step.stepId, { ...step, heardAtMs }]))
    lines.value = now.lines && followLines(null, now.lines)
    lostSinceMs.value = now.lines && lostSince(now.lines)
  }

  /** No part of the job is running any more. */
  function rest(): void {
    isActive.value = false
    heard.value = new Map()
    lostSinceMs.value = null
  }

  function clearJob(): void {
    job.value = null
    isActive.value = false
    heard.value = new Map()
    lines.value = null
    after.value = {}
    lostSinceMs.value = null
  }

  async function start(id: string): Promise<void> {
    await call('jobs.start', { id })
    isActive.value = true
    await refreshSession(id)
  }

  async function pause(id: string): Promise<void> {
    await call('jobs.pause', { id })
    rest()
  }

  return {
    templates,
    job,
    isActive,
    live,
    lines,
    standings,
    lostSinceMs,
    openJobs,
    finishedImei,
    loadOpen,
    loadTemplates,
    receiveState,
    receiveStep,
    receiveEntry,
    receiveAttached,
    receiveLive,
    receiveLines,
    show,
    clearJob,
    start,
    pause
  }
})
