import { randomUUID } from 'node:crypto'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { CallOutput, CallParsed, Calls } from '../../../../preload/contract/index.ts'
import {
  idOfSetting,
  type DeviceProfile,
  type ListedProfile,
  type ProfileDraft,
  type ProfilePlan,
  type ProfilePreview
} from '../../../../preload/contract/device/deviceProfiles.ts'
import type { DeviceProfileStore } from '../../../data/store/deviceProfiles.ts'
import type { DeviceWriteStore } from '../../../data/store/work/deviceWrites.ts'
import { findLink } from '../link.ts'
import type { OpenedDevice } from '../ports.ts'
import { createProfileRuns, type ProfileRunOptions } from './applying.ts'
import { profileFileName, readProfileFile, writeProfileFile } from './fileForm.ts'
import { createProfilePlans, type ProfilePlansOptions } from './plans.ts'
import { compareProfile } from './preview.ts'
import { asLine, readShown, sentBusSettings, toSettings } from './readSettings.ts'

export interface DeviceProfilesOptions extends Omit<ProfileRunOptions, 'now' | 'refusal'> {
  store: DeviceProfileStore
  log: Pick<DeviceWriteStore, 'list'>
  technician(): string
  /** The vehicle that this device was last in, as far as this computer knows. */
  vehicleOf(key: string): string | null
  /** Why nothing may be sent to this device now: someone else's job, or an output that may be on. */
  refusal(imei: string | null): Message | null
  /** The open job on this device. */
  openJobOf(imei: string): { id: string; technician: string } | null
  isInJob(imei: string): boolean
  jobState: ProfilePlansOptions['jobState']
  keyOf: ProfilePlansOptions['keyOf']
  plansChanged(plans: ProfilePlan[]): void
}

type Input<Name extends string> = CallParsed<Extract<keyof Calls, `deviceProfiles.${Name}`>>
type Output<Name extends string> = CallOutput<Extract<keyof Calls, `deviceProfiles.${Name}`>>

/** Settings of a device, saved under a name and applied to other devices. */
export type DeviceProfiles = ReturnType<typeof createDeviceProfiles>

const keptDrafts = 20
const loggedBusWrites = 2_000

