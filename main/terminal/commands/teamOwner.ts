import path from 'node:path'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { isLoopback } from '../../base/addresses/address.ts'
import { readAuthorities } from '../../base/internet/authorities.ts'
import type { Store } from '../../data/store/index.ts'
import { assertGround } from '../../team/server/ground.ts'
import { joinFileName, writeJoinFile } from '../../team/server/joinFile.ts'
import { hardeningScript } from '../../team/server/hardening.ts'
import { inviteAgain, inviteLaptop, laptopsWithoutLogin, makeTeam } from '../../team/admin/members.ts'
import {
  closeLogins,
  listLogins,
  mostLoginListBytes,
  readRemovedLogins,
  type ListedLogin
} from '../../team/server/logins.ts'
import { removeLaptop } from '../../team/admin/removeLaptop.ts'
import { raiseSchema } from '../../team/server/schema.ts'
import {
  readServerAddress,
  withServer,
  type ServerLimits,
  type TeamPassword,
  type TeamServer
} from '../../team/server/server.ts'
import type { CommandValues } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { exitCodes } from '../output/exitCodes.ts'
import { requireInput } from '../input/inputs.ts'
import { withStore } from '../openedFolder.ts'
import { takeOwnerPassword } from '../input/ownerPassword.ts'
import { readBounded } from '../input/readBounded.ts'
import { usageError } from '../output/usage.ts'
import { assertIsNew, writeNew } from '../output/writeNew.ts'

type OwnerClient = Parameters<Parameters<typeof withServer>[2]>[0]

const standardTeam = 'Team'
const mostAuthorityBytes = 1_000_000
const mostNameSigns = 200

interface Owned {
  server: TeamServer
  team: string
}

/** Creates the schema and a team, as the owner of the database; repeating it is harmless. */
export async function initTeam(context: CommandContext, values: CommandValues): Promise<number> {
  return withStore(context, async (store) => {
    const { server, team: named } = ownedOf(store, values)
    if (values.script === true) {
      const script = hardeningScript({ database: server.database, owner: server.user })
      context.terminal.result({ script }, script)
      return exitCodes.done
    }
    const team = readName(named.trim(), '--team NAME')
    const { applied, withoutLogin } = await asOwner(context, server, async (client) => {
      await assertGround(client, server.host)
      const count = await raiseSchema(client)
      await makeTeam(client, team)
      return { applied: count, withoutLogin: await laptopsWithoutLogin(client, team) }
    })
    store.teamPush.setOwned({ ...server, team })
    const { host, port, database } = server
    if (withoutLogin.length > 0)
      context.terminal.warn(message('terminalTeamOwner.withoutLogin', { names: withoutLogin }))
    context.terminal.result(
      { team, host, port, database, applied, withoutLogin },
      message('terminalTeam.ready', { team, host, applied })
    )
    return exitCodes.done
  })
}

/** Creates a separate login for one laptop, and its invitation file. Without the file no login is created. */
export async function inviteToTeam(
  context: CommandContext,
  named: string | undefined,
  values: CommandValues
): Promise<number> {
  const name = readName(requireInput(named, message('terminal.theLaptop')).trim(), message('terminal.theLaptop'))
  if (values.lead === true && values.reader === true) throw usageError(message('terminalTeamOwner.leadOrReader'))
  const isLead = values.lead === true
  const file = path.resolve(values.out ?? joinFileName(name))
  assertIsNew(file)
  return withStore(context, async (store) => {
    const { server, team } = ownedOf(store, values)
    const {
      login,
      mayWrite,
      isLead: mayLead
    } = await asOwner(context, server, async (client) => {
      const invitation =
        values.again === true
          ? await inviteAgain(client, { team, name, isLead })
          : await inviteLaptop(client, { team, name, mayWrite: values.reader !== true, isLead })
      try {
        writeNew(
          file,
          Buffer.from(
            writeJoinFile({ team, name, server: { ...server, user: invitation.login }, password: invitation.password })
          )
        )
      } catch (error) {
        if (values.again !== true) await removeLaptop(client, { team, name })
        throw error
      }
      return invitation
    })
    // On another computer this invitation would look for the server on that computer itself.
    if (isLoopback(server.host))
      context.terminal.warn(message('terminalTeamOwner.invitedToLoopback', { host: server.host }))
    context.terminal.result(
      { team, name, login, mayWrite, isLead: mayLead, file },
      message('terminalTeam.invited', { name, file })
    )
    return exitCodes.done
  })
}

/** `team logins`: every login of the team, including removed ones. */
export function listTeamLogins(context: CommandContext, values: CommandValues): Promise<number> {
  return onOwnedTeam(context, values, {
    work: async (client, team) => {
      const logins = await listLogins(client, team)
      context.terminal.result(
        { team, logins },
        logins.map((login) => context.terminal.text(sayLogin(login))).join('\n') || message('teamLogins.none', { team })
      )
      return exitCodes.done
    }
  })
}

