import { message, type Message } from '../../../preload/contract/messages.ts'
import type { AccessoryView } from '../../../preload/contract/gateway/accessories.ts'
import type { OutputCondition } from '../../../preload/contract/gateway/remoteOutputs.ts'
import type { GatewayOutputLimits } from './limits.ts'

type Ages = Pick<GatewayOutputLimits, 'gatewayFreshS' | 'gatewayAheadS'>
export type JudgedView = Pick<AccessoryView, 'event' | 'engineBus' | 'lines' | 'linesAt'>

/**
 * Whether an output may be switched on from here. Every condition needs a fresh reading; an unknown value does not meet
 * it.
 */
export function judgeOutput(
  view: JudgedView,
  { isBusy, nowMs, limits }: { isBusy: boolean; nowMs: number; limits: Ages }
): OutputCondition[] {
  const { event, engineBus } = view
  const ignition = newestIgnition(view, nowMs, limits)
  const engineOn = engineBus?.isDetected === true ? engineBus.isEngineOn : null
  const eventAgeS = event === null ? null : Math.round((nowMs - Date.parse(event.at)) / 1000)
  return [
    {
      id: 'fresh',
      holds: event !== null && isFresh(event.at, nowMs, limits),
      what:
        eventAgeS === null
          ? message('gatewayOutputs.noEvent')
          : eventAgeS < -limits.gatewayAheadS
            ? message('gatewayOutputs.eventAhead', { aheadS: -eventAgeS })
            : message('gatewayOutputs.eventAge', { ageS: eventAgeS, mostS: limits.gatewayFreshS })
    },
    {
      id: 'standing',
      holds:
        event?.speedKmh === 0 &&
        event.validPosition === true &&
        isFresh(event.speedAt, nowMs, limits) &&
        (event.movedM ?? null) === null &&
        event.isFixDoubted !== true,
      what: saySpeed(event, nowMs, limits)
    },
    {
      id: 'engineOff',
      holds: ignition === false && engineOn !== true,
      what:
        ignition === null
          ? message('gatewayOutputs.noIgnition', { mostS: limits.gatewayFreshS })
          : ignition
            ? message('gatewayOutputs.ignitionOn')
            : engineOn === true
              ? message('gatewayOutputs.engineRuns')
              : message('gatewayOutputs.ignitionOff')
    },
    { id: 'idle', holds: !isBusy, what: message(isBusy ? 'gatewayOutputs.busy' : 'gatewayOutputs.idle') }
  ]
}

/**
 * What is known of the speed, and why it does not count: it is of the newest event that names one, which may be older
 * than the newest event.
 */
function saySpeed(event: JudgedView['event'], nowMs: number, limits: Ages): Message {
  if (event === null || event.speedKmh === null || event.speedAt === null) return message('gatewayOutputs.noSpeed')
  const ageS = Math.round((nowMs - Date.parse(event.speedAt)) / 1000)
  if (isFresh(event.speedAt, nowMs, limits)) {
    if (event.validPosition !== true || event.isFixDoubted === true) return message('gatewayOutputs.positionInvalid')
    if (event.speedKmh === 0 && typeof event.movedM === 'number')
      return message('gatewayOutputs.movedWithoutSpeed', { distanceM: Math.round(event.movedM) })
    return message('gatewayOutputs.speed', { speedKmh: event.speedKmh })
  }
  return ageS < 0
    ? message('gatewayOutputs.eventAhead', { aheadS: -ageS })
    : message('gatewayOutputs.speedAge', { ageS, mostS: limits.gatewayFreshS })
}

function isFresh(at: string | null, nowMs: number, { gatewayFreshS, gatewayAheadS }: Ages): boolean {
  // Without a time its age is no number, and it is not fresh.
  const ageMs = nowMs - Date.parse(at ?? '')
  return ageMs >= -gatewayAheadS * 1000 && ageMs <= gatewayFreshS * 1000
}

/** By the line or by an event, whichever is newer; null when neither is fresh. At the same time, "on" counts. */
function newestIgnition({ event, lines, linesAt }: JudgedView, nowMs: number, limits: Ages): boolean | null {
  const line = lines.find(({ kind }) => kind === 'ignition')?.on ?? null
  const seen = [
    { on: line, at: linesAt },
    { on: event?.ignition ?? null, at: event?.ignitionAt ?? null }
  ].filter(({ on, at }) => on !== null && isFresh(at, nowMs, limits))
  const newestMs = Math.max(...seen.map(({ at }) => Date.parse(at ?? '')))
  const newest = seen.filter(({ at }) => Date.parse(at ?? '') === newestMs)
  return newest.length === 0 ? null : newest.some(({ on }) => on === true)
}
