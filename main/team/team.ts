import { randomUUID } from 'node:crypto'
import type { ClientBase } from 'pg'
import { AppError } from '../../preload/contract/errors.ts'
import { message } from '../../preload/contract/messages.ts'
import type { TeamJob, TeamStatus } from '../../preload/contract/team/team.ts'
import type { TeamCounts } from '../../preload/contract/team/teamNews.ts'
import type { Secrets } from '../base/secrets/keychain.ts'
import type { Store } from '../data/store/index.ts'
import type { Membership } from '../data/store/team/teamPush.ts'
import { createSequence } from '../base/time/sequence.ts'
import { tellBegun } from './push/begun.ts'
import { findJobs, type TeamJobsPage, type TeamJobsRequest } from './reading/jobs.ts'
import { readCounts, type TeamCountsRequest } from './reading/counts.ts'
import { teamError } from './server/failures.ts'
import { type Joining, mostJoinFileBytes, readJoinFile } from './server/joinFile.ts'
import { createLane, type Lane } from './push/lane.ts'
import { tellSettled } from './holding/forkCopies.ts'
import { openTeamJob, type OpenedTeamJob, readTeamPicture } from './reading/openJob.ts'
import { push, type PushResult } from './push/push.ts'
import { assertSchema } from './server/schema.ts'
import { isEncrypted, withServer, type ServerLimits, type TeamServer } from './server/server.ts'
import fs from 'node:fs'

export interface TeamParts {
  store: Pick<
    Store,
    | 'teamPush'
    | 'teamCopies'
    | 'teamAcknowledged'
    | 'attachments'
    | 'teamAssigned'
    | 'teamEarlier'
    | 'teamForks'
    | 'teamHolding'
    | 'operations'
    | 'handovers'
    | 'together'
  >
  secrets: Secrets
  /** A password for this process, if the keychain has none. */
  given?: string | undefined
  /** Called with each password, so that messages omit it. */
  onSecret?: ((password: string) => void) | undefined
  limits?: ServerLimits
  /**
   * How long a connection stays open after the last query, so that the next needs no new sign-in. 0: it is closed at
   * once.
   */
  idleMs?: number
  /** AppError REFUSED for a host whose team log may not be used. */
  refuseServer?: ((host: string) => void) | undefined
}

