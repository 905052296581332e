import { message } from '../../../preload/contract/messages.ts'
import type { TakeOverResult } from '../../../preload/contract/job/transfers.ts'
import type { CommandValues } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { exitCodes } from '../output/exitCodes.ts'
import { requireInput } from '../input/inputs.ts'

/** `job export ID... --out FILE [--to NAME]`: hands jobs over, or recreates the file of jobs that have left. */
export async function handOver(
  context: CommandContext,
  ids: readonly string[],
  values: CommandValues
): Promise<number> {
  requireInput(ids[0], message('terminal.theJob'))
  const file = requireInput(values.out, '--out FILE')
  const core = await context.core()
  const given = await core.transfers.give({ jobIds: ids, to: values.to ?? '', file }, context.signal)
  const { jobs, operations, attachments, isAgain } = given
  context.terminal.result(
    given,
    message(isAgain ? 'terminal.handedOverAgain' : 'terminal.handedOver', {
      file,
      jobs: jobs.length,
      operations,
      pictures: attachments
    })
  )
  return exitCodes.done
}

/** `job import FILE`: takes over what another laptop handed over. */
export async function takeOver(context: CommandContext, file: string): Promise<number> {
  const core = await context.core()
  return printTakeOver(context, await core.transfers.take(file))
}

export function printTakeOver({ terminal }: CommandContext, taken: TakeOverResult): number {
  const { outcome, jobs, operations } = taken
  const lines = [
    message('terminal.tookOver', { outcome, jobs: jobs.length, operations: operations.length }),
    ...(outcome === 'alreadyHere' ? [] : operations.map(({ title }) => message('terminal.tookOverWork', { title })))
  ]
  terminal.result(taken, lines.map(terminal.text).join('\n'))
  return exitCodes.done
}
