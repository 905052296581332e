import type { ClientBase } from 'pg'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { SettledFork } from '../../../preload/contract/team/teamForks.ts'
import { handedOverBy } from '../../job/jobs/record/jobLogs.ts'
import { summariseJob } from '../../job/jobs/record/journal.ts'
import { hasEnded } from '../../gateway/waitingWork/transitions.ts'
import { verifyChain, type JournalEntry } from '../../data/store/jobs/seal.ts'
import type { Aside } from '../../data/store/team/teamForks.ts'
import { isAway } from './handOver.ts'
import { readWork } from './holderWork.ts'
import { assertMayWrite, type HoldingParts } from './holdingParts.ts'
import { keepBranch, tellSettled } from './forkCopies.ts'
import { readableJob, readTeamEntries } from '../reading/openJob.ts'

interface Other {
  entries: JournalEntry[]
  /** The first entry in which the two differ. */
  from: number
  holder: string
  at: string
  told: ReadonlySet<string>
}

/** Settles a fork for a person who compared both logs. */
export function createSettling({ team, store, jobs, operations }: HoldingParts) {
  const { teamForks, teamHolding, teamPush, handovers } = store

  function wholeLog(jobId: string): JournalEntry[] {
    const here = store.jobs.journal(jobId)
    if (here.length === 0) throw new AppError('NOT_FOUND', message('jobs.notInLog', { id: jobId }))
    if (!verifyChain(jobId, here).ok) throw new AppError('DATA_UNUSABLE', message('team.logDamaged'))
    return here
  }

  /** The team's log, checked against its hashes; undefined when one of the two is the beginning of the other. */
  async function lookAt(client: ClientBase, jobId: string, here: readonly JournalEntry[]): Promise<Other | undefined> {
    const { rows } = await client.query<{ month: string; holder: string; at: Date; work: unknown }>(
      "select j.month::text as month, coalesce(l.name, '') as holder, now() as at, j.work from fitter.job j left join fitter.laptop l on l.id = j.holder where j.id = $1 and j.head_seq > 0",
      [jobId]
    )
    const [row] = rows
    if (!row) throw new AppError('NOT_FOUND', message('jobs.notInLog', { id: jobId }))
    const entries = await readTeamEntries(client, { id: jobId, month: row.month })
    if (!verifyChain(jobId, entries).ok) throw new AppError('DATA_UNUSABLE', message('transfer.forged', { job: jobId }))
    readableJob(jobId, entries)
    const from = here.find((entry, n) => entries[n] !== undefined && entries[n].hash !== entry.hash)?.seq
    return from === undefined
      ? undefined
      : {
          entries,
          from,
          holder: row.holder,
          at: row.at.toISOString(),
          told: new Set(readWork(row.work, jobId).map(({ id }) => id))
        }
  }

  /** Unfinished hand-overs of only this job: the team log has a different end of it. */
  function deadOffers(jobId: string): string[] {
    return teamHolding
      .underWay()
      .flatMap(({ id }) => (handovers.jobsOf(id).every((job) => job.jobId === jobId) ? [id] : []))
  }

  async function goOnWith(
    jobId: string,
    { entries, from, holder, at, told }: Other,
    { lastHash, reason }: { lastHash: string; reason: string }
  ): Promise<void> {
    const ids = (): string[] => operations.ofJob(jobId).map(({ id }) => id)
    const release = await operations.stopAtOnce(ids())
    const lost = { jobId, by: holder, at, reason, isSettled: true }
    const { jobId: _, ...by } = lost
    try {
      await jobs.lose([lost], (mark) =>
        store.together(() => {
          mark()
          const offers = deadOffers(jobId)
          operations.setAside(
            ids().map((id) => ({ id, isTold: told.has(id), isLeft: offers.length > 0 })),
            {
              moved: message('teamForks.workGoesOn', { named: holder === '' ? 'no' : 'yes', by: holder }),
              unsent: message('teamForks.workUnsent'),
              mayHaveLeft: message('teamForks.workMayHaveLeft')
            }
          )
          for (const id of offers) teamHolding.moveOffer(id, 'withdrawn')
          teamForks.setAside({ jobId, seq: from, lastHash, at, reason, holder })
          store.jobs.goOnWith(
            jobId,
            { entries, from, lastHash },
            summariseJob({ ...readableJob(jobId, entries), handedOver: handedOverBy(by) })
          )
          const end = entries.at(-1)
          if (end) teamPush.acknowledge(jobId, end)
        })
      )
      operations.moved(ids())
    } finally {
      release()
    }
  }

  /** Reports to the team log who settled it; if that fails now, the next push reports it. */
  async function tell(signal: AbortSignal): Promise<void> {
    try {
      await team.ask((client) => tellSettled(client, store), signal)
    } catch (error) {
      if (!(error instanceof AppError) || !isAway(error)) throw error
    }
  }

  async function settled(jobId: string, aside: Aside, signal: AbortSignal): Promise<SettledFork> {
    await tell(signal)
    const open = operations.ofJob(jobId).filter(({ state }) => !hasEnded(state))
    return {
      jobId,
      seq: aside.seq,
      entries: teamForks.entries(jobId, aside.number).filter(({ seq }) => seq >= aside.seq).length,
      at: aside.at,
      reason: aside.reason,
      holder: aside.holder,
      operations: open.map(({ id, kind, title, state }) => ({ id, kind, title, state }))
    }
  }

  return {
    /**
     * Adopts the team's log of a job: the local one is set aside completely, when the team log has stored all of it;
     * the job is then read-only, and can be taken over like any other. Repeating it changes nothing. @throws AppError
     * INVALID_REQUEST for a log that does not differ from the team's.
     */
    async settle({ jobId, reason }: { jobId: string; reason: string }, signal: AbortSignal): Promise<SettledFork> {
      assertMayWrite(team.status())
      if (reason.trim().length < 3) throw new AppError('INVALID_REQUEST', message('teamForks.reasonNeeded'))
      const here = wholeLog(jobId)
      const lastHash = here.at(-1)?.hash ?? ''
      const other = await team.ask(async (client) => {
        const found = await lookAt(client, jobId, here)
        if (found)
          await keepBranch(
            client,
            jobId,
            here.filter(({ seq }) => seq >= found.from),
            signal
          )
        return found
      }, signal)
      const known = teamForks.asides(jobId).at(-1)
      if (!other && known && store.jobs.lostOf(jobId)?.isSettled) return settled(jobId, known, signal)
      if (!other) throw new AppError('INVALID_REQUEST', message('teamForks.noFork'))
      await goOnWith(jobId, other, { lastHash, reason: reason.trim() })
      const aside = teamForks.asides(jobId).at(-1)
      if (!aside) throw new Error(`The log of ${jobId} was not set aside`)
      return settled(jobId, aside, signal)
    }
  }
}
