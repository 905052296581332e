import { AppError } from '../../../preload/contract/errors.ts'
import { type Message, message } from '../../../preload/contract/messages.ts'
import type { AsideLog, ListedFork, SettledFork } from '../../../preload/contract/team/teamForks.ts'
import type { LostJob, Pulled, TeamOffer } from '../../../preload/contract/team/teamHolding.ts'
import type { TakeOverResult } from '../../../preload/contract/job/transfers.ts'
import { hasEnded } from '../../gateway/waitingWork/transitions.ts'
import { createSequence } from '../../base/time/sequence.ts'
import type { OwnOffer } from '../../data/store/team/teamHolding.ts'
import type { TellPictures } from '../reading/fetchPictures.ts'
import { listForks, readForkEntries, sayEntry } from './forks.ts'
import { createHandingOver, isAway } from './handOver.ts'
import type { HoldingParts } from './holdingParts.ts'
import { pushJobs } from '../push/push.ts'
import { createArriving, type ServerHoldings } from './pull.ts'
import { createSettling } from './settle.ts'
import { createTakingOver } from './takeOver.ts'
import { verifyChain } from '../../data/store/jobs/seal.ts'
import { checkSeals } from '../../data/store/jobs/signature.ts'
import type { TeamForkStore } from '../../data/store/team/teamForks.ts'
import { sayFault } from '../reading/openJob.ts'
import { vehicleNameOf } from '../../../preload/job/vehicleName.ts'

/** The holder of a job, read and changed through the team log (docs/operations.md). */
export type Holding = ReturnType<typeof createHolding>

const shownOffers = 100

/** @throws what blocks all of them: the server cannot be reached, or the caller no longer waits. */
async function alone<T>(work: () => Promise<T>): Promise<{ done?: T; why?: Message }> {
  try {
    return { done: await work() }
  } catch (error) {
    if (!(error instanceof AppError) || isAway(error) || error.code === 'CANCELLED') throw error
    return { why: error.sentence }
  }
}

