import { AppError, type CallResult } from '../../../preload/contract/errors.ts'
import { calls, type CallName } from '../../../preload/contract/index.ts'
import { message } from '../../../preload/contract/messages.ts'
import { resourcesFolder } from '../../base/projectFolder.ts'
import { openWorkplace } from '../../app/workplace.ts'
import type { Command } from '../command.ts'
import { givenCredentials, takeTeamPassword } from '../input/environmentCredentials.ts'
import { readInput } from '../input/inputs.ts'
import { exitCodes } from '../output/exitCodes.ts'
import { usageError } from '../output/usage.ts'

/**
 * Makes one call of the contract, as the window does: its name and input are checked by the core, and its answer is
 * printed as JSON. Without a name, the calls are listed. What it switched on goes off before it ends.
 */
export const runCall: Command = async (context, [name, body], values) => {
  const { terminal, common } = context
  if (name === undefined) {
    const names = Object.keys(calls).sort()
    terminal.result(names, names.join('\n'))
    return exitCodes.done
  }
  if (!isCall(name)) throw usageError(message('terminal.noSuchCall', { name, nearest: nearestOf(name) }))
  const input = body === undefined ? {} : readInput({ body }).body
  const host = openWorkplace({
    frontEnd: 'terminal',
    dataFolder: common.dataFolder,
    resourcesFolder,
    gatewayUrl: common.gatewayUrl,
    given: givenCredentials(),
    teamPassword: takeTeamPassword(),
    start: values.training ? 'training' : 'real',
    openPage: () => Promise.reject(new AppError('REFUSED', message('terminal.noPages')))
  })
  context.takeFaults((error) => host.faulted(error))
  context.takeOutputs(async () => (await host.outputsOff())?.sentence ?? message('terminal.offBeforeStop'))
  let left: Awaited<ReturnType<typeof host.outputsOff>> = null
  let result: CallResult<unknown>
  try {
    result = await host.call(name, input)
  } finally {
    left = await host.outputsOff()
    if (left) terminal.warn(left.sentence)
    await host.stop()
  }
  if (!result.ok) throw new AppError(result.error.code, result.error.message, { retryable: result.error.retryable })
  terminal.result(result.value, JSON.stringify(result.value, undefined, 2))
  return left ? exitCodes.attention : exitCodes.done
}

function isCall(name: string): name is CallName {
  return Object.hasOwn(calls, name)
}

/** Names of the same group, or those that contain the word, or else the groups. */
function nearestOf(name: string): string {
  const names = Object.keys(calls)
  const groups = [...new Set(names.map((one) => `${one.split('.')[0]}.`))]
  const near = [
    names.filter((one) => one.startsWith(`${name.split('.')[0]}.`)),
    names.filter((one) => one.toLowerCase().includes(name.toLowerCase()))
  ].find((list) => list.length > 0)
  return (near ?? groups).join(', ')
}
