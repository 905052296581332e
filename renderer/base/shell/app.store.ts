import { defineStore } from 'pinia'
import { computed, ref } from 'vue'
import type { Finding, Notice, Workplace } from '../../../preload/contract/app/app.ts'
import type { CallOutput } from '../../../preload/contract/index.ts'
import { call } from '../bridge.ts'
import { isReadOnly } from '../ui/readOnly.ts'
import { holdPresent } from '../ui/time/presentTime.ts'

/** What is true for the whole application: version, workplace, notices. */
export const useApp = defineStore('app', () => {
  const info = ref<CallOutput<'app.info'> | null>(null)
  const findings = ref<Finding[] | null>(null)
  const workplace = computed<Workplace>(() => info.value?.workplace ?? 'real')
  const isTraining = computed(() => workplace.value === 'training')
  /** The support bundle that the window shows; null while it shows a workplace. */
  const bundle = computed(() => info.value?.bundle ?? null)
  const isBundle = computed(() => bundle.value !== null)
  const notices = computed<Notice[]>(() => info.value?.notices ?? [])

  function take(next: CallOutput<'app.info'>): void {
    info.value = next
    holdPresent(next.bundle ? Date.parse(next.bundle.writtenAt) : null)
    isReadOnly.value = next.bundle !== null
  }

  async function load(): Promise<void> {
    take(await call('app.info', {}))
  }

  function setNotices(next: Notice[]): void {
    if (info.value) info.value.notices = next
  }

  function setWorkplace(next: Workplace): void {
    if (info.value) info.value.workplace = next
    findings.value = null
  }

  /** Opens the other workplace; without a call when it is open already. */
  async function enter(next: Workplace): Promise<void> {
    if (workplace.value === next && !isBundle.value) return
    await call('app.enter', { workplace: next })
  }

  async function runSelfTest(): Promise<void> {
    findings.value = (await call('app.selfTest', {})).findings
  }

  return {
    info,
    findings,
    workplace,
    isTraining,
    bundle,
    isBundle,
    notices,
    take,
    load,
    setNotices,
    setWorkplace,
    enter,
    runSelfTest
  }
})
