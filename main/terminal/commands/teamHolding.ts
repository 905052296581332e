import { message, type Message } from '../../../preload/contract/messages.ts'
import type { LostJob, TeamOffer } from '../../../preload/contract/team/teamHolding.ts'
import type { Command } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { exitCodes } from '../output/exitCodes.ts'
import { requireInput } from '../input/inputs.ts'
import { sayOften } from '../output/progress.ts'
import { usageError } from '../output/usage.ts'
import { printTakeOver } from './jobTransfer.ts'

/** The limit of the team log. */
const leastReason = 3
const mostReason = 500

/**
 * `team hand-over JOB... [--to NAME]`: hands jobs to another laptop through the team log; `--withdraw ID`: withdraws
 * them.
 */
export const handOverInTeam: Command = async (context, ids, values) => {
  const { withdraw } = values
  if (withdraw === undefined) requireInput(ids[0], message('terminal.theJob'))
  const { holding } = (await context.core()).teamLog
  const offer =
    withdraw === undefined
      ? await holding.handOver({ jobIds: ids, to: (values.to ?? '').trim() }, context.signal)
      : (await holding.withdraw(withdraw, context.signal)).offer
  context.terminal.result(offer, sayOffer(context, offer))
  return offer.state === 'leaving' || offer.state === 'withdrawing' ? exitCodes.attention : exitCodes.done
}

/** `team pull [OFFER...]`: imports what was handed to this laptop, and shows what was taken over from it. */
export const pullInTeam: Command = async (context, ids) => {
  const { holding } = (await context.core()).teamLog
  if (holding.isUnderWay()) await holding.goOn(context.signal)
  const pulled = await holding.pull(context.signal, ids)
  const open = pulled.offers.filter(({ state }) => state !== 'taken' && state !== 'withdrawn')
  const { text } = context.terminal
  const lines = [
    text(
      message('terminalTeamHolding.pulled', {
        arrived: pulled.arrived.length,
        lost: pulled.lost.length,
        offers: open.length
      })
    ),
    ...pulled.arrived.flatMap(({ jobs }) =>
      jobs
        .filter(({ isTaken }) => isTaken)
        .map(({ id, vehicle }) => text(message('terminalTeamHolding.arrived', { job: id, vehicle })))
    ),
    ...pulled.lost.map((lost) => text(sayLost(lost))),
    ...open.map((offer) => sayOffer(context, offer))
  ]
  context.terminal.result(pulled, lines.join('\n'))
  return pulled.lost.length > 0 || open.some(({ why }) => why !== null) ? exitCodes.attention : exitCodes.done
}

/** `team take-over JOB --reason TEXT`: for a job whose holder is lost. */
export const takeOverInTeam: Command = async (context, [jobId], values) => {
  const id = requireInput(jobId, message('terminal.theJob'))
  const reason = requireInput(values.reason, '--reason TEXT').trim()
  if (reason.length < leastReason || reason.length > mostReason)
    throw usageError(message('terminalTeamHolding.reason', { least: leastReason, most: mostReason }))
  const { holding } = (await context.core()).teamLog
  const far = sayOften(context.terminal, (done, all) => message('terminalTeamHolding.pictures', { done, all }))
  return printTakeOver(
    context,
    await holding.takeOver({ jobId: id, reason }, context.signal, ({ done, total }) => far(done, total))
  )
}

/** Hand-overs and returns continue with a push. */
export async function goOnInTeam(context: CommandContext): Promise<void> {
  await (await context.core()).teamLog.holding.goOn(context.signal)
}

function sayOffer(
  { terminal: { text } }: CommandContext,
  { id, to, state, why, takenBy, jobs, from, direction }: TeamOffer
): string {
  const line = message('terminalTeamHolding.offer', {
    id,
    state,
    jobs: jobs.length,
    named: to === '' ? 'no' : 'yes',
    to,
    taker: takenBy === '' ? 'no' : 'yes',
    by: takenBy,
    ours: direction === 'mine' ? 'yes' : 'no',
    from
  })
  return [text(line), ...(why === null ? [] : [`  ${text(why)}`])].join('\n')
}

function sayLost({ jobId, by, reason }: LostJob): Message {
  return message('terminalTeamHolding.lost', { job: jobId, by, told: reason === '' ? 'no' : 'yes', reason })
}
