import { readFileSync } from 'node:fs'
import { message } from '../../../preload/contract/messages.ts'
import type { TeamJob, TeamStatus } from '../../../preload/contract/team.ts'
import { readAuthorities } from '../../internet/authorities.ts'
import { mostJoinFileBytes, readJoinFile, writeJoinFile } from '../../team/joinFile.ts'
import { inviteLaptop, makeTeam } from '../../team/members.ts'
import { raiseSchema } from '../../team/schema.ts'
import { readServerAddress, withServer, type TeamServer } from '../../team/server.ts'
import { createTeam, type Team } from '../../team/team.ts'
import type { Command, CommandValues } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { exitCodes } from '../exitCodes.ts'
import { givenTeamPassword } from '../givenCredentials.ts'
import { required } from '../inputs.ts'
import { openedFolder } from '../openedFolder.ts'
import { readBounded } from '../readBounded.ts'
import { usageError } from '../usage.ts'
import { writeOut } from '../writeOut.ts'
import { prepare, tellAssigned, withdraw } from './teamAssigned.ts'

const standardTeam = 'Team'

export const runTeam: Command = async (context, [verb, name], values) => {
  switch (verb) {
    case 'init':
      return init(context, values)
    case 'invite':
      return invite(context, required(name, message('terminal.theLaptop')), values)
    case 'join':
      return withTeam(context, async (team) => {
        const joining = readJoinFile(readBounded(required(name, message('terminal.theJoinFile')), mostJoinFileBytes).toString('utf8'))
        const status = await team.join(joining, context.signal)
        context.terminal.result(status, message('terminalTeam.joined', { team: status.joined?.team ?? '', name: status.joined?.name ?? '', waiting: status.waiting }))
        return exitCodes.done
      })
    case 'status':
      return withTeam(context, (team) => Promise.resolve(tell(context, team.status())))
    case 'push':
      return withTeam(context, async (team) => {
        const pushed = await team.push(context.signal)
        const { jobs, entries, pictures, stopped } = pushed
        context.terminal.result({ ...pushed, ...team.status() }, message('terminalTeam.pushed', { jobs, entries, pictures, stopped }))
        return stopped > 0 ? exitCodes.attention : exitCodes.done
      })
    case 'jobs':
      return withTeam(context, async (team) => {
        const page = await team.jobs({ search: values.search, state: values.state, after: values.after, limit: readLimit(values) }, context.signal)
        const { text } = context.terminal
        const line = ({ id, state, template, device, vehicle, customer, holder, updatedAt }: TeamJob) => [id, state, template.name, `${device.model} ${device.imei}`, vehicle?.name ?? '-', customer, holder, updatedAt].map(text).join('  ')
        context.terminal.result(page.jobs.map((job) => ({ ...job, template: job.template.id })), page.jobs.map(line).join('\n') || message('terminal.noJobs'))
        if (page.isSimilar) context.terminal.say(message('terminal.listSimilar'))
        if (page.next !== null) context.terminal.say(message('terminal.listMore', { next: page.next }))
        return exitCodes.done
      })
    case 'prepare':
      return prepare(context, values)
    case 'assigned':
      return tellAssigned(context, values)
    case 'withdraw':
      return withdraw(context, name)
    case 'leave':
      return withTeam(context, async (team) => {
        const left = await team.leave(context.signal)
        context.terminal.result(left, message('terminalTeam.left', { told: left.toldServer ? 'yes' : 'no' }))
        return exitCodes.done
      })
    default:
      throw usageError(message('terminal.takes', { what: 'team', choices: 'init, invite, join, status, push, jobs, prepare, assigned, withdraw, leave' }))
  }
}

function readLimit({ limit }: CommandValues): number {
  const wanted = limit === undefined ? 100 : Number(limit)
  if (!Number.isInteger(wanted) || wanted < 1 || wanted > 999) throw usageError(message('terminal.wholeNumber', { what: '--limit', least: 1, most: 999 }))
  return wanted
}

/** Makes the schema and a team, as the owner of the database; again, it is harmless. */
async function init(context: CommandContext, values: CommandValues): Promise<number> {
  const server = serverOf(values)
  const team = values.team ?? standardTeam
  const applied = await asOwner(context, server, async (client) => {
    const count = await raiseSchema(client)
    await makeTeam(client, team)
    return count
  })
  context.terminal.result({ team, host: server.host, applied }, message('terminalTeam.ready', { team, host: server.host, applied }))
  return exitCodes.done
}

/** Makes a login of its own for one laptop, and the file with which it joins. */
async function invite(context: CommandContext, name: string, values: CommandValues): Promise<number> {
  const file = required(values.out, '--out FILE')
  const server = serverOf(values)
  const team = values.team ?? standardTeam
  const { login, password } = await asOwner(context, server, (client) => inviteLaptop(client, { team, name, mayWrite: values.reader !== true }))
  writeOut(file, Buffer.from(writeJoinFile({ team, name, server: { ...server, user: login }, password })), { isSecret: true })
  context.terminal.result({ team, name, login, file }, message('terminalTeam.invited', { name, file }))
  return exitCodes.done
}

function serverOf(values: CommandValues): TeamServer {
  const address = readServerAddress(required(values.url, '--url postgres://USER@HOST/DATABASE'))
  if (values.ca === undefined) return { ...address, authority: null }
  const read = readAuthorities(readFileSync(values.ca, 'utf8'))
  if (read.kind !== 'read') throw usageError(message('terminalTeam.noCertificate', { file: values.ca }))
  return { ...address, authority: read.certificates.join('') }
}

async function asOwner<T>(context: CommandContext, server: TeamServer, work: Parameters<typeof withServer<T>>[2]): Promise<T> {
  const given = givenTeamPassword()
  if (given === undefined && !context.terminal.canAsk) throw usageError(message('terminalTeam.noPassword'))
  const password = given ?? (await context.terminal.askSecret(message('terminal.password'), context.signal))
  return withServer(server, password, work, { signal: context.signal })
}

function tell({ terminal }: CommandContext, status: TeamStatus): number {
  const { joined, server, pushedAt, waiting, stopped } = status
  const lines =
    joined && server
      ? [
          message('terminalTeam.status', { team: joined.team, name: joined.name, host: server.host, waiting }),
          pushedAt === null ? message('terminalTeam.neverPushed') : message('terminalTeam.pushedAt', { pushedAt }),
          ...stopped.map(({ jobId, why }) => message('terminalTeam.stopped', { job: jobId, why }))
        ]
      : [message('team.notJoined')]
  terminal.result(status, lines.map((line) => terminal.text(line)).join('\n'))
  return stopped.length > 0 ? exitCodes.attention : exitCodes.done
}

async function withTeam(context: CommandContext, work: (team: Team) => Promise<number>): Promise<number> {
  const { secrets } = await context.connections()
  const store = await openedFolder({ dataFolder: context.common.dataFolder, terminal: context.terminal, signal: context.signal })
  try {
    return await work(createTeam({ store, secrets, given: givenTeamPassword() }))
  } finally {
    store.close()
  }
}
