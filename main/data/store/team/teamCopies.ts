import type { TeamJob } from '../../../../preload/contract/team/team.ts'
import type { DataFile } from '../file/database.ts'
import { readJson } from '../file/errors.ts'

export interface CopiedJob {
  listed: TeamJob
  /** As it was opened, in the form of its owner module. */
  opened: unknown
  keptAt: string
}

export interface Pin {
  kind: string
  value: string
}

export interface CopyBounds {
  jobs: number
  bytes: number
}

export type TeamCopyStore = ReturnType<typeof createTeamCopyStore>

/** Local copies of team jobs, for offline work. */
export function createTeamCopyStore(data: DataFile) {
  const one = data.prepare<[string], { listed: string; opened: string; keptAt: string }>(
    'select listed, opened, kept_at as keptAt from team_kept_job where job_id = ?'
  )
  const entries = data.prepare<[string], { entries: number }>('select entries from team_kept_job where job_id = ?')
  const all = data.prepare<[], { listed: string; keptAt: string }>(
    'select listed, kept_at as keptAt from team_kept_job order by used_at desc limit 2000'
  )
  const put =
    data.prepare(`insert into team_kept_job (job_id, size_bytes, kept_at, used_at, entries, listed, opened) values (?, ?, ?, ?, ?, ?, ?)
    on conflict (job_id) do update set size_bytes = excluded.size_bytes, kept_at = excluded.kept_at, used_at = case when ? then excluded.used_at else used_at end, entries = excluded.entries, listed = excluded.listed, opened = excluded.opened`)
  const still = data.prepare('update team_kept_job set kept_at = ?, listed = ? where job_id = ?')
  const use = data.prepare('update team_kept_job set used_at = ? where job_id = ?')
  const picture = data.prepare<[string], { mediaType: string; bytes: Buffer }>(
    'select media_type as mediaType, bytes from team_kept_picture where sha256 = ?'
  )
  const usePicture = data.prepare('update team_kept_picture set used_at = ? where sha256 = ?')
  const putPicture = data.prepare(
    'insert into team_kept_picture (sha256, size_bytes, used_at, media_type, bytes) values (?, ?, ?, ?, ?) on conflict (sha256) do update set used_at = excluded.used_at'
  )
  const pins = data.prepare<[], Pin & { jobs: number; keptAt: string | null }>(
    'select kind, value, kept_at as keptAt, (select count(*) from team_pin_job join team_kept_job using (job_id) where team_pin_job.kind = team_pin.kind and team_pin_job.value = team_pin.value) as jobs from team_pin order by pinned_at, kind, value'
  )
  const putPin = data.prepare('insert into team_pin (kind, value, pinned_at) values (?, ?, ?) on conflict do nothing')
  const dropPinJobs = data.prepare('delete from team_pin_job where kind = ? and value = ?')
  const dropPin = data.prepare('delete from team_pin where kind = ? and value = ?')
  const putPinJob = data.prepare(
    'insert into team_pin_job (kind, value, job_id) select kind, value, ? from team_pin where kind = ? and value = ? on conflict do nothing'
  )
  const keptPin = data.prepare('update team_pin set kept_at = ? where kind = ? and value = ?')
  const size = data.prepare<[], { jobs: number; sizeBytes: number }>(
    'select (select count(*) from team_kept_job) as jobs, (select coalesce(sum(size_bytes), 0) from team_kept_job) + (select coalesce(sum(size_bytes), 0) from team_kept_picture) as sizeBytes'
  )
  const oldest = data.prepare<[], { name: string; is_picture: number; is_pinned: number }>(`
    select job_id as name, 0 as is_picture, exists (select 1 from team_pin_job where team_pin_job.job_id = team_kept_job.job_id) as is_pinned, used_at from team_kept_job
    union all select sha256, 1, 0, used_at from team_kept_picture order by is_pinned, used_at, name limit 1`)
  const oldestJob = data.prepare<[], { name: string }>(
    'select job_id as name from team_kept_job order by exists (select 1 from team_pin_job where team_pin_job.job_id = team_kept_job.job_id), used_at, job_id limit 1'
  )
  const dropJob = data.prepare('delete from team_kept_job where job_id = ?')
  const dropPicture = data.prepare('delete from team_kept_picture where sha256 = ?')
  const forget = ['team_pin_job', 'team_pin', 'team_kept_job', 'team_kept_picture'].map((table) =>
    data.prepare(`delete from ${table}`)
  )

  return {
    job(jobId: string): CopiedJob | undefined {
      const row = one.get(jobId)
      return row && { listed: readJson<TeamJob>(row.listed), opened: readJson<unknown>(row.opened), keptAt: row.keptAt }
    },
    entriesOf: (jobId: string): number | undefined => entries.get(jobId)?.entries,
    /** As shown in lists: never more than are stored. */
    listed: (): { listed: TeamJob; keptAt: string }[] =>
      all.all().map(({ listed, keptAt }) => ({ listed: readJson<TeamJob>(listed), keptAt })),
    keepJob({ listed, opened, keptAt, isReadOnly }: CopiedJob & { isReadOnly: boolean }): void {
      const texts = [JSON.stringify(listed), JSON.stringify(opened)] as const
      const sizeBytes = texts[0].length + texts[1].length
      data.write(() => put.run(listed.id, sizeBytes, keptAt, keptAt, listed.entries, ...texts, Number(isReadOnly)))
    },
    /** The copy still equals the team log. */
    stillSo: (listed: TeamJob, at: string): void =>
      void data.write(() => still.run(at, JSON.stringify(listed), listed.id)),
    lookedAt: (jobId: string, at: string): void => void data.write(() => use.run(at, jobId)),
    picture: (sha256: string): { mediaType: string; bytes: Buffer } | undefined => picture.get(sha256),
    pictureLookedAt: (sha256: string, at: string): void => void data.write(() => usePicture.run(at, sha256)),
    keepPicture: ({
      sha256,
      mediaType,
      bytes,
      at
    }: {
      sha256: string
      mediaType: string
      bytes: Uint8Array
      at: string
    }): void => void data.write(() => putPicture.run(sha256, bytes.length, at, mediaType, bytes)),
    pins: (): (Pin & { jobs: number; keptAt: string | null })[] => pins.all(),
    pin: ({ kind, value }: Pin, at: string): void => void data.write(() => putPin.run(kind, value, at)),
    unpin({ kind, value }: Pin): void {
      data.write(() => {
        dropPinJobs.run(kind, value)
        dropPin.run(kind, value)
      })
    },
    setPinned({ kind, value }: Pin, jobIds: readonly string[], at: string): void {
      data.write(() => {
        dropPinJobs.run(kind, value)
        for (const id of jobIds) putPinJob.run(id, kind, value)
        keptPin.run(at, kind, value)
      })
    },
    dropJob: (jobId: string): void => void data.write(() => dropJob.run(jobId)),
    size: (): { jobs: number; sizeBytes: number } => size.get() ?? { jobs: 0, sizeBytes: 0 },
    /** Jobs viewed longest ago are removed first, pinned ones last. */
    makeRoom(bounds: CopyBounds): void {
      data.write(() => {
        for (let standing = size.get(); standing && standing.jobs > bounds.jobs; standing = size.get())
          dropJob.run(oldestJob.get()?.name)
        for (let standing = size.get(); standing && standing.sizeBytes > bounds.bytes; standing = size.get()) {
          const next = oldest.get()
          if (!next) break
          if (next.is_picture === 1) dropPicture.run(next.name)
          else dropJob.run(next.name)
        }
      })
    },
    forget(): void {
      data.write(() => {
        for (const drop of forget) drop.run()
      })
    }
  }
}
