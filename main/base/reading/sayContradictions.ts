import { message, type Message } from '../../../preload/contract/messages.ts'
import { coordinateFault, type DateFault, type PositionGap, type Repeats, type TrackFault } from './contradictions.ts'

/** A contradiction in words, and what a person can do about it. */
export interface SaidContradiction {
  sentence: Message
  remedy: Message
}

/** What is wrong with the places and speeds of a device. */
export function sayTrackFault(fault: TrackFault): SaidContradiction {
  switch (fault.kind) {
    case 'frozen':
      return {
        sentence: message('contradictions.frozen', {
          forS: Math.round(fault.forS / 60) * 60,
          distanceM: Math.round(fault.saidM)
        }),
        remedy: message('contradictions.restartReceiver')
      }
    case 'noSpeed':
      return {
        sentence: message('contradictions.noSpeed', { distanceM: Math.round(fault.coveredM) }),
        remedy: message('contradictions.askForSpeed')
      }
    case 'twoPlaces':
      return {
        sentence: message('contradictions.twoPlaces', {
          distanceM: Math.round(fault.apartM),
          withinS: Math.round(fault.passedS)
        }),
        remedy: message('contradictions.findSecondDevice')
      }
    case 'exchanged':
      return {
        sentence: message('contradictions.sometimesExchanged', { distanceM: Math.round(fault.apartM) }),
        remedy: message('contradictions.correctOrder')
      }
  }
}

/** Why coordinates are no place; null for coordinates in range, or none. */
export function whyNoPlace(
  latitude: number | null | undefined,
  longitude: number | null | undefined
): SaidContradiction | null {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return null
  const values = { latitude: String(latitude), longitude: String(longitude) }
  switch (coordinateFault(latitude, longitude)) {
    case null:
      return null
    case 'exchanged':
      return { sentence: message('contradictions.exchanged', values), remedy: message('contradictions.correctOrder') }
    case 'scaled':
      return { sentence: message('contradictions.scaled', values), remedy: message('contradictions.correctUnit') }
    case 'outside':
      return {
        sentence: message('contradictions.outside', values),
        remedy: message('contradictions.askForCoordinates')
      }
  }
}

/** What is wrong with the dates of events; `apartS` for a date that is neither of an epoch nor of a rollover. */
export function sayDateFault(fault: DateFault): SaidContradiction {
  switch (fault.kind) {
    case 'gpsEpoch':
      return { sentence: message('findings.eventsByGpsEpoch'), remedy: message('clock.askForFirmware') }
    case 'rollover':
      return {
        sentence: message('findings.eventsRolled', {
          weeks: Math.abs(fault.weeks),
          way: fault.weeks > 0 ? 'behind' : 'ahead'
        }),
        remedy: message('clock.updateReceiver')
      }
    case 'wrong':
      return {
        sentence: message('contradictions.misdated', {
          apartS: wholeDays(Math.abs(fault.behindS)),
          way: fault.behindS > 0 ? 'behind' : 'ahead'
        }),
        remedy: message('findings.clockSky')
      }
  }
}

/** The same event again and again; `sinceMs` by this computer's clock. */
export function sayRepeats({ times, sinceMs }: Repeats): SaidContradiction {
  return {
    sentence: message('contradictions.repeated', { n: times, sinceAt: new Date(sinceMs).toISOString() }),
    remedy: message('contradictions.confirmEvents')
  }
}

/** Events that arrive late; without a look at its clock the device may also date them wrongly. */
export function sayLate(delayS: number, why: 'late' | 'lateOrClock'): SaidContradiction {
  return {
    sentence: message(`findings.${why}`, { delayS: steadySeconds(delayS) }),
    remedy: message('findings.checkSignal')
  }
}

/** Seconds as coarse as they are shown, so that the same difference gives the same words again. */
export function steadySeconds(seconds: number): number {
  const stepS = seconds < 60 ? 1 : seconds < 600 ? 10 : 60
  return Math.round(seconds / stepS) * stepS
}

/** Connected, without a position. */
export function sayPositionGap(gap: Exclude<PositionGap, { kind: 'parked' }>): SaidContradiction {
  const remedy = message('chain.fix.checkReceiver')
  if (gap.kind === 'noPositions') return { sentence: message('chain.fix.noPositions'), remedy }
  return { sentence: message(sentenceOfGap[gap.kind], { ageS: Math.round(gap.ageS) }), remedy }
}

const sentenceOfGap = {
  positionsStopped: 'chain.fix.positionsStopped',
  onlyKeepAlives: 'chain.fix.onlyKeepAlives'
} as const

/** Whole days: the same difference is said in the same words again. */
function wholeDays(seconds: number): number {
  return Math.round(seconds / 86_400) * 86_400
}
