import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import { AppError } from '../../../preload/contract/errors.ts'
import type { Message } from '../../../preload/contract/messages.ts'
import type { TeamLive, TeamNews } from '../../../preload/contract/team/teamNews.ts'

export interface NewsSource {
  channel(): string | null
  /** A separate connection for as long as the work takes. */
  listen(work: (client: ClientBase) => Promise<void>, signal: AbortSignal): Promise<void>
  ask<T>(act: (client: ClientBase) => Promise<T>, signal: AbortSignal): Promise<T>
}

export interface NewsParts {
  source: NewsSource
  live(live: TeamLive): void
  news(news: TeamNews): void
  reportFault(error: unknown): void
  times?: Partial<NewsTimes>
}

interface NewsTimes {
  gatherMs: number
  /** A notification that did not arrive within this time does not arrive. */
  probeMs: number
  /** The interval of questions without notifications. */
  lookEveryMs: number
  /** The interval with notifications: bulk pushes send none, and a dead connection goes unnoticed. */
  checkEveryMs: number
  /** A server that does not answer for this long counts as unreachable. */
  answerMs: number
  /** Pauses between attempts while the server cannot be reached; then the last one. */
  pausesMs: readonly number[]
  /** A viewer that does not repeat its call for this long is gone. */
  leaseMs: number
}

const standardTimes: NewsTimes = {
  gatherMs: 50,
  probeMs: 2_000,
  lookEveryMs: 3_000,
  checkEveryMs: 20_000,
  answerMs: 8_000,
  pausesMs: [1_000, 2_000, 5_000, 10_000],
  leaseMs: 60_000
}

export type TeamNewsReader = ReturnType<typeof createTeamNews>

interface Changed {
  now: string
  jobs: { id: string; at: string }[] | null
}

/** How long notifications are not expected after none arrived. */
const probeAgainMs = 3_600_000
const mostIds = 200

/**
 * Reports changes in the team while a window shows it: by notifications, otherwise by one cheap query every few
 * seconds.
 */
