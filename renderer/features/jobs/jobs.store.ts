import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { CallInput, CallOutput } from '../../../preload/contract/index.ts'
import type { Answer, Job, JobState, JobSummary, LineTrace, LiveStep } from '../../../preload/contract/jobs.ts'
import { call } from '../../bridge.ts'
import { useToasts } from '../app/toasts.store.ts'

/** A live step with the moment it was heard, so that its time left can be counted on between two events. */
export interface HeardStep extends LiveStep {
  heardAtMs: number
}

const standardTemplate = 'standard-installation'
const refreshPauseMs = 300
const openStates: readonly JobState[] = ['draft', 'running', 'installedAwaitingGateway']

/** The job log, the job on the screen, and what its running checks show now. */
export const useJobs = defineStore('jobs', () => {
  const list = ref<JobSummary[] | null>(null)
  const templates = ref<CallOutput<'jobs.templates'>['templates']>([])
  const job = shallowRef<Job | null>(null)
  const isActive = ref(false)
  const live = shallowRef<ReadonlyMap<string, HeardStep>>(new Map())
  const lines = shallowRef<LineTrace | null>(null)
  let refreshTimer: ReturnType<typeof setTimeout> | undefined
  const openJobs = computed(() => (list.value ?? []).filter((summary) => openStates.includes(summary.state)))

  async function loadList(filter: CallInput<'jobs.list'> = {}): Promise<void> {
    list.value = (await call('jobs.list', filter)).jobs
  }

  async function loadTemplates(): Promise<void> {
    const all = (await call('jobs.templates', {})).templates
    // What is done most stands first.
    templates.value = all.sort((a, b) => Number(b.id === standardTemplate) - Number(a.id === standardTemplate))
  }

  function takeJob(next: Job): void {
    if (job.value?.id === next.id) {
      job.value = next
      const running = new Set(next.steps.filter((step) => step.state === 'running').map((step) => step.id))
      const kept = [...live.value].filter(([stepId]) => running.has(stepId))
      if (kept.length !== live.value.size) live.value = new Map(kept)
      if (running.size > 0) isActive.value = true
      else if (isActive.value) refreshSoon(next.id)
    }
    if (list.value) list.value = list.value.map((summary) => (summary.id === next.id ? next : summary))
  }

  function takeLive(step: LiveStep): void {
    if (job.value?.id !== step.jobId) return
    isActive.value = true
    live.value = new Map(live.value).set(step.stepId, { ...step, heardAtMs: Date.now() })
  }

  function takeLines(trace: LineTrace): void {
    if (job.value?.id === trace.jobId) lines.value = trace
  }

  /** No event tells that a session was opened or closed elsewhere, so a job at rest is asked again. */
  function refreshSoon(id: string): void {
    clearTimeout(refreshTimer)
    refreshTimer = setTimeout(() => {
      if (job.value?.id === id) refreshSession(id).catch(useToasts().sayFailure)
    }, refreshPauseMs)
  }

  /** Puts a job on the screen with what its session shows now. */
  async function show(id: string): Promise<void> {
    if (job.value?.id !== id) clearJob()
    job.value = await call('jobs.show', { id })
    await refreshSession(id)
  }

  async function refreshSession(id: string): Promise<void> {
    const now = await call('jobs.live', { id })
    if (job.value?.id !== id) return
    isActive.value = now.active
    const heardAtMs = Date.now()
    live.value = new Map(now.steps.map((step) => [step.stepId, { ...step, heardAtMs }]))
    lines.value = now.lines
  }

  function clearJob(): void {
    job.value = null
    isActive.value = false
    live.value = new Map()
    lines.value = null
  }

  async function create(input: CallInput<'jobs.create'>): Promise<string> {
    return (await call('jobs.create', input)).id
  }

  async function start(id: string): Promise<void> {
    await call('jobs.start', { id })
    isActive.value = true
    await refreshSession(id)
    // The first step tells everything else who the device is: nobody should have to press a button for it.
    const [first] = job.value?.id === id ? job.value.steps : []
    if (first?.kind === 'identity' && first.state === 'waiting') await runStep(id, first.id)
  }

  async function pause(id: string): Promise<void> {
    await call('jobs.pause', { id })
    isActive.value = false
    live.value = new Map()
  }

  async function runStep(id: string, stepId: string): Promise<void> {
    await call('jobs.runStep', { id, stepId })
  }

  async function stopStep(id: string, stepId: string): Promise<void> {
    await call('jobs.stopStep', { id, stepId })
  }

  async function answer(id: string, stepId: string, answer: Answer): Promise<void> {
    await call('jobs.answer', { id, stepId, answer })
  }

  async function waive(id: string, stepId: string, reason: string): Promise<void> {
    await call('jobs.waive', { id, stepId, reason })
  }

  async function cancel(id: string, reason: string): Promise<void> {
    await call('jobs.cancel', { id, reason })
  }

  async function makeReport(input: CallInput<'jobs.report'>): Promise<CallOutput<'jobs.report'>> {
    return call('jobs.report', input, 120_000)
  }

  return {
    list,
    templates,
    job,
    isActive,
    live,
    lines,
    openJobs,
    loadList,
    loadTemplates,
    takeJob,
    takeLive,
    takeLines,
    show,
    clearJob,
    create,
    start,
    pause,
    runStep,
    stopStep,
    answer,
    waive,
    cancel,
    makeReport
  }
})