/** This laptop in the team log: a copy of its work for others, which no step of a job waits for. */
export function createTeam({
  store,
  secrets,
  given,
  onSecret = () => undefined,
  limits,
  idleMs = 0,
  refuseServer
}: TeamParts) {
  const { teamPush } = store

  function membership(): Membership {
    const own = teamPush.membership()
    if (!own) throw new AppError('NOT_FOUND', message('team.notJoined'))
    return own
  }

  let lanes = openLanes()
  /** Joining and leaving run in the order of the calls: the last one counts. */
  const inTurn = createSequence()

  /** Pushes do not delay queries. */
  function openLanes() {
    return { ask: openLane(), push: openLane() }
  }

  function openLane(): Lane {
    return createLane({
      open: (act, signal) => connected(membership(), act, signal),
      sayError: (error) => teamError(error, teamPush.membership()?.host ?? ''),
      idleMs
    })
  }

  function closeLanes(): Promise<unknown> {
    return Promise.all([lanes.ask.close(), lanes.push.close()])
  }

  /** Queries of the earlier team end before the new one counts, and never reach another team. */
  async function changeTo(own: Membership | null): Promise<void> {
    await closeLanes()
    store.together(() => {
      store.teamCopies.forget()
      teamPush.setMembership(own)
      store.teamAssigned.forget()
      store.teamEarlier.forget()
    })
    lanes = openLanes()
  }

  async function join(joining: Joining, signal?: AbortSignal, file?: string): Promise<TeamStatus> {
    refuseServer?.(joining.server.host)
    tellSecret(joining.password)
    const told = await withServer(
      joining.server,
      joining.password,
      async (client) => {
        await assertSchema(client, joining.server.host)
        return joinedWith(client)
      },
      { ...(limits ? { limits } : {}), signal }
    )
    const { host, port, database, user, authority } = joining.server
    const own: Membership = {
      team: told.team,
      name: told.laptop,
      mayWrite: told.may_write,
      channel: told.channel,
      host,
      port,
      database,
      login: user,
      authority,
      joinedAt: new Date().toISOString()
    }
    if (file !== undefined && (await secrets.status()).kind === 'thisRunOnly') own.joinFile = file
    const before = teamPush.membership()
    await secrets.set(secretName(own), joining.password)
    await changeTo(own)
    if (before && secretName(before) !== secretName(own)) await secrets.remove(secretName(before))
    return status()
  }

  /** @throws AppError CONFLICT when another data folder uses this login: both would push as one laptop. */
  async function joinedWith(
    client: ClientBase
  ): Promise<{ team: string; laptop: string; channel: string; may_write: boolean }> {
    const { rows } = await client.query<{
      team: string
      laptop: string
      channel: string
      may_write: boolean
      is_taken: boolean
    }>('select * from fitter.join_team($1)', [folderId()])
    const [told] = rows
    if (!told) throw new AppError('NOT_PERMITTED', message('team.noRight'))
    if (told.is_taken) throw new AppError('CONFLICT', message('team.joinedElsewhere', { name: told.laptop }))
    return told
  }

  async function leave(signal?: AbortSignal): Promise<{ toldServer: boolean }> {
    const own = membership()
    let toldServer = true
    try {
      await asMember(async (client) => {
        await joinedWith(client)
        await client.query('select fitter.leave_team()')
      }, signal)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      toldServer = false
    }
    await secrets.remove(secretName(own))
    await changeTo(null)
    return { toldServer }
  }

  /**
   * A given password first, then the stored one; one of another login (such as the owner's) does not end the attempts.
   */
  async function connected<T>(
    own: Membership,
    act: (client: ClientBase) => Promise<T>,
    signal?: AbortSignal
  ): Promise<T> {
    refuseServer?.(own.host)
    const kept = await secrets.get(secretName(own))
    const inFile = kept === undefined ? passwordInFile(own) : undefined
    const passwords = [...new Set([given, kept, inFile])].filter((password) => password !== undefined)
    for (const [index, password] of passwords.entries()) {
      tellSecret(password)
      try {
        return await withServer(serverOf(own), password, act, { ...(limits ? { limits } : {}), signal })
      } catch (error) {
        const isWrong = error instanceof AppError && error.sentence.id === 'team.wrongPassword'
        if (!isWrong) throw error
        if (index === passwords.length - 1)
          throw password === given
            ? new AppError('NOT_AUTHENTICATED', message('teamWay.givenPasswordWrong', { host: own.host }), {
                cause: error
              })
            : error
      }
    }
    throw new AppError('NOT_AUTHENTICATED', message('team.noPassword', { host: own.host }))
  }

  /**
   * Passwords of laptops are random. Removing a word that a person chose from every text would remove ordinary words.
   */
  function tellSecret(password: string): void {
    if (password.length >= leastTold) onSecret(password)
  }

  return {
    /**
     * Joins with an invitation and leaves any earlier team. Without a keychain, the path of the file is stored. @throws
     * AppError with one sentence when the server, its schema or the invitation refuses; nothing is stored then.
     */
    join: (joining: Joining, signal?: AbortSignal, file?: string): Promise<TeamStatus> =>
      inTurn(() => join(joining, signal, file)),
    status,
    isMember: () => teamPush.membership() !== null,
    /** Pushes what the team log lacks. @throws AppError with one sentence; earlier acknowledgements remain. */
    async push(signal: AbortSignal, progress?: (far: PushResult) => void): Promise<PushResult> {
      const own = membership()
      if (!own.mayWrite) throw new AppError('NOT_PERMITTED', message('team.onlyReads'))
      return lanes.push.use(async (client) => {
        await assertReady(client, own.host)
        // What an earlier push brought is reported, if that push was interrupted; then what this one brings.
        await tellBegun(client, store.teamAssigned)
        await tellSettled(client, store)
        const pushed = await push(client, { store, signal, progress })
        await tellBegun(client, store.teamAssigned)
        return pushed
      }, signal)
    },
    jobs: (request: TeamJobsRequest, signal?: AbortSignal): Promise<TeamJobsPage> =>
      ask((client) => findJobs(client, request), signal),
    counts: (request: TeamCountsRequest, signal?: AbortSignal): Promise<TeamCounts> =>
      ask((client) => readCounts(client, request), signal),
    ask,
    channel: () => teamPush.membership()?.channel ?? null,
    /** A separate connection for as long as the work takes. */
    listen: (act: (client: ClientBase) => Promise<void>, signal: AbortSignal): Promise<void> =>
      connected(membership(), act, signal),
    async close(): Promise<void> {
      await closeLanes()
    },
    /** A complete job of the team, read-only. */
    async open(id: string, signal?: AbortSignal): Promise<OpenedTeamJob> {
      return asMember((client) => openTeamJob(client, id), signal)
    },
    /** The same, with its row in the lists. */
    openListed: (id: string, signal?: AbortSignal): Promise<{ listed: TeamJob; opened: OpenedTeamJob }> =>
      ask(async (client) => {
        const opened = await openTeamJob(client, id)
        const [listed] = (await findJobs(client, { ids: [id], limit: 1 })).jobs
        if (!listed) throw new AppError('NOT_FOUND', message('jobs.notInLog', { id }))
        return { listed, opened }
      }, signal),
    picture: (sha256: string, signal?: AbortSignal) => asMember((client) => readTeamPicture(client, sha256), signal),
    /** Tells the server if it answers, and deletes the membership in any case. Pushed data stays there. */
    leave: (signal?: AbortSignal): Promise<{ toldServer: boolean }> => inTurn(() => leave(signal))
  }

  /** A query to a server whose schema supports it. Its work may run twice. */
  async function ask<T>(act: (client: ClientBase, own: Membership) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return asMember(async (client, own) => {
      await assertReady(client, own.host)
      return act(client, own)
    }, signal)
  }

  /** Once for each connection: checks the schema, and that no other data folder uses this login. */
  async function assertReady(client: ClientBase, host: string): Promise<void> {
    if (known.has(client)) return
    await assertSchema(client, host)
    await joinedWith(client)
    known.add(client)
  }

  /** Over the connection for queries, which is opened for the current team. */
  function asMember<T>(act: (client: ClientBase, own: Membership) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const own = membership()
    return lanes.ask.use((client) => act(client, own), signal)
  }

  function status(): TeamStatus {
    const own = teamPush.membership()
    if (!own)
      return { joined: null, server: null, pushedAt: null, waiting: 0, leaving: 0, forks: 0, stopped: [], held: [] }
    const takings = store.teamHolding
      .takings()
      .flatMap(({ jobId, why }) =>
        why ? [{ jobId, name: store.teamCopies.job(jobId)?.listed.vehicle?.name ?? jobId, why }] : []
      )
    const stopped = [...teamPush.stopped(), ...takings]
    return {
      joined: { team: own.team, name: own.name, mayWrite: own.mayWrite, at: own.joinedAt },
      server: { host: own.host, port: own.port, database: own.database, isEncrypted: isEncrypted(own) },
      pushedAt: teamPush.pushedAt(),
      waiting: own.mayWrite ? teamPush.waitingCount() : 0,
      leaving: store.teamHolding.leavingCount(),
      forks: stopped.filter(({ why }) => why.id === 'team.fork').length,
      stopped,
      held: teamPush.held()
    }
  }

  /** The id of this data folder: using an invitation in two folders is reported. */
  function folderId(): string {
    return teamPush.folderId(() => randomUUID())
  }
}

/** A secret of this length is certainly not a word. */
const leastTold = 32

export type Team = ReturnType<typeof createTeam>

function serverOf({ host, port, database, login, authority }: Membership): TeamServer {
  return { host, port, database, user: login, authority }
}

function secretName({ host, port, database, login }: Membership): string {
  return `team/${host}:${String(port)}/${database}/${login}`
}

/** Connections whose schema and login were checked. */
const known = new WeakSet<ClientBase>()

/**
 * The password from this laptop's invitation file, without a keychain. NOT_AUTHENTICATED when others can read the file.
 */
function passwordInFile({ joinFile, host, login }: Membership): string | undefined {
  if (joinFile === undefined) return undefined
  const stat = fs.statSync(joinFile, { throwIfNoEntry: false })
  if (!stat?.isFile() || stat.size > mostJoinFileBytes) return undefined
  if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0)
    throw new AppError('NOT_AUTHENTICATED', message('teamWay.fileOpen', { file: joinFile }))
  try {
    const { server, password } = readJoinFile(fs.readFileSync(joinFile, 'utf8'))
    return server.host === host && server.user === login ? password : undefined
  } catch {
    // It is now another file, or unreadable: it contains no password.
    return undefined
  }
}
