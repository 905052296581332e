import type { DataFile } from '../file/database.ts'

export interface Acknowledged {
  jobId: string
  seq: number
  hash: string
  ordinal: number
}

export type TeamAcknowledgedStore = ReturnType<typeof createTeamAcknowledgedStore>

/** The acknowledgements of the team log, in order. */
export function createTeamAcknowledgedStore(data: DataFile) {
  const before = data.prepare<[number, number], Acknowledged>(
    'select job_id as jobId, seq, hash, ordinal from team_push where ordinal < ? and seq > 0 and stopped is null order by ordinal desc limit ?'
  )
  const forked = data.prepare<[], { jobId: string; lastHash: string }>(
    "select team_push.job_id as jobId, job.last_hash as lastHash from team_push join job on job.id = team_push.job_id where json_extract(team_push.stopped, '$.id') = 'team.fork' order by team_push.job_id limit 200"
  )
  const goOn = data.prepare('update team_push set stopped = null where job_id = ?')
  const setBack = data.prepare('update team_push set seq = ?, hash = ? where job_id = ?')
  return {
    /** The acknowledgements before this one, newest first; null: from the newest. Stopped jobs are left out. */
    before: (ordinal: number | null, limit: number): Acknowledged[] =>
      before.all(ordinal ?? Number.MAX_SAFE_INTEGER, limit),
    /**
     * The team log has less of these jobs than it acknowledged. All in one write: after a crash they are found again.
     */
    setBack: (jobs: readonly { jobId: string; seq: number; hash: string }[]): void =>
      void data.write(() => {
        for (const { jobId, seq, hash } of jobs) setBack.run(seq, hash, jobId)
      }),
    /** Diverging jobs, with the last entry of the local log. */
    forked: (): { jobId: string; lastHash: string }[] => forked.all(),
    /** These wait for a push again, however they stopped. */
    goOn: (jobIds: readonly string[]): void =>
      void data.write(() => {
        for (const jobId of jobIds) goOn.run(jobId)
      })
  }
}
