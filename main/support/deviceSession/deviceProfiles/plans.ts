import { AppError } from '../../../../preload/contract/errors.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { ApnLogin, ProfilePlan } from '../../../../preload/contract/device/deviceProfiles.ts'
import type { DeviceProfileStore } from '../../../data/store/deviceProfiles.ts'

/** Whether the job that a plan waits for is open, has ended here, or was handed over. */
export type PlannedJob = 'open' | 'ended' | 'handedOver'

export interface ProfilePlansOptions {
  store: Pick<DeviceProfileStore, 'plans' | 'putPlan' | 'dropPlan'>
  jobState(jobId: string): PlannedJob
  /** Also true while a job that was just signed off still uses its device. */
  isInJob(imei: string): boolean
  /** The key of a device that can be used now; undefined while there is none. */
  keyOf(imei: string): string | undefined
  /** Sends the settings that still differ and cannot cut the connection. */
  apply(key: string, plan: ProfilePlan, login: ApnLogin): Promise<unknown>
  changed(plans: ProfilePlan[]): void
  reportFault(error: unknown): void
}

const emptyLogin: ApnLogin = { user: '', pass: '', pin: '' }
/** A device that did not answer is not tried with every change of the table. */
const tryAgainMs = 30_000

/** Profiles that are applied when the job of their device has ended, also when Fitter was closed in between. */
export function createProfilePlans({
  store,
  jobState,
  isInJob,
  keyOf,
  apply,
  changed,
  reportFault
}: ProfilePlansOptions) {
  /** Logins of an APN; they are never stored. */
  const logins = new Map<string, ApnLogin>()
  const failedAtMs = new Map<string, number>()
  let trying: Promise<void> | undefined
  let isWanted = false
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  const tell = () => changed(store.plans())

  function drop(imei: string): void {
    store.dropPlan(imei)
    logins.delete(imei)
    failedAtMs.delete(imei)
    tell()
  }
  function note(plan: ProfilePlan, why: Message): void {
    if (JSON.stringify(plan.why) === JSON.stringify(why)) return
    store.putPlan({ ...plan, why })
    tell()
  }

  async function attempt(plan: ProfilePlan): Promise<void> {
    const { imei, jobId, hasLogin } = plan
    if (performance.now() - (failedAtMs.get(imei) ?? -Infinity) < tryAgainMs) return
    try {
      const state = jobState(jobId)
      if (state === 'handedOver') return note(plan, message('deviceProfiles.planHandedOver'))
      if (state === 'open' || isInJob(imei)) return
      const key = keyOf(imei)
      if (key === undefined) return
      const login = hasLogin ? logins.get(imei) : emptyLogin
      if (!login) return note(plan, message('deviceProfiles.planNeedsLogin'))
      await apply(key, plan, login)
      drop(imei)
    } catch (error) {
      if (!(error instanceof AppError)) reportFault(error)
      failedAtMs.set(imei, performance.now())
      note(plan, error instanceof AppError ? error.sentence : message('workspace.runFault'))
      clearTimeout(timer)
      if (!isClosed) timer = setTimeout(soon, tryAgainMs).unref()
    }
  }

  async function work(): Promise<void> {
    while (isWanted && !isClosed) {
      isWanted = false
      for (const plan of store.plans()) if (!isClosed) await attempt(plan)
    }
  }

  /** Applies what is due: a job has ended, or a device can be reached again. */
  function soon(): void {
    isWanted = true
    trying ??= work()
      .catch(reportFault)
      .finally(() => (trying = undefined))
  }

  return {
    list: () => store.plans(),
    /** Replaces an earlier plan of the same device. */
    add(plan: Omit<ProfilePlan, 'hasLogin' | 'why'>, login: ApnLogin | null): ProfilePlan {
      const hasLogin = Object.values(login ?? emptyLogin).some((text) => text !== '')
      const planned: ProfilePlan = { ...plan, hasLogin, why: null }
      store.putPlan(planned)
      logins.delete(plan.imei)
      if (login) logins.set(plan.imei, login)
      tell()
      return planned
    },
    cancel: drop,
    soon,
    /** Resolves when what is due was tried. */
    settled: () => trying ?? Promise.resolve(),
    async close(): Promise<void> {
      isClosed = true
      clearTimeout(timer)
      await trying
    }
  }
}
