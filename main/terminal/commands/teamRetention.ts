import { message } from '../../../preload/contract/messages.ts'
import { dropBefore, retentionLimits as limits, setHold } from '../../team/admin/retention.ts'
import type { CommandValues } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { exitCodes } from '../output/exitCodes.ts'
import { requireInput } from '../input/inputs.ts'
import { usageError } from '../output/usage.ts'
import { onOwnedTeam } from './teamOwner.ts'

/**
 * Drops, as the owner, jobs from before a month, or with --photos-only their photos; with --dry-run it only counts
 * them.
 */
export async function dropOldMonths(context: CommandContext, values: CommandValues): Promise<number> {
  const month = requireInput(values.before, '--before 2024-01')
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) throw usageError(message('terminalTeamRetention.month'))
  const isTrial = values['dry-run'] === true
  const photosOnly = values['photos-only'] === true
  const work: Parameters<typeof onOwnedTeam>[2]['work'] = async (client) => {
    const dropped = await dropBefore(client, { month, isTrial, photosOnly, team: values.team ?? null })
    const { jobs, contents, freedBytes, heldByLaw, stillUsed } = dropped
    context.terminal.result(
      { before: month, team: values.team ?? null, dryRun: isTrial, ...(photosOnly ? { photosOnly } : {}), ...dropped },
      message(
        `terminalTeamRetention.${photosOnly ? (isTrial ? 'wouldDropPhotos' : 'droppedPhotos') : isTrial ? 'wouldDrop' : 'dropped'}`,
        { month, jobs, contents, freedBytes, heldByLaw, stillUsed }
      )
    )
    return exitCodes.done
  }
  return onOwnedTeam(context, values, { work, limits })
}

export async function holdJob(
  context: CommandContext,
  named: string | undefined,
  values: CommandValues
): Promise<number> {
  const jobId = requireInput(named, message('terminal.theJob'))
  if ((values.on === true) === (values.off === true)) throw usageError(message('terminalTeamRetention.onOrOff'))
  const reason = requireInput(values.reason, '--reason TEXT').trim()
  if (reason.length < 3) throw usageError(message('terminalTeamRetention.reason'))
  const isHeld = values.on === true
  const work: Parameters<typeof onOwnedTeam>[2]['work'] = async (client, team) => {
    await setHold(client, { team, jobId, isHeld, reason })
    context.terminal.result(
      { id: jobId, team, heldByLaw: isHeld, reason },
      message(isHeld ? 'terminalTeamRetention.held' : 'terminalTeamRetention.released', { job: jobId })
    )
    return exitCodes.done
  }
  return onOwnedTeam(context, values, { work })
}
