import { devicePort, isLocalIp } from '../../base/addresses/address.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { Probe, ProbeResult } from './probe.ts'
import { doubtfulAddresses } from './sameDevice.ts'
import { expectedName, isSameHost, type DeviceEntry } from './sighting.ts'
import { rankAddresses } from './table.ts'

export interface ProbeAddress {
  address: string
  port: number
}

const mostAtOnce = 8
const limitMs = 2000
/** A probe that keeps the limit itself says more about its silence. */
const graceMs = 250

/** A gate for at most eight probes at a time, in order. */
export function createProbeGate(probe: Probe): Probe {
  let running = 0
  const waiting: (() => void)[] = []
  return async (target, signal) => {
    if (running >= mostAtOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    running += 1
    try {
      if (signal.aborted) throw new AppError('CANCELLED', message('discovery.noLongerAsked'))
      return await limited(probe, target, signal)
    } finally {
      running -= 1
      waiting.shift()?.()
    }
  }
}

/** The probe is a parameter, so the 2 s are enforced here as well. */
async function limited(probe: Probe, target: Parameters<Probe>[0], signal: AbortSignal): Promise<ProbeResult> {
  const limit = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<ProbeResult>((resolve) => {
    timer = setTimeout(() => {
      resolve({ kind: 'unreachable', detail: message('discovery.noAnswerIn', { limitMs }), refused: false })
      limit.abort()
    }, limitMs + graceMs)
  })
  const asked = probe(target, AbortSignal.any([signal, limit.signal])).catch((error: unknown): ProbeResult => {
    if (signal.aborted) throw new AppError('CANCELLED', message('discovery.noLongerAsked'), { cause: error })
    return {
      kind: 'unreachable',
      detail: error instanceof AppError ? error.sentence : message('discovery.couldNotAsk'),
      refused: false
    }
  })
  try {
    return await Promise.race([asked, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Addresses to try, best first: the last one that answered, then its announced ports, then 8080. */
export function placesOf(entry: DeviceEntry): ProbeAddress[] {
  const places: ProbeAddress[] = []
  const add = (place: ProbeAddress): void => {
    if (!places.some((held) => held.address === place.address && held.port === place.port)) places.push(place)
  }
  const ranked = rankAddresses(entry)
  const last = entry.answer
  if (last && last.result.kind !== 'unreachable' && ranked.some((item) => item.address === last.address)) {
    const top = ranked[0]
    // A new announced address goes first although the old one answered.
    if (top?.address === last.address) add({ address: last.address, port: last.port })
  }
  for (const { address, sighting } of ranked) {
    // Anyone on the network can announce anything; a public address is asked only if a person entered it.
    if (!isLocalIp(address) && sighting.via !== 'address') continue
    for (const port of sighting.ports) add({ address, port })
    // On loopback port 8080 may belong to any program; only the announced port is used.
    const isOwnMachine = address.startsWith('127.') && sighting.ports.length > 0
    if (!isOwnMachine) add({ address, port: devicePort })
  }
  return places.slice(0, 8)
}

function rank(result: ProbeResult, name: string | null): number {
  if (result.kind === 'device') return name === null || isSameHost(name, result.hostname) ? 0 : 2
  return { needsSignIn: 1, wrongService: 3, unreachable: 4 }[result.kind]
}

/** Tries the best address and, if that is not the device, all others at once; returns the best result. */
export async function probeEntry(
  entry: DeviceEntry,
  probe: Probe,
  signal: AbortSignal
): Promise<{ result: ProbeResult; place: ProbeAddress } | undefined> {
  const name = expectedName(entry)
  const ask = async (place: ProbeAddress): Promise<{ result: ProbeResult; place: ProbeAddress }> => ({
    result: await probe({ host: place.address, port: place.port, imei: entry.imei }, signal),
    place
  })
  const [first, ...others] = placesOf(entry)
  if (!first) return undefined
  const answer = await ask(first)
  if (rank(answer.result, name) <= 1 || others.length === 0) return answer
  const answers = [answer, ...(await Promise.all(others.map(ask)))]
  return answers.sort((a, b) => rank(a.result, name) - rank(b.result, name))[0]
}

/**
 * Asks the addresses that may belong to another device of the same name; a device that tells nothing cannot be
 * compared.
 */
export async function probeBeside(
  entry: DeviceEntry,
  { result, place }: { result: ProbeResult; place: ProbeAddress },
  probe: Probe,
  signal: AbortSignal
): Promise<Map<string, ProbeResult>> {
  const doubtful = doubtfulAddresses(entry).filter(isLocalIp).slice(0, 8)
  if (result.kind !== 'device' || doubtful.length < 2) return new Map()
  const places = placesOf(entry)
  const others = doubtful
    .filter((address) => address !== place.address)
    .map((address) => places.find((one) => one.address === address) ?? { address, port: devicePort })
  const answers = others.map(async ({ address, port }): Promise<[string, ProbeResult]> => [
    address,
    await probe({ host: address, port, imei: entry.imei }, signal)
  ])
  return new Map([[place.address, result], ...(await Promise.all(answers))])
}