function sayLogin({ name, role, since, lastSeen, removedAt, isOpen }: ListedLogin): Message {
  const state = removedAt !== null ? (isOpen ? 'reopened' : 'removed') : isOpen ? 'open' : 'missing'
  return message('teamLogins.login', {
    name,
    role,
    since,
    seen: lastSeen === null ? 'no' : 'yes',
    lastSeen: lastSeen ?? since,
    state,
    removedAt: removedAt ?? since
  })
}

/** `team remove --listed FILE`: closes earlier removed logins again on a restored server. */
function removeListed(context: CommandContext, file: string, values: CommandValues): Promise<number> {
  const listed = readRemovedLogins(readBounded(file, mostLoginListBytes).toString('utf8'))
  return onOwnedTeam(context, values, {
    work: async (client, team) => {
      const removed = await closeLogins(client, listed)
      context.terminal.result(
        { team, listed: listed.length, removed },
        message('teamLogins.removedAgain', { n: removed.length, names: removed.map(({ name }) => name) })
      )
      return exitCodes.done
    }
  })
}

/** Closes the login of a laptop that was lost, stolen or given away. */
export async function removeFromTeam(
  context: CommandContext,
  named: string | undefined,
  values: CommandValues
): Promise<number> {
  if (values.listed !== undefined) {
    if (named !== undefined) throw usageError(message('terminalTeamOwner.words', { given: [named] }))
    return removeListed(context, values.listed, values)
  }
  const name = requireInput(named, message('terminal.theLaptop')).trim()
  return withStore(context, async (store) => {
    const { server, team } = ownedOf(store, values)
    const { login, jobs } = await asOwner(context, server, (client) => removeLaptop(client, { team, name }))
    context.terminal.result({ team, name, login, jobs }, message('terminalTeamOwner.removed', { name, jobs }))
    return exitCodes.done
  })
}

/** Works as the owner on the team in the options or in the data folder. */
export async function onOwnedTeam(
  context: CommandContext,
  values: CommandValues,
  { work, limits }: { work: (client: OwnerClient, team: string) => Promise<number>; limits?: ServerLimits }
): Promise<number> {
  return withStore(context, (store) => {
    const { server, team } = ownedOf(store, values)
    return asOwner(context, server, (client) => work(client, team), limits)
  })
}

/** The options, otherwise what `team init` stored in the data folder. */
function ownedOf(store: Store, values: CommandValues): Owned {
  const kept = store.teamPush.owned()
  const address = values.url === undefined ? kept : readServerAddress(values.url)
  if (!address) throw new AppError('INVALID_REQUEST', message('teamWay.noAddress'))
  const isKept =
    kept !== null && kept.host === address.host && kept.port === address.port && kept.database === address.database
  const { host, port, database, user } = address
  const authority = values.ca === undefined ? (isKept ? kept.authority : null) : readAuthority(values.ca)
  return {
    server: { host, port, database, user, authority },
    team: requireInput(values.team ?? (isKept ? kept.team : standardTeam), '--team NAME')
  }
}

function readAuthority(file: string): string {
  const read = readAuthorities(readBounded(file, mostAuthorityBytes).toString('utf8'))
  if (read.kind !== 'read') throw usageError(message('terminalTeam.noCertificate', { file }))
  return read.certificates.join('')
}

/**
 * A person is asked only if the server requires a password and none was given; the command's time does not run in the
 * meantime.
 */
async function asOwner<T>(
  context: CommandContext,
  server: TeamServer,
  work: Parameters<typeof withServer<T>>[2],
  limits?: ServerLimits
): Promise<T> {
  const { host, user } = server
  const given = takeOwnerPassword(server)
  let isAsked = false
  const wanted = (): never => {
    isAsked = true
    throw new AppError('INVALID_REQUEST', message('teamWay.passwordWanted', { host, user }))
  }
  const reach = async (password: TeamPassword): Promise<T> => {
    try {
      return await withServer(server, password, work, { signal: context.signal, ...(limits ? { limits } : {}) })
    } catch (error) {
      if (error instanceof AppError && error.sentence.id === 'team.noRight')
        throw new AppError('NOT_PERMITTED', message('teamWay.onlyOwner', { host, user }), { cause: error })
      throw error
    }
  }
  try {
    return await reach(given ?? wanted)
  } catch (error) {
    if (!isAsked || !context.terminal.canAsk) throw error
    return reach(await context.terminal.askSecret(message('terminal.password'), context.signal))
  }
}

/** Within the length limit of the team log, and in one line: lists and files contain it. */
function readName(text: string, what: Message | string): string {
  if ([...text].length > mostNameSigns || /\p{Cc}/u.test(text) || !text.isWellFormed())
    throw usageError(message('terminalTeamOwner.name', { what, most: mostNameSigns }))
  return text
}
