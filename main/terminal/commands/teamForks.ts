import { message } from '../../../preload/contract/messages.ts'
import type { ListedFork } from '../../../preload/contract/team/teamForks.ts'
import type { Command } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { exitCodes } from '../output/exitCodes.ts'
import { requireInput } from '../input/inputs.ts'

/** `team forks`: diverging jobs, and their state on this laptop. */
export const listForksInTeam: Command = async (context) => {
  const { holding } = (await context.core()).teamLog
  const forks = await holding.forks(context.signal)
  context.terminal.result(
    forks,
    forks.map((fork) => sayFork(context, fork)).join('\n') || message('terminalTeamForks.none')
  )
  return forks.some(({ here }) => here === 'stopped') ? exitCodes.attention : exitCodes.done
}

/** `team settle JOB --reason TEXT`: adopts the team's log; the local one is set aside and kept. */
export const settleInTeam: Command = async (context, [jobId], values) => {
  const id = requireInput(jobId, message('terminal.theJob'))
  const reason = requireInput(values.reason, '--reason TEXT')
  const { holding } = (await context.core()).teamLog
  const settled = await holding.settle({ jobId: id, reason }, context.signal)
  const { text } = context.terminal
  const { seq, entries, holder, operations } = settled
  const lines = [
    text(
      message('terminalTeamForks.settled', {
        job: id,
        entry: seq,
        entries,
        named: holder === '' ? 'no' : 'yes',
        holder
      })
    ),
    ...operations.map(({ id: operation, title, state }) =>
      text(message('terminalTeamForks.work', { operation, title, state }))
    )
  ]
  context.terminal.result(settled, lines.join('\n'))
  return operations.length > 0 ? exitCodes.attention : exitCodes.done
}

function sayFork(
  { terminal: { text } }: CommandContext,
  { jobId, name, seq, log, other, here, isSettled, settled = [] }: ListedFork
): string {
  const side = ({ by, pushedAt, entries, more }: ListedFork['log']) => ({ by, pushedAt, n: entries.length + more })
  return [
    text(
      message('terminalTeamForks.fork', {
        job: jobId,
        name,
        entry: seq,
        here: here ?? 'no',
        settled: isSettled ? 'yes' : 'no'
      })
    ),
    `  ${text(message('terminalTeamForks.ofTeam', side(log)))}`,
    `  ${text(message('terminalTeamForks.beside', side(other)))}`,
    ...settled.map(
      ({ by, at, reason }) => `  ${text(message('terminalTeamForks.settledBy', { by, settledAt: at, reason }))}`
    )
  ].join('\n')
}
