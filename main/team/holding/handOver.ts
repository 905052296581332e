import type { ClientBase } from 'pg'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { hasEnded } from '../../gateway/waitingWork/transitions.ts'
import type { OwnOffer } from '../../data/store/team/teamHolding.ts'
import { putTeamText } from '../server/content.ts'
import { orRefusal, type TeamRefusal } from '../server/failures.ts'
import { assertMayWrite, type HoldingParts } from './holdingParts.ts'
import { pushJobs } from '../push/push.ts'

interface JobElsewhere {
  jobId: string
  /** Its holder; empty when unknown. */
  by: string
}

/** The server or the connection prevents it now. */
export function isAway(error: AppError): boolean {
  return error.retryable || ['UNREACHABLE', 'TIMEOUT', 'NOT_AUTHENTICATED'].includes(error.code)
}

/** The laptop that hands over: its jobs are locked here before anyone else can see them. */
export function createHandingOver({ team, store, transfers, snapshot, now }: HoldingParts) {
  const { teamHolding } = store

  function offerOf(id: string): OwnOffer {
    const offer = teamHolding.offer(id)
    if (!offer) throw new AppError('NOT_FOUND', message('teamHolding.noSuchOffer', { id }))
    return offer
  }

  async function assertMayLeave(jobIds: readonly string[], to: string, signal: AbortSignal): Promise<void> {
    const status = team.status()
    assertMayWrite(status)
    const stop = status.stopped.find(({ jobId }) => jobIds.includes(jobId))
    if (stop) throw new AppError('CONFLICT', stop.why)
    if (to === '') return
    try {
      const rows = await team.ask((client) => laptopNames(client), signal)
      if (!rows.includes(to)) throw new AppError('NOT_FOUND', message('teamHolding.noSuchLaptop', { name: to }))
    } catch (error) {
      // Without the server it leaves anyway; whether the receiver exists is checked when the server can be reached.
      if (!(error instanceof AppError) || !isAway(error)) throw error
    }
  }

  async function tryNow(id: string, signal: AbortSignal): Promise<OwnOffer> {
    try {
      await goOn(offerOf(id), signal)
    } catch (error) {
      if (!(error instanceof AppError) || !isAway(error)) throw error
      const { state, takenBy } = offerOf(id)
      teamHolding.moveOffer(id, state, { why: error.sentence, takenBy })
    }
    return offerOf(id)
  }

  async function goOn(offer: OwnOffer, signal: AbortSignal): Promise<void> {
    if (offer.state === 'leaving') await leave(offer, signal)
    else if (offer.state === 'withdrawing') await comeBack(offer, signal)
  }

  async function leave({ id, to }: OwnOffer, signal: AbortSignal): Promise<void> {
    const { refusal, elsewhere } = await team.ask(async (client) => {
      const answer = await offerThere(client, { id, to }, signal)
      return { refusal: answer, elsewhere: answer === 'heldByOther' ? await wentOn(client, jobsOf(id)) : [] }
    }, signal)
    if (refusal === null) teamHolding.moveOffer(id, 'open')
    // A restored server has lost the offer, and got the job from the laptop that took it.
    else if (elsewhere[0]) teamHolding.moveOffer(id, 'taken', { takenBy: elsewhere[0].by })
    // It was withdrawn there, and Fitter stopped before it returned here.
    else if (refusal === 'withdrawn') back(id)
    else teamHolding.moveOffer(id, 'leaving', { why: sayRefusal(refusal, to) })
  }

  /** Each part may exist already; the last one makes it visible to others. */
  async function offerThere(
    client: ClientBase,
    { id, to }: { id: string; to: string },
    signal: AbortSignal
  ): Promise<TeamRefusal | null> {
    const { content, text, sha256 } = transfers.content(id)
    await pushJobs(
      client,
      { store, signal },
      content.jobs.map((job) => job.id)
    )
    for (const { job, sha256: named } of content.snapshots) {
      const file = snapshot(job, named)
      if (file !== null) await putTeamText(client, named, file)
    }
    await putTeamText(client, sha256, text)
    const openOf = (jobId: string) =>
      content.operations.filter((operation) => operation.jobId === jobId && !hasEnded(operation.state)).length
    const offered = content.jobs.map(({ id: jobId, seq, hash }) => ({
      id: jobId,
      seq,
      hash,
      operations: openOf(jobId)
    }))
    teamHolding.tryOffer(id, now().toISOString())
    return (
      await orRefusal(client.query('select fitter.offer($1, $2, $3, $4)', [id, to, JSON.stringify(offered), sha256]))
    ).refusal
  }

  function jobsOf(id: string): string[] {
    return transfers.content(id).content.jobs.map((job) => job.id)
  }

  function back(id: string, elsewhere: readonly JobElsewhere[] = []): void {
    transfers.comeBack(
      id,
      () => teamHolding.moveOffer(id, 'withdrawn'),
      elsewhere.map(({ jobId }) => jobId)
    )
  }

  async function comeBack(offer: OwnOffer, signal: AbortSignal): Promise<void> {
    const { id } = offer
    const jobIds = jobsOf(id)
    const answer = await team.ask(async (client) => {
      const first = await withdrawThere(client, id)
      if (first !== 'notThere') return first === 'isBack' ? wentOn(client, jobIds) : first
      // Parts that were sent may still arrive: the offer is either stored before it is withdrawn, or refused for good.
      if ((await offerThere(client, offer, signal)) !== null) return wentOn(client, jobIds)
      const second = await withdrawThere(client, id)
      return second === 'isBack' ? [] : second
    }, signal)
    if (!Array.isArray(answer)) teamHolding.moveOffer(id, 'taken', { takenBy: answer === 'notThere' ? '' : answer.by })
    // If someone took one of several jobs, the others return.
    else if (answer.length < jobIds.length) back(id, answer)
    else teamHolding.moveOffer(id, 'taken', { takenBy: answer[0]?.by ?? '' })
  }

  /**
   * A restored server may not know who took it: if its log continues ours, or someone holds it, the job has not
   * returned.
   */
  async function wentOn(client: ClientBase, jobIds: readonly string[]): Promise<JobElsewhere[]> {
    const { rows } = await client.query<{ id: string; head_hash: string; by: string; is_other: boolean }>(
      "select j.id, j.head_hash, coalesce(l.name, '') as by, coalesce(j.holder <> fitter.my_laptop(), false) as is_other from fitter.job j left join fitter.laptop l on l.id = j.holder where j.id = any ($1)",
      [jobIds]
    )
    return rows
      .filter((row) => row.is_other || !store.jobs.journal(row.id).some(({ hash }) => hash === row.head_hash))
      .map(({ id, by }) => ({ jobId: id, by }))
  }

  async function withdrawThere(client: ClientBase, id: string): Promise<'isBack' | 'notThere' | { by: string }> {
    const { refusal } = await orRefusal(client.query('select fitter.withdraw_offer($1)', [id]))
    if (refusal === null || refusal === 'withdrawn') return 'isBack'
    if (refusal === 'notThere') return 'notThere'
    const { rows } = await client.query<{ by: string }>(
      'select taken_by_name as by from fitter.offers() where id = $1',
      [id]
    )
    return { by: rows[0]?.by ?? '' }
  }

  return {
    /**
     * Lets jobs leave, and offers them when the server can be reached; repeating it for the same jobs returns the same
     * offer.
     */
    async give({ jobIds, to }: { jobIds: readonly string[]; to: string }, signal: AbortSignal): Promise<OwnOffer> {
      const before = transfers.leftIn(jobIds)
      if (before !== undefined) {
        if (!teamHolding.offer(before))
          throw new AppError('CONFLICT', message('teamHolding.leftAsFile', { id: before }))
        return tryNow(before, signal)
      }
      await assertMayLeave(jobIds, to, signal)
      const id = await transfers.leave({ jobIds, to }, ({ head }) =>
        teamHolding.beginOffer({ id: head.id, at: head.at, to })
      )
      return tryNow(id, signal)
    },
    async withdraw(id: string, signal: AbortSignal): Promise<OwnOffer> {
      const { state, isTried } = offerOf(id)
      if (state === 'leaving' && !isTried) back(id)
      else if (state === 'leaving' || state === 'open') teamHolding.moveOffer(id, 'withdrawing')
      const offer = await tryNow(id, signal)
      if (offer.state === 'taken')
        throw new AppError(
          'CONFLICT',
          message('teamHolding.offerTaken', { named: offer.takenBy === '' ? 'no' : 'yes', by: offer.takenBy })
        )
      return offer
    },
    goOn
  }
}

async function laptopNames(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select name from fitter.laptop where left_at is null and may_write and id <> fitter.my_laptop()'
  )
  return rows.map(({ name }) => name)
}

function sayRefusal(refusal: TeamRefusal, to: string): Message {
  switch (refusal) {
    case 'noSuchLaptop':
      return message('teamHolding.noSuchLaptop', { name: to })
    case 'heldByOther':
      return message('team.heldByOther')
    default:
      return message('teamHolding.logsNotThere')
  }
}
