import type { SeenDevice, TableChange } from '../../../preload/contract/discovery.ts'
import type { Message } from '../../../preload/contract/messages.ts'
import { putTextsBeside } from '../../messages/json.ts'
import { createTexts } from '../../messages/texts.ts'
import type { Command } from '../command.ts'
import { exitCodes } from '../exitCodes.ts'

const defaultTimeoutMs = 5_000

export const runDiscover: Command = async (context, _rest, values) => {
  const { discovery } = await context.connections()
  const told = new Map<string, string>()
  const { say } = createTexts()

  function tell({ devices }: Pick<TableChange, 'devices'>): void {
    for (const device of devices) {
      const line = JSON.stringify({ ...toLine(device), standing: device.standing })
      if (told.get(device.key) === line) continue
      told.set(device.key, line)
      context.terminal.result(putTextsBeside(toLine(device), say), toText(device, say))
    }
  }

  const stop = values.watch ? discovery.onChange(tell) : undefined
  const table = discovery.watch()
  context.terminal.say(`Listening on ${table.cards.filter((card) => card.problem === null).map((card) => card.name).join(', ') || 'no network card'} …`)
  await wait(context.common.timeoutMs ?? (values.watch ? undefined : defaultTimeoutMs), context.signal)
  stop?.()
  const { devices } = discovery.table()
  // Changes are told in steps: the last ones may still be on their way.
  tell({ devices })
  if (devices.length === 0) context.terminal.say('No device was heard. "fitter doctor" looks for the reason.')
  return exitCodes.done
}

function toLine(device: SeenDevice) {
  const { imei, model, hostname, addresses, port, card, via, verified, firstSeenMs, osVersion, standing, detail } = device
  return { imei, model, hostname, addresses, port, card, via, verified, firstSeenMs, ...(osVersion ? { osVersion } : {}), standing, detail }
}

const standingWords: Record<SeenDevice['standing'], string> = {
  found: 'found',
  answering: 'answering',
  needsSignIn: 'needs sign-in',
  verified: 'verified',
  impostor: 'IMPOSTOR',
  wrongService: 'not a device',
  conflict: 'TWO WITH THIS IMEI',
  lost: 'lost'
}

function toText(device: SeenDevice, say: (message: Message) => string): string {
  const name = device.imei ? `${device.model ?? 'device'} ${device.imei}` : (device.hostname ?? device.key)
  const [address] = device.addresses
  const place = address === undefined ? 'no address' : `${address.includes(':') ? `[${address}]` : address}:${device.port}`
  return `${name}  ${place}  ${standingWords[device.standing]}  ${say(device.detail)}`
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
