import { resolve } from 'node:path'
import { message } from '../../../preload/contract/messages.ts'
import type { TeamStatus } from '../../../preload/contract/team/team.ts'
import { mostJoinFileBytes, readJoinFile } from '../../team/server/joinFile.ts'
import { createTeamCopy } from '../../team/reading/localCopy.ts'
import type { Command } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { exitCodes } from '../output/exitCodes.ts'
import { requireInput } from '../input/inputs.ts'
import { withTeam } from '../withTeam.ts'
import { sayOften } from '../output/progress.ts'
import { readBounded } from '../input/readBounded.ts'
import { usageError } from '../output/usage.ts'
import { prepareJob, tellAssigned, withdrawJob } from './teamAssigned.ts'
import { listForksInTeam, settleInTeam } from './teamForks.ts'
import { goOnInTeam, handOverInTeam, pullInTeam, takeOverInTeam } from './teamHolding.ts'
import { listTeamJobs } from './teamJobs.ts'
import { initTeam, inviteToTeam, listTeamLogins, removeFromTeam } from './teamOwner.ts'
import { dropOldMonths, holdJob } from './teamRetention.ts'

export const runTeam: Command = async (context, [verb, name, ...more], values) => {
  const beyond = wordsBeyond(verb, name === undefined ? [] : [name, ...more])
  if (beyond.length > 0) throw usageError(message('terminalTeamOwner.words', { given: beyond }))
  switch (verb) {
    case 'init':
      return initTeam(context, values)
    case 'invite':
      return inviteToTeam(context, name, values)
    case 'remove':
      return removeFromTeam(context, name, values)
    case 'logins':
      return listTeamLogins(context, values)
    case 'retention':
      return dropOldMonths(context, values)
    case 'hold':
      return holdJob(context, name, values)
    case 'join':
      return withTeam(context, async (team) => {
        const file = resolve(requireInput(name, message('terminal.theJoinFile')))
        const joining = readJoinFile(readBounded(file, mostJoinFileBytes).toString('utf8'))
        const status = await team.join(joining, context.signal, file)
        const { secrets } = await context.connections()
        if ((await secrets.status()).kind === 'thisRunOnly')
          context.terminal.warn(message('teamWay.keptThisRun', { file }))
        context.terminal.result(
          status,
          message('terminalTeam.joined', {
            team: status.joined?.team ?? '',
            name: status.joined?.name ?? '',
            waiting: status.waiting
          })
        )
        return exitCodes.done
      })
    case 'status':
      return withTeam(context, (team) => tell(context, team.status()))
    case 'push': {
      const { pushed, status } = await withTeam(context, async (team) => {
        const far = sayOften(context.terminal, (jobs, entries) =>
          message('teamPush.far', { jobs, entries, waiting: team.status().waiting })
        )
        return {
          pushed: await team.push(context.signal, ({ jobs, entries }) => far(jobs, entries)),
          status: team.status()
        }
      })
      // Hand-overs and returns are completed first, so that one answer has the final state.
      if (status.leaving > 0) await goOnInTeam(context)
      const { jobs, entries, pictures, stopped } = pushed
      const now = status.leaving > 0 ? await withTeam(context, (team) => team.status()) : status
      context.terminal.result(
        { ...pushed, ...now },
        message('terminalTeam.pushed', { jobs, entries, pictures, stopped })
      )
      return stopped > 0 ? exitCodes.attention : exitCodes.done
    }
    case 'jobs':
      return withTeam(context, (team, store) =>
        listTeamJobs(context, values, createTeamCopy({ team, kept: store.teamCopies }))
      )
    case 'prepare':
      return prepareJob(context, values)
    case 'assigned':
      return tellAssigned(context, values)
    case 'withdraw':
      return withdrawJob(context, name)
    case 'hand-over':
      return handOverInTeam(context, name === undefined ? [] : [name, ...more], values)
    case 'pull':
      return pullInTeam(context, name === undefined ? [] : [name, ...more], values)
    case 'take-over':
      return takeOverInTeam(context, name === undefined ? [] : [name], values)
    case 'forks':
      return listForksInTeam(context, [], values)
    case 'settle':
      return settleInTeam(context, name === undefined ? [] : [name], values)
    case 'leave':
      return withTeam(context, async (team) => {
        const left = await team.leave(context.signal)
        context.terminal.result(left, message('terminalTeam.left', { told: left.toldServer ? 'yes' : 'no' }))
        return exitCodes.done
      })
    default:
      throw usageError(
        message('terminal.takes', {
          what: 'team',
          choices:
            'init, invite, remove, logins, retention, hold, join, status, push, pull, jobs, hand-over, take-over, forks, settle, prepare, assigned, withdraw, leave'
        })
      )
  }
}

/** Words that no command uses. Without quotes around its name, a different laptop would be named. */
function wordsBeyond(verb: string | undefined, words: string[]): string[] {
  if (['hand-over', 'pull'].includes(verb ?? '')) return []
  if (['invite', 'remove', 'hold', 'join', 'withdraw', 'take-over', 'settle'].includes(verb ?? ''))
    return words.slice(1)
  return ['init', 'logins', 'retention', 'status', 'push', 'jobs', 'forks', 'prepare', 'assigned', 'leave'].includes(
    verb ?? ''
  )
    ? words
    : []
}

function tell({ terminal }: CommandContext, status: TeamStatus): number {
  const { joined, server, pushedAt, waiting, leaving, held, stopped } = status
  const lines =
    joined && server
      ? [
          message('terminalTeam.status', { team: joined.team, name: joined.name, host: server.host, waiting }),
          pushedAt === null ? message('terminalTeam.neverPushed') : message('terminalTeam.pushedAt', { pushedAt }),
          ...(leaving > 0 ? [message('terminalTeamHolding.leaving', { leaving })] : []),
          ...held.map(({ jobId, why }) => message('terminalTeamHolding.held', { job: jobId, why })),
          ...stopped.map(({ jobId, why }) => message('terminalTeam.stopped', { job: jobId, why }))
        ]
      : [message('team.notJoined')]
  terminal.result(status, lines.map((line) => terminal.text(line)).join('\n'))
  return stopped.length > 0 ? exitCodes.attention : exitCodes.done
}
