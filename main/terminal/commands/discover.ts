import type { SeenDevice, TableChange } from '../../../preload/contract/device/discovery.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { Terminal } from '../output/terminal.ts'
import type { Command } from '../command.ts'
import { exitCodes } from '../output/exitCodes.ts'

const defaultTimeoutMs = 5_000

export const runDiscover: Command = async (context, _rest, values) => {
  const { discovery } = await context.connections()
  const told = new Map<string, string>()
  const { text } = context.terminal

  function tell({ devices }: Pick<TableChange, 'devices'>): void {
    for (const device of devices) {
      const line = JSON.stringify({ ...toLine(device), standing: device.standing })
      if (told.get(device.key) === line) continue
      told.set(device.key, line)
      context.terminal.result(toLine(device), toText(device, text))
    }
  }

  const stop = values.watch ? discovery.onChange(tell) : undefined
  const table = discovery.watch()
  const cards = table.cards.filter((card) => card.problem === null).map((card) => card.name)
  context.terminal.say(
    message('terminal.listening', { cards: cards.length === 0 ? message('terminal.noCard') : cards })
  )
  await wait(context.common.timeoutMs ?? (values.watch ? undefined : defaultTimeoutMs), context.signal)
  stop?.()
  const { devices } = discovery.table()
  // Changes are reported in steps: the last ones may still be pending.
  tell({ devices })
  if (devices.length === 0) context.terminal.say(message('terminal.noDevice'))
  return exitCodes.done
}

function toLine(device: SeenDevice) {
  const { imei, model, hostname, addresses, port, card, via, verified, firstSeenMs, osVersion, standing, detail } =
    device
  return {
    imei,
    model,
    hostname,
    addresses,
    port,
    card,
    via,
    verified,
    firstSeenMs,
    ...(osVersion ? { osVersion } : {}),
    standing,
    detail
  }
}

function toText(device: SeenDevice, text: Terminal['text']): string {
  const name = device.imei
    ? `${device.model ?? text(message('terminal.device'))} ${device.imei}`
    : (device.hostname ?? device.key)
  const [address] = device.addresses
  const place =
    address === undefined
      ? text(message('terminal.noAddress'))
      : `${address.includes(':') ? `[${address}]` : address}:${device.port}`
  return `${text(name)}  ${text(place)}  ${text(message('terminal.standing', { standing: device.standing }))}  ${text(device.detail)}`
}

function wait(ms: number | undefined, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = ms === undefined ? setInterval(() => undefined, 60_000) : setTimeout(end, ms)
    function end(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    if (signal.aborted) end()
    else signal.addEventListener('abort', end)
  })
}
