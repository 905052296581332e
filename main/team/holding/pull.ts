import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { ClientBase } from 'pg'
import { AppError } from '../../../preload/contract/errors.ts'
import { storedMessage } from '../../../preload/contract/base/messageSchema.ts'
import { message, plainMessage, type Message } from '../../../preload/contract/messages.ts'
import type { LostJob, TeamOffer } from '../../../preload/contract/team/teamHolding.ts'
import type { TakeOverResult } from '../../../preload/contract/job/transfers.ts'
import { movedAwayType, movedHereType } from '../../data/store/jobs/signature.ts'
import { isAway } from './handOver.ts'
import type { HoldingParts } from './holdingParts.ts'
import { fetchPictures, type TellPictures } from '../reading/fetchPictures.ts'
import { readOffer, writeOfferFile, type ReadOffer } from './offerFile.ts'
import { orRefusal } from '../server/failures.ts'

interface OfferRow {
  id: string
  from_name: string
  to_name: string
  at: Date
  jobs: { id: string; seq: number; hash: string; operations?: unknown }[]
  work_sha256: string
  state: string
  taken_by_name: string
  is_from_me: boolean
  is_taken_by_me: boolean
}

interface JobRow {
  id: string
  head_seq: string
  head_hash: string
  is_mine: boolean
  holder: string
  vehicle: string
  customer: string
  imei: string
  template: string
  shown: { template?: { name?: unknown } } | null
}

interface LostRow {
  job_id: string
  holder_name: string
  at: Date
  reason: string
  head_seq: string
}

/** The server's offers, and the jobs no longer held here, at one moment. */
export interface ServerHoldings {
  own: string
  offers: OfferRow[]
  jobs: Map<string, JobRow>
  lost: LostRow[]
}

/** An offer that was taken long ago is no longer listed. */
const listedForMs = 80 * 24 * 3_600_000

