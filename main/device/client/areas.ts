import type { AreaReading, DeviceArea } from '../../../preload/contract/device/device.ts'
import type { Reading } from '../../../preload/contract/device/deviceAreas.ts'
import type { Json } from '../../../preload/contract/define.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import type { DeviceClient } from './client.ts'
import { maskSecrets } from './masking.ts'
import type { CallOptions } from './wire.ts'

type Part = (client: DeviceClient, options: CallOptions) => Promise<Reading<unknown>>

/** The source of an area: one operation, or several that are shown together. */
const parts: Record<DeviceArea, Part | Record<string, Part>> = {
  gps: (client, options) => client.gps.position(options),
  eth: (client, options) => client.eth.state(options),
  wifi: {
    state: (client, options) => client.wifi.state(options),
    list: (client, options) => client.wifi.list(options)
  },
  hotspot: {
    state: (client, options) => client.hotspot.state(options),
    list: (client, options) => client.hotspot.list(options)
  },
  modem: {
    information: (client, options) => client.modem.information(options),
    configuration: (client, options) => client.modem.configuration(options)
  },
  io: (client, options) => client.io.all(options),
  accelerometer: {
    state: (client, options) => client.accel.state(options),
    configuration: (client, options) => client.accel.configuration(options)
  },
  system: (client, options) => client.system.info(options),
  updates: (client, options) => client.updates.osCheck(options),
  apps: (client, options) => client.apps.list(options)
}

/** The read-only areas, without `updates`: its check may start an update, so it is read only on an explicit request. */
export const safeAreas: readonly DeviceArea[] = [
  'gps',
  'eth',
  'wifi',
  'hotspot',
  'modem',
  'io',
  'accelerometer',
  'system',
  'apps'
]

/**
 * Reads an area of the device. An area of one operation has the documented object as its value; one of several has an
 * object keyed by part (`{state, list}`, `{information, configuration}`, `{state, configuration}`). A part that fails
 * becomes a problem and does not hide the others; the value is null when nothing could be read. Secrets are masked.
 * Only a cancelled signal throws (CANCELLED).
 */
export async function readArea(
  client: DeviceClient,
  area: DeviceArea,
  options: CallOptions = {}
): Promise<AreaReading> {
  const source = parts[area]
  if (typeof source === 'function') {
    const { value, problems } = await readPart('', source, client, options)
    return { value: value ?? null, readAt: new Date().toISOString(), problems }
  }
  const read = await Promise.all(
    Object.entries(source).map(async ([name, part]) => ({ name, ...(await readPart(name, part, client, options)) }))
  )
  const found = read.filter(({ value }) => value !== undefined)
  return {
    value: found.length === 0 ? null : Object.fromEntries(found.map(({ name, value }) => [name, value ?? null])),
    readAt: new Date().toISOString(),
    problems: read.flatMap(({ problems }) => problems)
  }
}

interface PartResult {
  value: Json | undefined
  problems: Message[]
}

async function readPart(prefix: string, part: Part, client: DeviceClient, options: CallOptions): Promise<PartResult> {
  try {
    const reading = await part(client, options)
    const isEmpty = reading.problems.length > 0 && Object.keys(Object(reading.value)).length === 0
    return {
      value: isEmpty ? undefined : (maskSecrets(reading.value) as Json),
      problems:
        prefix === ''
          ? reading.problems
          : reading.problems.map((problem) => message('reading.ofPart', { part: prefix, problem }))
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'CANCELLED') throw error
    return { value: undefined, problems: [error.sentence] }
  }
}
