import type { ClientBase } from 'pg'
import { AppError } from '../../../preload/contract/errors.ts'
import type { CallOutput, CallParsed } from '../../../preload/contract/index.ts'
import { message } from '../../../preload/contract/messages.ts'
import { isLoopback } from '../../base/addresses/address.ts'
import { drawQrCode } from '../../job/reports/pdf/qrCode.ts'
import type { TeamPushStore } from '../../data/store/team/teamPush.ts'
import { joinFileName, writeJoinFile } from '../server/joinFile.ts'
import { assertSchema } from '../server/schema.ts'
import { readServerAddress, withServer, type ServerLimits, type TeamServer } from '../server/server.ts'
import type { Team } from '../team.ts'
import { inviteLaptop } from './members.ts'
import { removeLaptop } from './removeLaptop.ts'
import { dropBefore, readKept, retentionLimits } from './retention.ts'

export interface OfficeParts {
  team: Pick<Team, 'ask'>
  store: { teamPush: Pick<TeamPushStore, 'owned' | 'membership'> }
  /** Called with each password that is certainly not a word, so that messages omit it. */
  onSecret?: (password: string) => void
  limits?: ServerLimits
  /** AppError REFUSED for a host whose team log may not be used. */
  refuseServer?: ((host: string) => void) | undefined
}

interface Owner {
  server: TeamServer
  password: string
  channel: string
}

/** A shorter one may be a word that other texts contain. */
const leastSecret = 32

/** An invitation from the window is meant for today. */
const validHours = 24

/** The office tasks of the team log; the owner's address and password are only in this object. */
export function createOffice({
  team,
  store: { teamPush },
  onSecret = () => undefined,
  limits,
  refuseServer
}: OfficeParts) {
  let present: Owner | null = null

  function membership() {
    const own = teamPush.membership()
    if (!own) throw new AppError('NOT_FOUND', message('team.notJoined'))
    return own
  }

  /** The sign-in of the owner ends when this laptop changes its team. */
  function owner(): Owner | null {
    if (present?.channel !== teamPush.membership()?.channel) present = null
    return present
  }

  async function reach<T>(
    { server, password }: Pick<Owner, 'server' | 'password'>,
    work: (client: ClientBase) => Promise<T>,
    signal: AbortSignal,
    own = limits
  ): Promise<T> {
    refuseServer?.(server.host)
    try {
      return await withServer(server, password, work, { signal, ...(own ? { limits: own } : {}) })
    } catch (error) {
      if (error instanceof AppError && error.sentence.id === 'team.noRight') throw onlyOwner(server, error)
      throw error
    }
  }

  async function asOwner<T>(
    work: (client: ClientBase, team: string, server: TeamServer) => Promise<T>,
    signal: AbortSignal,
    own?: ServerLimits
  ): Promise<T> {
    const signedIn = owner()
    if (!signedIn) throw new AppError('NOT_PERMITTED', message('teamOffice.noOwner'))
    return reach(signedIn, (client) => work(client, membership().team, signedIn.server), signal, own)
  }

  /** The address of the last set-up from here, otherwise the server of this laptop; the owner types the rest. */
  function address(): string {
    const known = teamPush.owned() ?? { ...membership(), user: '' }
    const host = known.host.includes(':') ? `[${known.host}]` : known.host
    return `postgres://${encodeURIComponent(known.user)}@${host}${known.port === 5432 ? '' : `:${String(known.port)}`}/${encodeURIComponent(known.database)}`
  }

  return {
    async office(signal: AbortSignal): Promise<CallOutput<'team.office'>> {
      const { members, invitations } = await team.ask(readMembers, signal)
      const signedIn = owner()
      return {
        team: membership().team,
        members,
        invitations,
        owner: signedIn && shown(signedIn.server),
        address: address()
      }
    },
    /** @throws AppError NOT_PERMITTED for a login that is not the owner, CONFLICT for another team log. */
    async openOwner(given: CallParsed<'team.openOwner'>, signal: AbortSignal): Promise<CallOutput<'team.openOwner'>> {
      const own = membership()
      const { text, password } = withoutPassword(given.address)
      const named = readServerAddress(text)
      const owned = teamPush.owned()
      const authority = owned?.host === named.host ? owned.authority : own.authority
      const candidate = { server: { ...named, authority }, password: given.password || password, channel: own.channel }
      if (candidate.password.length >= leastSecret) onSecret(candidate.password)
      await reach(candidate, (client) => assertOwner(client, candidate.server, own), signal)
      present = candidate
      return shown(candidate.server)
    },
    closeOwner(): void {
      present = null
    },
    /** Without an answer the login may exist: it is in the list of invitations then, and can be withdrawn. */
    invite: ({ name, role }: CallParsed<'team.invite'>, signal: AbortSignal): Promise<CallOutput<'team.invite'>> =>
      asOwner(async (client, teamName, server) => {
        const { login, password, expiresAt } = await inviteLaptop(client, {
          team: teamName,
          name,
          mayWrite: role !== 'reader',
          isLead: role === 'lead',
          validHours
        })
        onSecret(password)
        const { host, port, database, authority } = membership()
        // The laptops may reach the server another way than the owner: as this one does.
        const text = writeJoinFile({
          team: teamName,
          name,
          server: { host, port, database, user: login, authority: authority ?? server.authority },
          password
        })
        return {
          name,
          fileName: joinFileName(name),
          text,
          code: drawQrCode(JSON.stringify(JSON.parse(text))),
          expiresAt: expiresAt ?? '',
          onlyHere: isLoopback(host) ? host : null
        }
      }, signal),
    withdrawInvitation: ({ name }: CallParsed<'team.withdrawInvitation'>, signal: AbortSignal): Promise<unknown> =>
      asOwner((client, teamName) => removeLaptop(client, { team: teamName, name, isUnused: true }), signal),
    removeLaptop: (
      { name }: CallParsed<'team.removeLaptop'>,
      signal: AbortSignal
    ): Promise<CallOutput<'team.removeLaptop'>> =>
      asOwner(
        async (client, teamName) => ({ jobs: (await removeLaptop(client, { team: teamName, name })).jobs }),
        signal
      ),
    kept: (signal: AbortSignal): Promise<CallOutput<'team.kept'>> => asOwner(readKept, signal),
    dropBefore: (
      { month, isTrial, photosOnly }: CallParsed<'team.dropBefore'>,
      signal: AbortSignal
    ): Promise<CallOutput<'team.dropBefore'>> =>
      asOwner(
        (client, teamName) => dropBefore(client, { month, isTrial, photosOnly, team: teamName }),
        signal,
        retentionLimits
      )
  }
}

