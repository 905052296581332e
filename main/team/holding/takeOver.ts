import type { ClientBase } from 'pg'
import { z } from 'zod'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { TakeOverResult } from '../../../preload/contract/job/transfers.ts'
import { limits } from '../../job/jobs/handover/fileForm.ts'
import type { FoundJob } from '../../job/jobs/handover/arriving.ts'
import { verifyChain, type JournalEntry } from '../../data/store/jobs/seal.ts'
import type { BegunTaking } from '../../data/store/team/teamHolding.ts'
import { orRefusal, type TeamRefusal } from '../server/failures.ts'
import { fetchPictures, type TellPictures } from '../reading/fetchPictures.ts'
import { readWork } from './holderWork.ts'
import { isAway } from './handOver.ts'
import type { HoldingParts } from './holdingParts.ts'
import { readableJob, readTeamEntries } from '../reading/openJob.ts'
import { takeOverThere } from './takeOverAgain.ts'
import { vehicleNameOf } from '../../../preload/job/vehicleName.ts'

/** Further pictures stay in the team log, where they can be viewed. */
const mostPictureBytes = 2_000_000_000

export function createTakingOver({ team, store, transfers, jobs, now }: HoldingParts) {
  const { teamHolding, teamPush, attachments } = store

  /** The server's log, checked against its hashes and the local log. */
  async function read(client: ClientBase, jobId: string, upTo?: number): Promise<JournalEntry[]> {
    const { rows } = await client.query<{ month: string }>(
      'select month::text as month from fitter.job where id = $1 and head_seq > 0',
      [jobId]
    )
    if (!rows[0]) throw new AppError('NOT_FOUND', message('jobs.notInLog', { id: jobId }))
    const entries = await readTeamEntries(client, {
      id: jobId,
      month: rows[0].month,
      ...(upTo === undefined ? {} : { upTo })
    })
    if (!verifyChain(jobId, entries).ok) throw forged(jobId)
    const here = store.jobs.journal(jobId)
    const [last, lastHere] = [entries.at(-1), here.at(-1)]
    if (!lastHere || entries.some(({ hash }) => hash === lastHere.hash)) return entries
    // Work that was handed over here and never pushed continues from there.
    if (here.some(({ hash }) => hash === last?.hash)) return here
    throw new AppError('CONFLICT', message('teamForks.settleFirst'))
  }

  function assertElsewhere(jobId: string): void {
    if (store.jobs.journal(jobId).length === 0) return
    if (store.teamForks.stoppedBy(jobId)?.id === 'team.fork')
      throw new AppError('CONFLICT', message('teamForks.settleFirst'))
    const { handedOver } = jobs.loaded(jobId)
    if (!handedOver) throw new AppError('INVALID_REQUEST', message('transfer.isHere'))
    const state = teamHolding.offer(handedOver.id)?.state
    if (state !== undefined && state !== 'taken' && state !== 'withdrawn')
      throw new AppError('CONFLICT', message('teamHolding.isInTeamLog', { id: handedOver.id }))
  }

  /** Completes a started one: its answer may have been lost. */
  async function goOn(
    { jobId, reason }: Pick<BegunTaking, 'jobId' | 'reason'>,
    signal: AbortSignal
  ): Promise<TakeOverResult> {
    try {
      return await bringOver(jobId, reason, signal)
    } catch (error) {
      // It is retried separately, so that no other work of this laptop waits.
      if (error instanceof AppError && !isAway(error) && error.code !== 'CANCELLED')
        teamHolding.explainTaking(jobId, error.sentence)
      throw error
    }
  }

  async function takeThere(
    client: ClientBase,
    jobId: string,
    reason: string
  ): Promise<{ entries: JournalEntry[]; from: string; work: unknown }> {
    const answer = await orRefusal(
      client.query<{ head_seq: string; head_hash: string; from_name: string; work: unknown }>(
        'select * from fitter.take_over($1, $2)',
        [jobId, reason]
      )
    )
    if (answer.refusal !== null) {
      teamHolding.endTaking(jobId)
      throw refused(jobId, answer)
    }
    const [row] = answer.value.rows
    if (!row) throw forged(jobId)
    const entries = await read(client, jobId, Number(row.head_seq))
    if (!entries.some(({ hash }) => hash === row.head_hash)) throw forged(jobId)
    return { entries, from: row.from_name, work: row.work }
  }

  async function bringOver(jobId: string, reason: string, signal: AbortSignal): Promise<TakeOverResult> {
    const { entries, from, work } = await team.ask((client) => takeThere(client, jobId, reason), signal)
    const pictures = await bringPictures(jobId, entries, signal)
    return transfers.takeOver({ jobId, entries, operations: readWork(work, jobId), pictures, from, reason }, () =>
      teamHolding.endTaking(jobId)
    )
  }

  /** Downloads the pictures that the server has completely; a damaged one does not block the take-over. */
  async function bringPictures(
    jobId: string,
    entries: readonly JournalEntry[],
    signal: AbortSignal,
    tell?: TellPictures
  ): Promise<FoundJob['pictures']> {
    const named = [
      ...new Set(readableJob(jobId, entries).attachments.flatMap(({ sha256, reportSha256 }) => [sha256, reportSha256]))
    ].slice(0, limits.attachments)
    const { rows } = await team.ask(
      (client) =>
        client.query<{ sha256: string; media_type: string; size_bytes: string }>(
          "select sha256, media_type, size_bytes from fitter.content where sha256 = any ($1) and media_type in ('image/jpeg', 'image/png')",
          [named]
        ),
      signal
    )
    let bytes = 0
    const wanted = rows
      .map((row) => ({ sha256: row.sha256, mediaType: row.media_type, sizeBytes: Number(row.size_bytes) }))
      .filter(({ sizeBytes }) => (bytes += sizeBytes) <= mostPictureBytes)
    const here = await fetchPictures({ team, attachments }, wanted, signal, tell)
    return wanted.flatMap(({ sha256, mediaType }) => {
      const file = here.get(sha256)
      return file ? [{ mediaType, file }] : []
    })
  }

  /**
   * The job is worked on here, but a restored server says that someone else holds it, who may be gone for good. The
   * local log continues the server's: with a person's reason this laptop becomes the holder there as well, and nothing
   * changes here.
   */
  async function holdThere(jobId: string, reason: string, signal: AbortSignal): Promise<TakeOverResult> {
    const here = store.jobs.journal(jobId)
    const answer = await team.ask(
      (client) => takeOverThere(client, { jobId, reason }, (head) => here.some(({ hash }) => hash === head)),
      signal
    )
    if (answer.refusal !== null) throw refused(jobId, answer)
    const job = jobs.loaded(jobId)
    const { device, customer, state } = job
    return {
      id: jobId,
      outcome: 'taken',
      from: answer.from,
      to: '',
      at: now().toISOString(),
      jobs: [
        {
          id: jobId,
          isTaken: true,
          template: job.template.name,
          device,
          vehicle: vehicleNameOf(job),
          customer,
          state
        }
      ],
      operations: [],
      attachments: 0
    }
  }

  function isHeldElsewhere(jobId: string): boolean {
    return teamPush.held().some((one) => one.jobId === jobId) && !jobs.loaded(jobId).handedOver
  }

  return {
    /**
     * Makes this laptop the holder at the server; the rest continues automatically. A result if nothing must be
     * downloaded.
     */
    async begin(
      { jobId, reason }: { jobId: string; reason: string },
      signal: AbortSignal
    ): Promise<TakeOverResult | undefined> {
      if (isHeldElsewhere(jobId)) return holdThere(jobId, reason.trim(), signal)
      assertElsewhere(jobId)
      // Problems of the import are found before the server is asked to assign it.
      readableJob(jobId, await team.ask((client) => read(client, jobId), signal))
      const taking = { jobId, reason: reason.trim(), at: now().toISOString() }
      teamHolding.beginTaking(taking)
      await team.ask((client) => takeThere(client, jobId, taking.reason), signal)
      return undefined
    },
    /** Downloads its pictures before the import, so that no other work has to wait. */
    async fetch(jobId: string, signal: AbortSignal, tell?: TellPictures): Promise<void> {
      await bringPictures(jobId, await team.ask((client) => read(client, jobId), signal), signal, tell)
    },
    goOn
  }
}

/** `detail` of a job that is being worked on: by whom, and for how long. */
const workedOn = z.object({ by: z.string(), agoS: z.number(), waitS: z.number() })

function refused(jobId: string, { refusal, detail }: { refusal: TeamRefusal | 'forked'; detail: string }): AppError {
  if (refusal === 'atWork') {
    const minutes = (seconds: number) => Math.max(1, Math.ceil(seconds / 60))
    const { by, agoS, waitS } = workedOn.parse(JSON.parse(detail))
    return new AppError(
      'CONFLICT',
      message('teamHolding.atWork', { by, agoMin: minutes(agoS), waitMin: minutes(waitS) })
    )
  }

  if (refusal === 'notThere') return new AppError('NOT_FOUND', message('jobs.notInLog', { id: jobId }))
  return new AppError(
    'CONFLICT',
    message(refusal === 'forked' ? 'teamForks.settleFirst' : 'teamHolding.offeredElsewhere')
  )
}

function forged(jobId: string): AppError {
  return new AppError('DATA_UNUSABLE', message('transfer.forged', { job: jobId }))
}