export function createTeamNews({ source, live: tellLive, news: tellNews, reportFault, times }: NewsParts) {
  const { gatherMs, probeMs, lookEveryMs, checkEveryMs, answerMs, pausesMs, leaseMs } = { ...standardTimes, ...times }
  const viewers = new Map<string, number>()
  let live: TeamLive = { state: 'off', since: new Date().toISOString(), newsAt: null, why: null }
  let running: { ending: AbortController; ended: Promise<void> } | undefined
  let leaseTimer: NodeJS.Timeout | undefined
  let gathering: NodeJS.Timeout | undefined
  let gathered: Set<string> | null = new Set()
  let silentUntilMs = -Infinity
  let isStopped = false
  /** The server time up to which everything was reported, and what was reported of its last moments. */
  let toldUntil: string | undefined
  const told = new Map<string, string>()
  /** A server that was down may return without some data: only a complete reload shows that. */
  let wasAway = false

  function stand(state: TeamLive['state'], why: Message | null = null): void {
    if (live.state === state && live.why?.id === why?.id) return
    live = { state, since: new Date().toISOString(), newsAt: state === 'off' ? null : live.newsAt, why }
    tellLive(live)
  }

  function gather(ids: readonly string[] | null): void {
    if (ids?.length === 0) return
    gathered = ids === null || gathered === null || gathered.size > mostIds ? null : new Set([...gathered, ...ids])
    gathering ??= setTimeout(() => {
      gathering = undefined
      const jobIds = gathered && [...gathered]
      gathered = new Set()
      live = { ...live, newsAt: new Date().toISOString() }
      tellNews({ jobIds })
    }, gatherMs)
  }

  /** The changes since the last query. A long push ends with an older time than rows that are already there. */
  async function catchUp(client: ClientBase): Promise<void> {
    const { rows } = await client.query<{ changed: Changed }>(
      "select fitter.changed_since($1::timestamptz - interval '10 seconds') as changed",
      [toldUntil ?? null]
    )
    const { now, jobs } = rows[0]?.changed ?? { now: toldUntil, jobs: null }
    if (jobs === null) {
      if (toldUntil !== undefined || wasAway) gather(null)
      told.clear()
    } else {
      gather(jobs.filter(({ id, at }) => told.get(id) !== at).map(({ id }) => id))
      if (told.size > 2_000) told.clear()
      for (const { id, at } of jobs) told.set(id, at)
    }
    toldUntil = now
    wasAway = false
  }

  async function inTime(work: Promise<void>, signal: AbortSignal): Promise<void> {
    const ending = new AbortController()
    const isLate = await Promise.race([
      work.then(() => false),
      wait(answerMs, true, { signal: AbortSignal.any([signal, ending.signal]), ref: false })
    ])
    ending.abort()
    if (isLate) throw new Error('timeout')
  }

  async function pause(ms: number, signal: AbortSignal): Promise<void> {
    await wait(ms, undefined, { signal, ref: false }).catch(() => undefined)
  }

  async function listenFor(channel: string, client: ClientBase, signal: AbortSignal): Promise<'silent' | 'ended'> {
    const probe = `fitter_probe_${randomBytes(8).toString('hex')}`
    const broken = new Promise<never>((_, reject) =>
      client.once('end', () => reject(new Error('Connection terminated')))
    )
    broken.catch(() => undefined)
    let arrived = (): void => undefined
    const isHeard = new Promise<void>((resolve) => (arrived = resolve))
    client.on('notification', ({ channel: on, payload }) => {
      if (on === probe) arrived()
      // Not every notification is about one job.
      else if (on === channel) gather(payload && payload !== 'assigned' ? [payload] : null)
    })
    await client.query(`listen "${probe}"`)
    await client.query(`listen "${channel}"`)
    await catchUp(client)
    // Over another connection: behind a pooler, a notification from the same connection might come back with the
    // answer, while later ones never arrive.
    await source.ask((other) => other.query('select pg_notify($1, $2)', [probe, '']), signal)
    const ending = new AbortController()
    const isSilent = await Promise.race([
      isHeard.then(() => false),
      broken,
      wait(probeMs, true, { signal: AbortSignal.any([signal, ending.signal]), ref: false })
    ])
    ending.abort()
    await client.query(`unlisten "${probe}"`)
    if (isSilent) {
      await client.query(`unlisten "${channel}"`)
      return 'silent'
    }
    stand('listening')
    while (!signal.aborted) {
      await Promise.race([pause(checkEveryMs, signal), broken])
      if (!signal.aborted) await inTime(catchUp(client), signal)
    }
    return 'ended'
  }

  async function look(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && performance.now() < silentUntilMs) {
      await source.ask(catchUp, signal)
      stand('looking')
      await pause(lookEveryMs, signal)
    }
  }

  async function run(signal: AbortSignal): Promise<void> {
    let failures = 0
    while (!signal.aborted) {
      const channel = source.channel()
      if (channel === null || !/^[a-z0-9_]{1,63}$/.test(channel)) return stand('off')
      try {
        if (performance.now() >= silentUntilMs) {
          await source.listen(async (client) => {
            if ((await listenFor(channel, client, signal)) === 'silent')
              silentUntilMs = performance.now() + probeAgainMs
          }, signal)
        }
        failures = 0
        await look(signal)
      } catch (error) {
        if (signal.aborted) return
        if (!(error instanceof AppError)) reportFault(error)
        if (live.state === 'listening' || live.state === 'looking') failures = 0
        wasAway = live.state === 'listening' || live.state === 'looking' || wasAway
        toldUntil = undefined
        stand('away', error instanceof AppError ? error.sentence : null)
        await pause(pausesMs[Math.min(failures, pausesMs.length - 1)] ?? lookEveryMs, signal)
        failures += 1
      }
    }
  }

  function begin(): void {
    const ending = new AbortController()
    const own = { ending, ended: Promise.resolve() }
    own.ended = run(ending.signal).catch(reportFault)
    running = own
  }

  async function end(): Promise<void> {
    const own = running
    running = undefined
    own?.ending.abort()
    clearTimeout(gathering)
    gathering = undefined
    gathered = new Set()
    toldUntil = undefined
    told.clear()
    await own?.ended
  }

  function settle(): void {
    for (const [viewer, untilMs] of viewers) if (untilMs <= performance.now()) viewers.delete(viewer)
    clearTimeout(leaseTimer)
    if (viewers.size === 0) {
      stand('off')
      void end()
      return
    }
    leaseTimer = setTimeout(settle, Math.max(1, Math.min(...viewers.values()) - performance.now()))
    leaseTimer.unref()
    if (!running) begin()
  }

  return {
    watch(viewer: string, isOn: boolean): TeamLive {
      if (isStopped) return live
      if (isOn && viewers.size < 100) viewers.set(viewer, performance.now() + leaseMs)
      else viewers.delete(viewer)
      settle()
      return live
    },
    live: (): TeamLive => live,
    /** The network changed, the computer woke up, or another team was joined: restarts at once. */
    renew(): void {
      if (!running) return
      silentUntilMs = -Infinity
      void end().then(() => {
        if (viewers.size > 0 && !isStopped && !running) begin()
      })
    },
    async stop(): Promise<void> {
      isStopped = true
      viewers.clear()
      clearTimeout(leaseTimer)
      await end()
    }
  }
}