export type Office = ReturnType<typeof createOffice>

function shown({ host, user }: TeamServer): { host: string; user: string } {
  return { host, user }
}

function onlyOwner({ host, user }: TeamServer, cause?: unknown): AppError {
  return new AppError('NOT_PERMITTED', message('teamWay.onlyOwner', { host, user }), { cause })
}

/** A person may paste an address with its password: in a window nobody else reads it. */
function withoutPassword(address: string): { text: string; password: string } {
  const url = URL.canParse(address) ? new URL(address) : null
  if (!url?.password) return { text: address, password: '' }
  const text = url.password
  url.password = ''
  try {
    return { text: url.href, password: decodeURIComponent(text) }
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    return { text: url.href, password: text }
  }
}

async function assertOwner(
  client: ClientBase,
  server: TeamServer,
  own: { team: string; channel: string }
): Promise<void> {
  if ((await assertSchema(client, server.host)).kind === 'newer')
    throw new AppError('CONFLICT', message('team.schemaNewer'))
  const { rows } = await client.query<{ is_owner: boolean }>(
    "select pg_has_role(current_user, nspowner, 'usage') as is_owner from pg_namespace where nspname = 'fitter'"
  )
  if (rows[0]?.is_owner !== true) throw onlyOwner(server)
  const teams = await client.query('select from fitter.team where name = $1 and channel = $2', [own.team, own.channel])
  if (teams.rowCount === 0)
    throw new AppError('CONFLICT', message('teamOffice.otherTeam', { host: server.host, team: own.team }))
}

interface MemberRow {
  name: string
  is_me: boolean
  may_write: boolean
  is_lead: boolean
  technician: string | null
  pushed_at: Date | null
  joined_at: Date | null
  invited_at: Date
  expires_at: Date | null
  jobs: string
}

/** More laptops than a list can show have other tools. */
const mostMembers = 5_000

async function readMembers(client: ClientBase): Promise<Pick<CallOutput<'team.office'>, 'members' | 'invitations'>> {
  const { rows } = await client.query<MemberRow>(
    `select l.name, l.id = fitter.my_laptop() as is_me, l.may_write, l.is_lead, l.pushed_at, l.joined_at, l.invited_at, l.expires_at, coalesce(o.jobs, 0) as jobs, o.technician
     from fitter.laptop l left join (
       select j.holder, count(*) as jobs, (array_agg(j.technician order by j.changed_at desc))[1] as technician from fitter.job j where j.ended_at is null and j.holder is not null group by j.holder
     ) o on o.holder = l.id
     where l.left_at is null order by l.name limit $1`,
    [mostMembers]
  )
  const roleOf = ({ is_lead, may_write }: MemberRow) => (is_lead ? 'lead' : may_write ? 'writer' : 'reader')
  return {
    members: rows
      .filter(({ joined_at }) => joined_at !== null)
      .map((row) => ({
        name: row.name,
        isMe: row.is_me,
        role: roleOf(row),
        technician: row.technician ?? '',
        pushedAt: row.pushed_at?.toISOString() ?? null,
        jobs: Number(row.jobs)
      })),
    invitations: rows
      .filter(({ joined_at }) => joined_at === null)
      .map((row) => ({
        name: row.name,
        role: roleOf(row),
        at: row.invited_at.toISOString(),
        expiresAt: row.expires_at?.toISOString() ?? null
      }))
  }
}
