import { deviceArea } from '../../../preload/contract/device/device.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import { parseDeviceName } from '../../../preload/contract/base/imei.ts'
import { readArea, safeAreas } from '../../device/client/areas.ts'
import { deviceOperationCutsLink, deviceOperationMutates, invokeDevice } from '../../device/client/operations.ts'
import { judgeCommand } from '../../device/client/console/consoleGuard.ts'
import { refusalSentence } from '../../support/deviceSession/consoleRefusal.ts'
import type { Command, CommandValues } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { exitCodes } from '../output/exitCodes.ts'
import { confirmChange, readInput, requireInput } from '../input/inputs.ts'
import { imeiIn, openDevice } from '../openDevice.ts'
import { usageError } from '../output/usage.ts'
import { setOutput } from '../setOutput.ts'

export const runDevice: Command = async (context, [host, verb, ...rest], values) => {
  const address = requireInput(host, message('terminal.theDevice'))
  if (verb === 'read') return read(context, address, rest)
  if (verb === 'call') return call(context, address, rest, values)
  throw usageError(message('terminal.takes', { what: 'device HOST', choices: 'read, call' }))
}

async function read(context: CommandContext, host: string, names: string[]): Promise<number> {
  const areas = names.length === 0 ? safeAreas : names.map((name) => toArea(name))
  const { client } = await openDevice(context, host)
  const signIn = await client.system.info({ signal: context.signal, timeoutMs: context.common.timeoutMs })
  const hostname = signIn.value.hostname
  const expected = parseDeviceName(host.replace(/:\d+$/, ''))
  if (expected && hostname !== undefined && !hostname.includes(expected.imei)) {
    throw new AppError('WRONG_DEVICE', message('terminal.wrongDevice', { host, hostname }))
  }
  const read = await Promise.all(
    areas.map(
      async (area) =>
        [area, await readArea(client, area, { signal: context.signal, timeoutMs: context.common.timeoutMs })] as const
    )
  )
  const plain = read
    .map(([area, reading]) =>
      [
        `${area} (${reading.readAt})`,
        JSON.stringify(reading.value, null, 2),
        ...reading.problems.map((problem) => `! ${context.terminal.text(problem)}`)
      ].join('\n')
    )
    .join('\n\n')
  context.terminal.result(Object.fromEntries(read), plain)
  return read.some(([, reading]) => reading.value === null) ? exitCodes.attention : exitCodes.done
}

function toArea(name: string) {
  const area = deviceArea.safeParse(name)
  if (!area.success)
    throw usageError(message('terminal.noSuch', { kind: 'area', name, choices: deviceArea.options.join(', ') }))
  return area.data
}

async function call(
  context: CommandContext,
  host: string,
  [operation]: string[],
  values: CommandValues
): Promise<number> {
  const id = requireInput(operation, message('terminal.theOperation'))
  const input = readInput(values)
  if (id === 'exec.run') await guardConsole(context, input.body, values)
  else if (deviceOperationMutates(id)) await confirmChange(context, id, values.yes)
  if (id === 'io.setOutput') return setOutput(context, host, input)
  const imei = imeiIn(host)
  if (deviceOperationCutsLink(id, input)) await context.askOutputs((row) => imei === null || row.imei === imei)
  const { client } = await openDevice(context, host)
  const reading = await invokeDevice(client, id, input, { signal: context.signal, timeoutMs: context.common.timeoutMs })
  const { operation: name, status, value, raw, problems } = reading
  context.terminal.result(
    { operation: name, status, value: value ?? null, raw: raw ?? null, problems },
    JSON.stringify(raw ?? null, null, 2)
  )
  for (const problem of problems) context.terminal.say(`! ${context.terminal.text(problem)}`)
  // None of the documented fields could be read: that is not a result.
  const isNothing = problems.length > 0 && Object.keys(Object(value)).length === 0
  return isNothing ? exitCodes.attention : exitCodes.done
}

/**
 * Destructive commands are refused before anyone is asked; a command that is not read-only is repeated word for word,
 * whatever `--yes` says.
 */
async function guardConsole(context: CommandContext, body: unknown, values: CommandValues): Promise<void> {
  const command = typeof body === 'object' && body !== null && 'command' in body ? body.command : undefined
  if (typeof command !== 'string') throw usageError(message('terminal.execForm', { example: '{"command": "..."}' }))
  const verdict = judgeCommand(command)
  if (verdict.kind === 'refused') throw new AppError('REFUSED', refusalSentence(verdict))
  if (verdict.kind === 'free') return confirmChange(context, 'exec.run', values.yes)
  if (values.confirm === command) return
  if (values.confirm !== undefined) throw usageError(message('terminal.confirmDiffers'))
  if (!context.terminal.canAsk) throw usageError(message('terminal.confirmNeeded', { command }))
  const typed = await context.terminal.ask(message('terminal.confirmAsk', { command }), context.signal)
  if (typed !== command.trim()) throw new AppError('CANCELLED', message('terminal.confirmWrong'))
}
