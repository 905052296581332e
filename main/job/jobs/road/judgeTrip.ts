import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { SeenRow } from '../../../../preload/contract/job/jobSeen.ts'
import { fail, pass, unreadable, warn, withFigure, withRows, type Outcome } from '../engine/check.ts'
import type { Profile } from '../engine/profile.ts'
import type { ComparedDistance, TripScores } from './scoreTrip.ts'

type Limits = Profile['testTrip']
type Grade = 'pass' | 'warn' | 'fail' | 'unreadable'

interface Score {
  row: SeenRow
  grade: Grade
  /** The problem, and what to do about it; null for a pass. */
  why: { what: Message; remedy: Message } | null
}

/** The worst of all scores decides; each has its row. */
export function judgeTrip(scores: TripScores, limits: Limits, clockOffS: number): Outcome {
  const all = scoresOf(scores, limits, clockOffS)
  const rows = all.map(({ row }) => row)
  const worst = (['fail', 'unreadable', 'warn'] as const)
    .map((grade) => all.find((score) => score.grade === grade))
    .find((score) => score !== undefined)
  const driven = message('testTrip.driven', {
    distanceM: Math.round(scores.drivenM),
    forS: Math.round((scores.endedMs - scores.beganMs) / 1000),
    events: scores.events
  })
  return withFigure(
    message('meters.distance', { distanceM: Math.round(scores.drivenM) }),
    withRows(rows, outcomeOf(worst, driven))
  )
}

function outcomeOf(worst: Score | undefined, driven: Message): Outcome {
  if (!worst?.why) return pass(driven, ['device', 'gateway'])
  const { what, remedy } = worst.why
  if (worst.grade === 'unreadable') return unreadable(what, remedy)
  return worst.grade === 'fail' ? fail(what, remedy, ['device', 'gateway']) : warn(what, remedy, ['device', 'gateway'])
}

/** The rows of the result; those that explain others come first. */
function scoresOf(scores: TripScores, limits: Limits, clockOffS: number): Score[] {
  return [
    seenByDevice(scores, limits),
    silence(scores, limits),
    ...(scores.events === 0 ? [] : [delays(scores, limits, clockOffS), places(scores, limits), speeds(scores, limits)]),
    ...distances(scores, limits)
  ]
}

function gradeUpTo(value: number, passUpTo: number, warnUpTo: number): 'pass' | 'warn' | 'fail' {
  return value <= passUpTo ? 'pass' : value <= warnUpTo ? 'warn' : 'fail'
}

function verdictOf(grade: Grade): SeenRow['verdict'] {
  return grade === 'pass' ? 'agrees' : grade === 'unreadable' ? 'unreadable' : 'differs'
}

function row(label: Message, grade: Grade, said: Partial<SeenRow>): SeenRow {
  return { label, wanted: null, device: null, gateway: null, verdict: verdictOf(grade), ...said }
}

/** Without the device's track there is nothing to compare the gateway's data with: too many gaps are not a pass. */
function seenByDevice({ seen }: TripScores, { seenPassPercent, seenWarnPercent }: Limits): Score {
  const seenPercent = Math.floor(seen * 100)
  const grade: Grade = seenPercent >= seenPassPercent ? 'pass' : seenPercent >= seenWarnPercent ? 'warn' : 'unreadable'
  const what = message('testTrip.holes', { seenPercent })
  return {
    row: row(message('testTrip.seen'), grade, {
      wanted: message('testTrip.atLeastPercent', { leastPercent: seenPassPercent }),
      device: message('testTrip.percent', { sharePercent: seenPercent })
    }),
    grade,
    why: grade === 'pass' ? null : { what, remedy: message('testTrip.keepConnected') }
  }
}

function silence({ events, minutes, silentMinutes, seen }: TripScores, limits: Limits): Score {
  const { silentPassPercent, silentWarnPercent, fewestEvents } = limits
  const label = message('testTrip.silent')
  const wanted = message('testTrip.atMostPercent', { mostPercent: silentPassPercent })
  if (events === 0) {
    return {
      row: { ...row(label, 'fail', { wanted, gateway: message('testTrip.noEventsShort') }), verdict: 'missing' },
      grade: 'fail',
      why: { what: message('testTrip.noEvents'), remedy: message('delivered.checkApn') }
    }
  }
  const silentPercent = Math.round((silentMinutes / minutes) * 100)
  const graded = gradeUpTo(silentPercent, silentPassPercent, silentWarnPercent)
  const grade = graded === 'pass' && events < fewestEvents && seen > 0 ? 'warn' : graded
  const what =
    grade === 'warn' && graded === 'pass'
      ? message('testTrip.fewEvents', { n: events })
      : message('testTrip.silentMinutes', { n: silentMinutes, total: minutes })
  return {
    row: row(label, grade, { wanted, gateway: message('testTrip.minutesOf', { n: silentMinutes, total: minutes }) }),
    grade,
    why: grade === 'pass' ? null : { what, remedy: message('testTrip.lookAtSignal') }
  }
}

