import type { DeviceProfile, ListedProfile, ProfilePlan } from '../../../preload/contract/device/deviceProfiles.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { DataFile } from './file/database.ts'
import { readJson } from './file/errors.ts'

export type DeviceProfileStore = ReturnType<typeof createDeviceProfileStore>

const mostProfiles = 200

interface Row {
  id: string
  name: string
  settings: number
  head: string
  content: string
}
type Head = Pick<DeviceProfile, 'savedAt' | 'savedBy' | 'from'>

/** Settings of devices, saved under a name. The list never reads the settings themselves. */
export function createDeviceProfileStore(data: DataFile) {
  const all = data.prepare<[], Omit<Row, 'content'>>(
    'select id, name, settings, head from device_profile order by name_key'
  )
  const one = data.prepare<[string], Row>('select * from device_profile where id = ?')
  const named = data.prepare<[string], { id: string }>('select id from device_profile where name_key = ?')
  const count = data.prepare<[], { n: number }>('select count(*) as n from device_profile')
  const insert = data.prepare(
    'insert into device_profile (id, name, name_key, settings, head, content) values (@id, @name, @nameKey, @settings, @head, @content)'
  )
  const putName = data.prepare('update device_profile set name = @name, name_key = @nameKey where id = @id')
  const drop = data.prepare<[string]>('delete from device_profile where id = ?')
  const plans = data.prepare<[], { content: string }>('select content from profile_plan order by imei')
  const insertPlan = data.prepare(
    'insert or replace into profile_plan (imei, job_id, profile_id, content) values (@imei, @jobId, @profileId, @content)'
  )
  const removePlan = data.prepare<[string]>('delete from profile_plan where imei = ?')

  function assertFree(name: string, own: string): void {
    const present = named.get(keyOf(name))
    if (present && present.id !== own) throw new AppError('CONFLICT', message('deviceProfiles.nameUsed', { name }))
  }

  return {
    /** By name, without the settings. */
    list: (): ListedProfile[] =>
      all.all().map(({ id, name, settings, head }) => ({ id, name, settings, ...readJson<Head>(head) })),
    /** Undefined for an unknown id. */
    find(id: string): DeviceProfile | undefined {
      const row = one.get(id)
      return (
        row && {
          id,
          name: row.name,
          ...readJson<Head>(row.head),
          settings: readJson<DeviceProfile['settings']>(row.content)
        }
      )
    },
    hasName: (name: string): boolean => named.get(keyOf(name)) !== undefined,
    /** Throws CONFLICT when the name is used, or when there is no room for another one. */
    add({ id, name, settings, savedAt, savedBy, from }: DeviceProfile): void {
      data.write(() => {
        assertFree(name, id)
        if ((count.get()?.n ?? 0) >= mostProfiles)
          throw new AppError('CONFLICT', message('deviceProfiles.tooMany', { most: mostProfiles }))
        insert.run({
          id,
          name,
          nameKey: keyOf(name),
          settings: settings.length,
          head: JSON.stringify({ savedAt, savedBy, from }),
          content: JSON.stringify(settings)
        })
      })
    },
    /** Throws NOT_FOUND for an unknown id, and CONFLICT when another profile has the name. */
    rename(id: string, name: string): void {
      data.write(() => {
        assertFree(name, id)
        if (putName.run({ id, name, nameKey: keyOf(name) }).changes === 0)
          throw new AppError('NOT_FOUND', message('deviceProfiles.unknown'))
      })
    },
    remove: (id: string): void => void data.write(() => drop.run(id)),
    /** Profiles that wait for the end of a job, by device. */
    plans: (): ProfilePlan[] => plans.all().map(({ content }) => readJson<ProfilePlan>(content)),
    /** Replaces the plan of the same device. */
    putPlan: (plan: ProfilePlan): void =>
      void data.write(() =>
        insertPlan.run({
          imei: plan.imei,
          jobId: plan.jobId,
          profileId: plan.profile.id,
          content: JSON.stringify(plan)
        })
      ),
    dropPlan: (imei: string): void => void data.write(() => removePlan.run(imei))
  }
}

function keyOf(name: string): string {
  return name.normalize('NFC').toLocaleLowerCase('en')
}