export function createDeviceProfiles(options: DeviceProfilesOptions) {
  const { store, log } = options
  /** What was read for a new profile: only a reading can be saved, never what a page makes up. */
  const drafts = new Map<string, ProfileDraft>()
  const now = () => new Date()
  const runs = createProfileRuns({ ...options, now })
  const openJob = (imei: string | null) => (imei === null ? null : options.openJobOf(imei))
  const closing = new AbortController()
  const plans = createProfilePlans({
    ...options,
    isInJob: (imei) => openJob(imei) !== null || options.isInJob(imei),
    async apply(key, { profile, settings }, apnLogin) {
      const sent = await apply(
        { key, id: profile.id, settings, apnLogin, confirmCut: false, afterJob: false },
        closing.signal
      )
      // The way to this device is another one than when it was planned.
      if (sent.kind === 'cutsLink')
        throw new AppError('CONFLICT', message('deviceProfiles.planCuts'), { retryable: true })
    },
    changed: (all) => options.plansChanged(all)
  })

  function find(id: string): DeviceProfile {
    const profile = store.find(id)
    if (!profile) throw new AppError('NOT_FOUND', message('deviceProfiles.unknown'))
    return profile
  }
  const listed = ({ settings, ...head }: DeviceProfile): ListedProfile => ({ ...head, settings: settings.length })
  const busWrites = ({ imei, address }: OpenedDevice) =>
    log.list({ imei: imei ?? address, operations: ['ecu.addParameter', 'ecu.configure'], limit: loggedBusWrites })

  function refusalFor({ key, imei }: Pick<OpenedDevice, 'key' | 'imei'>): Message | null {
    return runs.isRunning(key) ? message('deviceProfiles.running') : options.refusal(imei)
  }

  async function preview(opened: OpenedDevice, profile: DeviceProfile, signal: AbortSignal): Promise<ProfilePreview> {
    const shown = await readShown(opened, { signal })
    const link = await findLink(opened, { signal })
    const isSame = (one: string | null, other: string | null) => (one === null || other === null ? null : one === other)
    const isSameModel = isSame(profile.from.model, opened.model)
    return {
      profile: listed(profile),
      device: { key: opened.key, imei: opened.imei, model: opened.model, osVersion: shown.osVersion },
      readAt: now().toISOString(),
      isSameModel,
      isSameSystem: isSame(profile.from.osVersion, shown.osVersion),
      rows: compareProfile({ settings: profile.settings, shown, link, writes: busWrites(opened), isSameModel }),
      link: { over: link.over, detail: link.detail },
      openJob: openJob(opened.imei),
      refusal: refusalFor(opened)
    }
  }

  async function apply(
    { key, id, settings, apnLogin, confirmCut, afterJob }: Input<'apply'>,
    signal: AbortSignal
  ): Promise<Output<'apply'>> {
    const opened = options.open(key)
    const profile = find(id)
    if (!afterJob) assertMayApply(opened)
    const { rows } = await preview(opened, profile, signal)
    const chosen = rows.filter((row) => settings.includes(row.id) && row.state !== 'same' && row.state !== 'leftOut')
    if (chosen.length === 0) return { kind: 'nothingToSend' }
    const isLoginMissing = (sent: typeof chosen) =>
      apnLogin === null && sent.some(({ setting }) => setting.kind === 'apn')
    // The job may have ended while the device was read.
    const job = afterJob ? openJob(opened.imei) : null
    if (job && opened.imei !== null) {
      const planned = chosen.filter(({ cut }) => cut === null)
      if (planned.length === 0) return { kind: 'nothingToSend' }
      if (isLoginMissing(planned)) throw new AppError('INVALID_REQUEST', message('deviceProfiles.loginMissing'))
      const plan = {
        imei: opened.imei,
        jobId: job.id,
        profile: { id, name: profile.name },
        settings: planned.map((row) => row.id),
        plannedAt: now().toISOString(),
        plannedBy: options.technician()
      }
      return { kind: 'planned', plan: plans.add(plan, apnLogin) }
    }
    const cuts = chosen.flatMap(({ id: setting, cut }) => (cut ? [{ id: setting, ...cut }] : []))
    if (cuts.length > 0 && !confirmCut) return { kind: 'cutsLink', cuts }
    if (isLoginMissing(chosen)) throw new AppError('INVALID_REQUEST', message('deviceProfiles.loginMissing'))
    // Another window may have started while this one read.
    assertMayApply(opened)
    return {
      kind: 'started',
      run: runs.start(
        opened,
        { id: profile.id, name: profile.name },
        chosen,
        apnLogin ?? { user: '', pass: '', pin: '' }
      )
    }
  }

  /** A name that no profile has: an imported one gets a number. */
  function freeName(name: string): string {
    if (!store.hasName(name)) return name
    for (let n = 2; ; n++) {
      const next = `${name.slice(0, 74).trim()} (${n})`
      if (!store.hasName(next)) return next
    }
  }

  return {
    list: () => store.list(),
    show: find,
    async read(key: string, signal: AbortSignal): Promise<ProfileDraft> {
      const opened = options.open(key)
      const shown = await readShown(opened, { signal })
      const { settings, unread } = toSettings(shown)
      const draft: ProfileDraft = {
        id: randomUUID(),
        readAt: now().toISOString(),
        from: {
          model: asLine(opened.model, 60),
          digits: /\d{6}$/.exec(opened.imei ?? '')?.[0] ?? '',
          vehicle: asLine(options.vehicleOf(key), 120),
          osVersion: shown.osVersion
        },
        settings: [...settings, ...sentBusSettings(busWrites(opened))]
          .slice(0, 504)
          .map((setting) => ({ id: idOfSetting(setting), setting })),
        unread
      }
      for (const id of drafts.keys()) if (drafts.size >= keptDrafts) drafts.delete(id)
      drafts.set(draft.id, draft)
      return draft
    },
    save({ draft: id, name, settings }: Input<'save'>): ListedProfile {
      const draft = drafts.get(id)
      if (!draft) throw new AppError('NOT_FOUND', message('deviceProfiles.readAgain'))
      const chosen = draft.settings
        .filter(({ id: setting }) => settings.includes(setting))
        .map(({ setting }) => setting)
      if (chosen.length === 0) throw new AppError('INVALID_REQUEST', message('deviceProfiles.nothingChosen'))
      const profile: DeviceProfile = {
        id: randomUUID(),
        name,
        savedAt: draft.readAt,
        savedBy: asLine(options.technician(), 120) ?? '',
        from: draft.from,
        settings: chosen
      }
      store.add(profile)
      return listed(profile)
    },
    rename(id: string, name: string): ListedProfile {
      store.rename(id, name)
      return listed(find(id))
    },
    remove(id: string): void {
      store.remove(id)
      options.plansChanged(plans.list())
    },
    export(id: string): Output<'export'> {
      const profile = find(id)
      return { fileName: profileFileName(profile.name), text: writeProfileFile(profile) }
    },
    import(text: string): Output<'import'> {
      const read = readProfileFile(text)
      if (read.outcome === 'refused') return read
      const { name, savedAt, savedBy, from, settings } = read.file
      const profile: DeviceProfile = {
        id: randomUUID(),
        name: freeName(name),
        savedAt,
        savedBy,
        from: { ...from, vehicle: null },
        settings
      }
      store.add(profile)
      return { outcome: 'imported', profile: listed(profile) }
    },
    preview: (key: string, id: string, signal: AbortSignal) => preview(options.open(key), find(id), signal),
    apply,
    runs: runs.list,
    stop: runs.stop,
    /** Profiles that wait for the end of a job. */
    plans: () => plans.list(),
    cancelPlan: (imei: string) => plans.cancel(imei),
    /** Applies the plans that are due. */
    continuePlans: () => plans.soon(),
    ended: runs.ended,
    async close(): Promise<void> {
      closing.abort(new AppError('CANCELLED', message('operations.closing')))
      await plans.close()
      await runs.close()
    }
  }

  function assertMayApply(opened: OpenedDevice): void {
    const refusal = refusalFor(opened)
    if (refusal) throw new AppError('CONFLICT', refusal, { retryable: true })
  }
}
