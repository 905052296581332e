import { AppError } from '../../preload/contract/errors.ts'
import { correctGpsEpoch } from '../deviceFacts.ts'
import type { DevicePort } from './ports.ts'

const standstillKmh = 0.5
const fixAgeMs = 10_000

/**
 * The conditions of an output test for a single call outside a checklist, read once and strictly: fresh fix with
 * speed 0, MOT false, engine off (the relay may act on the starter). Throws INTERLOCK with what is missing.
 */
export async function checkStandstill(device: Pick<DevicePort, 'gps' | 'io'>, signal: AbortSignal): Promise<void> {
  const position = await device.gps.position({ signal })
  const lines = await device.io.all({ signal })
  const { coords, extras, timestamp } = position.value
  const missing: string[] = []
  const ageMs = timestamp === undefined ? Infinity : Math.abs(Date.now() - correctGpsEpoch(timestamp, Date.now()).unixMs)
  if (!((extras?.fix ?? 0) > 0) || !(ageMs <= fixAgeMs)) missing.push('a fresh position')
  if (coords?.speed === undefined || coords.speed > standstillKmh) missing.push('standstill')
  if (lines.value.MOT !== false) missing.push('no motion')
  if (lines.value.TIG !== false) missing.push('the engine off')
  if (missing.length > 0) throw new AppError('INTERLOCK', `The output stays off. Missing: ${missing.join(', ')}.`)
}