/** The receiving laptop: its offers, and what was taken over from it. */
export function createArriving({ team, store, transfers, jobs, operations, folder, now }: HoldingParts) {
  const { teamHolding, teamPush, handovers, attachments } = store

  async function see(signal: AbortSignal): Promise<ServerHoldings> {
    const held = teamPush.held().map(({ jobId }) => jobId)
    return team.ask(async (client, own) => {
      const offers = (await client.query<OfferRow>('select * from fitter.offers()')).rows
      const lost = (await client.query<LostRow>('select * from fitter.lost()')).rows
      const ids = [...new Set([...held, ...offers.flatMap((offer) => offer.jobs.map(({ id }) => id))])]
      const { rows } = await client.query<JobRow>(
        `select j.id, j.head_seq, j.head_hash, coalesce(j.holder = fitter.my_laptop(), false) as is_mine, coalesce(l.name, '') as holder, j.vehicle, j.customer, j.imei, j.template, j.shown
         from fitter.job j left join fitter.laptop l on l.id = j.holder where j.id = any ($1)`,
        [ids]
      )
      return { own: own.name, offers, lost, jobs: new Map(rows.map((row) => [row.id, row])) }
    }, signal)
  }

  /** Whether the local log continues after that take-over: the job has returned since. */
  function cameBack(jobId: string, seq: number): boolean {
    const next = store.jobs.journal(jobId).find((entry) => entry.seq === seq + 1)
    return next?.type === movedHereType && (next.data as { isTakenOver?: unknown } | null)?.isTakenOver === true
  }

  /** Someone else holds it at the server, and the local log is more than its beginning: nobody is waiting for it. */
  function heldElsewhere({ jobs: there }: ServerHoldings): LostJob[] {
    return teamPush.held().flatMap(({ jobId }) => {
      const row = there.get(jobId)
      if (!row || row.is_mine || row.holder === '' || store.jobs.lostOf(jobId)) return []
      const entries = store.jobs.journal(jobId)
      const at = entries.findIndex(({ hash }) => hash === row.head_hash)
      // A job that left after that waits for the laptop that handed it over.
      if (at < 0 || entries.slice(at + 1).some(({ type }) => type === movedAwayType)) return []
      return [{ jobId, by: row.holder, at: now().toISOString(), reason: '' }]
    })
  }

  /** Makes jobs that someone else took over read-only; none of their gateway work is sent from here any more. */
  async function lose(seen: ServerHoldings): Promise<LostJob[]> {
    const told = seen.lost.flatMap(({ job_id: jobId, holder_name: by, at, reason, head_seq }): LostJob[] => {
      const known = store.jobs.lostOf(jobId)
      if (
        known?.at === at.toISOString() ||
        (known?.isSettled && known.at >= at.toISOString()) ||
        store.jobs.journal(jobId).length === 0 ||
        cameBack(jobId, Number(head_seq))
      )
        return []
      return [{ jobId, by, at: at.toISOString(), reason }]
    })
    const lost = [...told, ...heldElsewhere(seen).filter(({ jobId }) => !told.some((one) => one.jobId === jobId))]
    for (const one of lost) await loseOne(one)
    return lost
  }

  async function loseOne(lost: LostJob): Promise<void> {
    const { jobId, by, reason } = lost
    const ids = (): string[] => operations.ofJob(jobId).map(({ id }) => id)
    const release = await operations.stopAtOnce(ids())
    const giveUp = (): void => {
      const told = new Set(teamPush.toldOperations(jobId))
      operations.giveUp(
        ids().map((id) => ({ id, isTold: told.has(id) })),
        {
          moved: message('teamHolding.workTakenOver', { by, told: reason === '' ? 'no' : 'yes', reason }),
          left: message('teamHolding.notTakenAlong', { by })
        }
      )
    }
    try {
      // Gateway work first, because it could be sent at any moment; device work takes longer.
      giveUp()
      await jobs.lose([lost], (mark) =>
        store.together(() => {
          giveUp()
          mark()
          for (const offer of teamHolding.underWay()) {
            if (handovers.jobsOf(offer.id).every((job) => job.jobId === jobId))
              teamHolding.moveOffer(offer.id, 'taken', { takenBy: by })
          }
        })
      )
      operations.moved(ids())
    } finally {
      release()
    }
  }

  async function fetchOffer(offer: OfferRow, signal: AbortSignal, tell?: TellPictures): Promise<ReadOffer> {
    const found = await team.ask(
      (client) => readOffer(client, { id: offer.id, workSha256: offer.work_sha256, jobs: offer.jobs }),
      signal
    )
    const pictures = found.content.attachments
    const here = await fetchPictures({ team, attachments }, pictures, signal, tell)
    if (here.size < new Set(pictures.map(({ sha256 }) => sha256)).size)
      throw new AppError('DATA_UNUSABLE', message('transfer.broken'))
    return found
  }

  async function fetchAndTake(offer: OfferRow, signal: AbortSignal): Promise<TakeOverResult> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const file = path.join(folder, `${offer.id}-${randomBytes(6).toString('hex')}`)
    try {
      const found = await fetchOffer(offer, signal)
      await writeOfferFile(found, (sha256) => attachments.pieces(sha256), file, signal)
      // What cannot be imported here is not requested.
      await transfers.look(file)
      await takeThere(offer.id, signal)
      const taken = await transfers.take(file)
      // A person need not enter a name before a hand-over; the laptop has one.
      return taken.from === '' ? { ...taken, from: offer.from_name } : taken
    } finally {
      await rm(file, { force: true })
    }
  }

  async function takeThere(id: string, signal: AbortSignal): Promise<void> {
    const { refusal } = await team.ask(
      (client: ClientBase) => orRefusal(client.query('select from fitter.take_offer($1)', [id])),
      signal
    )
    if (refusal === null) return
    if (refusal === 'notThere') throw new AppError('NOT_FOUND', message('teamHolding.noSuchOffer', { id }))
    throw new AppError(
      'CONFLICT',
      message(refusal === 'withdrawn' ? 'teamHolding.offerWithdrawn' : 'teamHolding.offerGone')
    )
  }

  /** This laptop took it, and its jobs are unchanged since: Fitter stopped before the import. */
  function isOnItsWay(offer: OfferRow, seen: ServerHoldings): boolean {
    return (
      offer.is_taken_by_me &&
      !handovers.isHere(offer.id) &&
      offer.jobs.every(({ id, hash }) => {
        const row = seen.jobs.get(id)
        return row?.is_mine === true && row.head_hash === hash
      })
    )
  }

  function comes(offer: OfferRow, seen: ServerHoldings): boolean {
    return (offer.state === 'open' && offer.to_name === seen.own && !offer.is_from_me) || isOnItsWay(offer, seen)
  }

  function takeable(id: string, seen: ServerHoldings): OfferRow {
    const offer = seen.offers.find((one) => one.id === id)
    if (!offer) throw new AppError('NOT_FOUND', message('teamHolding.noSuchOffer', { id }))
    if (offer.is_from_me) throw new AppError('INVALID_REQUEST', message('teamHolding.offerIsYours'))
    if (offer.state === 'withdrawn') throw new AppError('CONFLICT', message('teamHolding.offerWithdrawn'))
    return offer
  }

  return {
    see,
    lose,
    /** Downloads the pictures of an offer before it is imported, so that no other work has to wait. */
    async fetch(id: string, seen: ServerHoldings, signal: AbortSignal, tell?: TellPictures): Promise<void> {
      await fetchOffer(takeable(id, seen), signal, tell)
    },
    /** Offers that arrive automatically. */
    coming: (seen: ServerHoldings): string[] =>
      seen.offers.filter((offer) => comes(offer, seen) && !handovers.isHere(offer.id)).map(({ id }) => id),
    /** Imports offers addressed to this laptop, or taken by it before; `why` receives the reasons of failures. */
    async arrive(
      seen: ServerHoldings,
      signal: AbortSignal
    ): Promise<{ arrived: TakeOverResult[]; why: Map<string, Message> }> {
      const arrived: TakeOverResult[] = []
      const why = new Map<string, Message>()
      for (const offer of seen.offers) {
        if (!comes(offer, seen)) continue
        try {
          // A restored server may offer a job that is already here: it is told so.
          if (handovers.isHere(offer.id)) await takeThere(offer.id, signal)
          else arrived.push(await fetchAndTake(offer, signal))
        } catch (error) {
          if (!(error instanceof AppError) || isAway(error) || error.code === 'CANCELLED') throw error
          why.set(offer.id, error.sentence)
        }
      }
      return { arrived, why }
    },
    take: async (id: string, seen: ServerHoldings, signal: AbortSignal): Promise<TakeOverResult> =>
      fetchAndTake(takeable(id, seen), signal),
    learn({ offers, jobs: jobsThere }: ServerHoldings): void {
      const isElsewhere = (id: string) => jobsThere.get(id)?.is_mine === false && jobsThere.get(id)?.holder !== ''
      const there = new Map(offers.filter((offer) => offer.is_from_me).map((offer) => [offer.id, offer]))
      for (const { id, at, state } of teamHolding.offers(200)) {
        if (state !== 'open') continue
        const seen = there.get(id)
        if (seen?.state === 'taken') teamHolding.moveOffer(id, 'taken', { takenBy: seen.taken_by_name })
        // Withdrawn there, and Fitter stopped before it was recorded here.
        else if (seen?.state === 'withdrawn')
          transfers.comeBack(
            id,
            () => teamHolding.moveOffer(id, 'withdrawn'),
            seen.jobs.map((job) => job.id).filter(isElsewhere)
          )
        // A restored server has lost it: it is sent again.
        else if (!seen && now().getTime() - Date.parse(at) < listedForMs) teamHolding.moveOffer(id, 'leaving')
      }
    },
    list(seen: ServerHoldings): TeamOffer[] {
      return seen.offers.flatMap((row): TeamOffer[] => {
        const own = teamHolding.offer(row.id)
        if (own || row.is_from_me || (row.is_taken_by_me && handovers.isHere(row.id))) return []
        const state = row.state === 'taken' || row.state === 'withdrawn' ? row.state : 'open'
        return [
          {
            id: row.id,
            from: row.from_name,
            to: row.to_name,
            at: row.at.toISOString(),
            state,
            direction: row.to_name === '' ? 'toAnybody' : 'toMe',
            takenBy: row.taken_by_name,
            why: null,
            jobs: row.jobs.map(({ id }) => jobOf(id, seen.jobs.get(id))),
            operations: countOf(row)
          }
        ]
      })
    }
  }
}

function jobOf(id: string, row: JobRow | undefined): TeamOffer['jobs'][number] {
  const name = storedMessage.safeParse(row?.shown?.template?.name)
  return {
    id,
    vehicle: row?.vehicle ?? '',
    customer: row?.customer ?? '',
    imei: row?.imei ?? '',
    template: name.success ? name.data : plainMessage(row?.template ?? '')
  }
}

function countOf({ jobs }: OfferRow): number | null {
  const counts = jobs.map(({ operations }) => operations)
  return counts.every((count) => typeof count === 'number') ? counts.reduce((sum, count) => sum + count, 0) : null
}
