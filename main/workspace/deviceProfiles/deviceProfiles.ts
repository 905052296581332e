import { randomUUID } from 'node:crypto'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { CallOutput, CallParsed, Calls } from '../../../preload/contract/index.ts'
import { idOfSetting, type DeviceProfile, type ListedProfile, type ProfileDraft, type ProfilePreview } from '../../../preload/contract/device/deviceProfiles.ts'
import type { DeviceProfileStore } from '../../store/deviceProfiles.ts'
import type { DeviceWriteStore } from '../../store/work/deviceWrites.ts'
import { findLink } from '../link.ts'
import type { OpenedDevice } from '../ports.ts'
import { createProfileRuns, type ProfileRunOptions } from './applying.ts'
import { profileFileName, readProfileFile, writeProfileFile } from './fileForm.ts'
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

  function find(id: string): DeviceProfile {
    const profile = store.find(id)
    if (!profile) throw new AppError('NOT_FOUND', message('deviceProfiles.unknown'))
    return profile
  }
  const listed = ({ settings, ...head }: DeviceProfile): ListedProfile => ({ ...head, settings: settings.length })
  const busWrites = ({ imei, address }: OpenedDevice) => log.list({ imei: imei ?? address, operations: ['ecu.addParameter', 'ecu.configure'], limit: loggedBusWrites })

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
      refusal: refusalFor(opened)
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
        from: { model: asLine(opened.model, 60), digits: /\d{6}$/.exec(opened.imei ?? '')?.[0] ?? '', vehicle: asLine(options.vehicleOf(key), 120), osVersion: shown.osVersion },
        settings: [...settings, ...sentBusSettings(busWrites(opened))].slice(0, 504).map((setting) => ({ id: idOfSetting(setting), setting })),
        unread
      }
      for (const id of drafts.keys()) if (drafts.size >= keptDrafts) drafts.delete(id)
      drafts.set(draft.id, draft)
      return draft
    },
    save({ draft: id, name, settings }: Input<'save'>): ListedProfile {
      const draft = drafts.get(id)
      if (!draft) throw new AppError('NOT_FOUND', message('deviceProfiles.readAgain'))
      const chosen = draft.settings.filter(({ id: setting }) => settings.includes(setting)).map(({ setting }) => setting)
      if (chosen.length === 0) throw new AppError('INVALID_REQUEST', message('deviceProfiles.nothingChosen'))
      const profile: DeviceProfile = { id: randomUUID(), name, savedAt: draft.readAt, savedBy: asLine(options.technician(), 120) ?? '', from: draft.from, settings: chosen }
      store.add(profile)
      return listed(profile)
    },
    rename(id: string, name: string): ListedProfile {
      store.rename(id, name)
      return listed(find(id))
    },
    remove: (id: string) => store.remove(id),
    export(id: string): Output<'export'> {
      const profile = find(id)
      return { fileName: profileFileName(profile.name), text: writeProfileFile(profile) }
    },
    import(text: string): Output<'import'> {
      const read = readProfileFile(text)
      if (read.outcome === 'refused') return read
      const { name, savedAt, savedBy, from, settings } = read.file
      const profile: DeviceProfile = { id: randomUUID(), name: freeName(name), savedAt, savedBy, from: { ...from, vehicle: null }, settings }
      store.add(profile)
      return { outcome: 'imported', profile: listed(profile) }
    },
    preview: (key: string, id: string, signal: AbortSignal) => preview(options.open(key), find(id), signal),
    async apply({ key, id, settings, apnLogin, confirmCut }: Input<'apply'>, signal: AbortSignal): Promise<Output<'apply'>> {
      const opened = options.open(key)
      const profile = find(id)
      assertMayApply(opened)
      const { rows } = await preview(opened, profile, signal)
      const chosen = rows.filter((row) => settings.includes(row.id) && row.state !== 'same' && row.state !== 'leftOut')
      if (chosen.length === 0) return { kind: 'nothingToSend' }
      const cuts = chosen.flatMap(({ id: setting, cut }) => (cut ? [{ id: setting, ...cut }] : []))
      if (cuts.length > 0 && !confirmCut) return { kind: 'cutsLink', cuts }
      if (apnLogin === null && chosen.some(({ setting }) => setting.kind === 'apn')) throw new AppError('INVALID_REQUEST', message('deviceProfiles.loginMissing'))
      // Another window may have started while this one read.
      assertMayApply(opened)
      return { kind: 'started', run: runs.start(opened, { id: profile.id, name: profile.name }, chosen, apnLogin ?? { user: '', pass: '', pin: '' }) }
    },
    runs: runs.list,
    stop: runs.stop,
    ended: runs.ended,
    close: runs.close
  }

  function assertMayApply(opened: OpenedDevice): void {
    const refusal = refusalFor(opened)
    if (refusal) throw new AppError('CONFLICT', refusal, { retryable: true })
  }
}