export function createHolding(parts: HoldingParts & { told(pulled: Pick<Pulled, 'arrived' | 'lost'>): void }) {
  const { team, store, transfers } = parts
  const { teamHolding } = store
  const handingOver = createHandingOver(parts)
  const arriving = createArriving(parts)
  const takingOver = createTakingOver(parts)
  const settling = createSettling(parts)
  /** One at a time: two would both continue the same work. */
  const inTurn = createSequence()
  /** Hand-overs, and jobs whose take-over a person has started. */
  const begun = new Set<string>()

  /** Keeps automatic work away from what a person has started. */
  async function asBegun<T>(id: string, work: () => Promise<T>): Promise<T> {
    begun.add(id)
    try {
      return await work()
    } finally {
      begun.delete(id)
    }
  }

  /**
   * Automatic take-overs download their pictures first, so that nothing else waits. A failure is reported in their
   * turn.
   */
  async function fetchAhead(ids: readonly string[], fetch: (id: string) => Promise<void>): Promise<void> {
    for (const id of ids) if (!begun.has(id)) await alone(() => fetch(id))
  }

  /** Each separately: one that cannot continue reports why, and does not block the others. */
  async function goOnNow(signal: AbortSignal): Promise<TakeOverResult[]> {
    for (const offer of teamHolding.underWay()) {
      const { why } = await alone(() => handingOver.goOn(offer, signal))
      if (why) teamHolding.moveOffer(offer.id, offer.state, { why, takenBy: offer.takenBy })
    }
    const taken: TakeOverResult[] = []
    for (const taking of teamHolding.takings()) {
      if (begun.has(taking.jobId)) continue
      const { done } = await alone(() => takingOver.goOn(taking, signal))
      if (done) taken.push(done)
    }
    return taken
  }

  function own({ id, at, to, state, takenBy, why }: OwnOffer): TeamOffer {
    const { content } = transfers.content(id)
    const jobs = content.jobs.map((job) => {
      const { device, vehicle, vehicleText, customer, template } = parts.jobs.loaded(job.id)
      return {
        id: job.id,
        vehicle: vehicleNameOf({ vehicle, vehicleText }),
        customer,
        imei: device.imei,
        template: template.name
      }
    })
    const operations = content.operations.filter((operation) => !hasEnded(operation.state)).length
    return {
      id,
      from: team.status().joined?.name ?? '',
      to,
      at,
      state,
      direction: 'mine',
      takenBy,
      why,
      jobs,
      operations
    }
  }

  const ownOffers = (): TeamOffer[] => teamHolding.offers(shownOffers).map(own)

  function withReasons(offers: TeamOffer[], why: Map<string, Message>): TeamOffer[] {
    return offers.map((offer) => ({ ...offer, why: why.get(offer.id) ?? offer.why }))
  }

  async function look(signal: AbortSignal): Promise<{ seen: ServerHoldings; lost: LostJob[] }> {
    const seen = await arriving.see(signal)
    const lost = await arriving.lose(seen)
    arriving.learn(seen)
    return { seen, lost }
  }

  /** Others see the new holder soon; what fails now is sent with the next push. */
  async function push(taken: readonly TakeOverResult[], signal: AbortSignal): Promise<void> {
    const ids = taken.flatMap(({ jobs }) => jobs.filter(({ isTaken }) => isTaken).map(({ id }) => id))
    if (ids.length === 0) return
    try {
      await team.ask((client) => pushJobs(client, { store, signal }, ids), signal)
    } catch (error) {
      if (!(error instanceof AppError) || !isAway(error)) throw error
    }
  }

  function tell(told: Pick<Pulled, 'arrived' | 'lost'>): void {
    if (told.arrived.length > 0 || told.lost.length > 0) parts.told(told)
  }

  return {
    /** A hand-over, return or take-over is in progress and continues automatically. */
    isUnderWay: (): boolean => teamHolding.underWay().length > 0 || teamHolding.takings().length > 0,
    async goOn(signal: AbortSignal): Promise<void> {
      await fetchAhead(
        teamHolding.takings().map(({ jobId }) => jobId),
        (jobId) => takingOver.fetch(jobId, signal)
      )
      await inTurn(async () => {
        const arrived = await goOnNow(signal)
        tell({ arrived, lost: [] })
        await push(arrived, signal)
      })
    },
    /** Imports what is addressed to this laptop and the named offers, and learns which jobs were taken over from it. */
    async pull(signal: AbortSignal, wanted: readonly string[] = []): Promise<Pulled> {
      const mayTake = team.status().joined?.mayWrite === true
      const first = await inTurn(() => look(signal))
      const coming = mayTake ? [...wanted, ...arriving.coming(first.seen)] : []
      await fetchAhead(coming, (id) => arriving.fetch(id, first.seen, signal))
      return inTurn(async () => {
        const seen = coming.length > 0 ? await arriving.see(signal) : first.seen
        const named = []
        for (const id of wanted) named.push(await arriving.take(id, seen, signal))
        const rest = named.length > 0 ? await arriving.see(signal) : seen
        const { arrived, why } = mayTake
          ? await arriving.arrive({ ...rest, offers: rest.offers.filter(({ id }) => !begun.has(id)) }, signal)
          : { arrived: [], why: new Map<string, Message>() }
        const came = [...named, ...arrived]
        tell({ arrived: came, lost: first.lost })
        await push(came, signal)
        const after = came.length > 0 ? await arriving.see(signal) : seen
        return { arrived: came, lost: first.lost, offers: [...ownOffers(), ...withReasons(arriving.list(after), why)] }
      })
    },
    async offers(signal: AbortSignal): Promise<{ offers: TeamOffer[]; lost: LostJob[]; why: Message | null }> {
      try {
        const seen = await arriving.see(signal)
        return { offers: [...ownOffers(), ...arriving.list(seen)], lost: teamHolding.lost(shownOffers), why: null }
      } catch (error) {
        if (!(error instanceof AppError) || !isAway(error)) throw error
        return { offers: ownOffers(), lost: teamHolding.lost(shownOffers), why: error.sentence }
      }
    },
    handOver: (request: { jobIds: readonly string[]; to: string }, signal: AbortSignal): Promise<TeamOffer> =>
      inTurn(async () => own(await handingOver.give(request, signal))),
    takeOffer: (id: string, signal: AbortSignal, tellPictures?: TellPictures): Promise<TakeOverResult> =>
      asBegun(id, async () => {
        const first = await inTurn(() => look(signal))
        tell({ arrived: [], lost: first.lost })
        await arriving.fetch(id, first.seen, signal, tellPictures)
        return inTurn(async () => {
          const taken = await arriving.take(id, await arriving.see(signal), signal)
          await push([taken], signal)
          return taken
        })
      }),
    withdraw: (id: string, signal: AbortSignal): Promise<{ isBack: boolean; offer: TeamOffer }> =>
      inTurn(async () => {
        const offer = await handingOver.withdraw(id, signal)
        return { isBack: offer.state === 'withdrawn', offer: own(offer) }
      }),
    takeOver: (
      request: { jobId: string; reason: string },
      signal: AbortSignal,
      tellPictures?: TellPictures
    ): Promise<TakeOverResult> =>
      asBegun(request.jobId, async () => {
        const { jobId, reason } = request
        const already = await inTurn(() => takingOver.begin(request, signal))
        if (!already) await takingOver.fetch(jobId, signal, tellPictures)
        return inTurn(async () => {
          const taken = already ?? (await takingOver.goOn({ jobId, reason: reason.trim() }, signal))
          await push([taken], signal)
          return taken
        })
      }),
    forks: (signal: AbortSignal): Promise<ListedFork[]> => team.ask((client) => listForks(client, store), signal),
    /** Both logs of a fork, from the first entry of the job on. */
    forkEntries: (
      wanted: { jobId: string; lastHash: string },
      signal: AbortSignal
    ): ReturnType<typeof readForkEntries> => team.ask((client) => readForkEntries(client, wanted), signal),
    asides: (jobId: string): AsideLog[] => readAsides(store, jobId),
    /** Adopts the team's log of a job, and sets the local one aside. */
    settle: (request: { jobId: string; reason: string }, signal: AbortSignal): Promise<SettledFork> =>
      inTurn(() => settling.settle(request, signal)),
    laptops: (
      signal: AbortSignal
    ): Promise<{ name: string; isMe: boolean; mayWrite: boolean; pushedAt: string | null }[]> =>
      team.ask(async (client) => {
        const { rows } = await client.query<{
          name: string
          is_me: boolean
          may_write: boolean
          pushed_at: Date | null
        }>(
          'select name, id = fitter.my_laptop() as is_me, may_write, pushed_at from fitter.laptop where left_at is null order by name limit 10000'
        )
        return rows.map(({ name, is_me, may_write, pushed_at }) => ({
          name,
          isMe: is_me,
          mayWrite: may_write,
          pushedAt: pushed_at?.toISOString() ?? null
        }))
      }, signal)
  }
}

/** The number of shown entries of each; all of them are stored. */
const mostShown = 500

/** The set-aside logs of a job, oldest first, each checked against its hashes and seals. */
function readAsides({ teamForks }: { teamForks: TeamForkStore }, jobId: string): AsideLog[] {
  return teamForks.asides(jobId).map(({ number, seq, at, reason, holder }) => {
    const entries = teamForks.entries(jobId, number)
    const own = entries.filter((entry) => entry.seq >= seq)
    const chain = verifyChain(jobId, entries)
    const sealFaults = chain.ok
      ? checkSeals(jobId, entries).faults.map(sayFault)
      : [message('damage.jobBroken', { entry: chain.at })]
    return {
      number,
      seq,
      at,
      reason,
      holder,
      entries: own.slice(0, mostShown).map(sayEntry),
      more: Math.max(0, own.length - mostShown),
      sealFaults
    }
  })
}