function delays({ delayS }: TripScores, limits: Limits, clockOffS: number): Score {
  const { delayMedianPassS, delayMedianWarnS, delayP95PassS, delayP95WarnS } = limits
  const label = message('testTrip.delays')
  const wanted = message('meters.atMost', { mostS: delayMedianPassS })
  if (!delayS) return noScore(label, wanted, message('testTrip.noDelays'))
  const gateway = message('testTrip.delaySpread', { medianS: Math.round(delayS.median), p95S: Math.round(delayS.p95) })
  // If the two clocks differ, a delay is meaningless.
  if (Math.abs(clockOffS) > 60 || delayS.median < -60) {
    const what = message('testTrip.clockOff', {
      apartS: Math.round(Math.abs(clockOffS) > 60 ? Math.abs(clockOffS) : -delayS.median)
    })
    return {
      row: { ...row(label, 'unreadable', { wanted, gateway }), note: what },
      grade: 'warn',
      why: { what, remedy: message('testTrip.setClock') }
    }
  }
  const grade = worse(
    gradeUpTo(delayS.median, delayMedianPassS, delayMedianWarnS),
    gradeUpTo(delayS.p95, delayP95PassS, delayP95WarnS)
  )
  return {
    row: row(label, grade, { wanted, gateway }),
    grade,
    why:
      grade === 'pass'
        ? null
        : {
            what: message('testTrip.late', { medianS: Math.round(delayS.median), p95S: Math.round(delayS.p95) }),
            remedy: message('delivered.slow')
          }
  }
}

function places({ apartM, placed, events }: TripScores, { apartPassM, apartWarnM }: Limits): Score {
  const label = message('testTrip.places')
  const wanted = message('meters.atMostDistance', { distanceM: apartPassM })
  if (placed === 0) {
    const what = message('testTrip.noPlaces', { n: events })
    return {
      row: { ...row(label, 'fail', { wanted, gateway: message('meters.none') }), verdict: 'missing' },
      grade: 'fail',
      why: { what, remedy: message('testTrip.checkAntenna') }
    }
  }
  if (!apartM) return noScore(label, wanted, message('testTrip.notComparedPlaces'))
  const grade = gradeUpTo(apartM.p95, apartPassM, apartWarnM)
  return {
    row: row(label, grade, {
      wanted,
      gateway: message('testTrip.apartSpread', { medianM: Math.round(apartM.median), p95M: Math.round(apartM.p95) })
    }),
    grade,
    why:
      grade === 'pass'
        ? null
        : {
            what: message('testTrip.apart', { p95M: Math.round(apartM.p95) }),
            remedy: message(grade === 'fail' ? 'testTrip.elsewhere' : 'samePlace.waitForFix')
          }
  }
}

function speeds({ speedApartKmh }: TripScores, { speedPassKmh, speedWarnKmh }: Limits): Score {
  const label = message('testTrip.speeds')
  const wanted = message('testTrip.atMostSpeed', { mostKmh: speedPassKmh })
  if (!speedApartKmh) return noScore(label, wanted, message('testTrip.notComparedSpeeds'))
  const apartKmh = Math.round(speedApartKmh.median)
  const grade = gradeUpTo(speedApartKmh.median, speedPassKmh, speedWarnKmh)
  return {
    row: row(label, grade, { wanted, gateway: message('testTrip.speedApart', { apartKmh }) }),
    grade,
    why:
      grade === 'pass'
        ? null
        : { what: message('testTrip.otherSpeed', { apartKmh }), remedy: message('testTrip.otherDevice') }
  }
}

/** Data that was available but was not compared is not a pass. */
function noScore(label: Message, wanted: Message, note: Message): Score {
  return {
    row: { ...row(label, 'unreadable', { wanted }), note },
    grade: 'warn',
    why: { what: note, remedy: message('jobs.lookAtRawAnswer') }
  }
}

function distances({ trip, counter, drivenM }: TripScores, limits: Limits): Score[] {
  return [
    distance(message('testTrip.tripDistance'), trip, message('testTrip.noTrip'), { drivenM, limits }),
    distance(message('testTrip.counterDistance'), counter, message('testTrip.noCounter'), { drivenM, limits })
  ]
}

function distance(
  label: Message,
  compared: ComparedDistance | null,
  missing: Message,
  { drivenM, limits }: { drivenM: number; limits: Limits }
): Score {
  const { distancePassPercent, distanceWarnPercent } = limits
  if (!compared) {
    const said = { wanted: message('meters.distance', { distanceM: Math.round(drivenM) }), note: missing }
    return {
      row: { ...row(label, 'warn', said), verdict: 'missing' },
      grade: 'warn',
      why: { what: missing, remedy: message('testTrip.lookAtTrips') }
    }
  }
  const grade = gradeUpTo(compared.differencePercent, distancePassPercent, distanceWarnPercent)
  return {
    row: row(label, grade, {
      device: message('meters.distance', { distanceM: Math.round(compared.deviceM) }),
      gateway: message('meters.distance', { distanceM: Math.round(compared.gatewayM) })
    }),
    grade,
    why:
      grade === 'pass'
        ? null
        : {
            what: message('testTrip.otherDistance', {
              deviceM: Math.round(compared.deviceM),
              gatewayM: Math.round(compared.gatewayM)
            }),
            remedy: message('testTrip.otherDevice')
          }
  }
}

function worse(a: 'pass' | 'warn' | 'fail', b: 'pass' | 'warn' | 'fail'): 'pass' | 'warn' | 'fail' {
  return [a, b].includes('fail') ? 'fail' : [a, b].includes('warn') ? 'warn' : 'pass'
}
