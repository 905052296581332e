import type { Fact } from '../../../../preload/contract/support/facts.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { distanceM, type Position } from '../../../../preload/base/maps/distance.ts'
import { degreesText } from '../../../../preload/base/maps/position.ts'
import { parkedKmh } from './deviceSays.ts'
import type { BothSay } from './bothSay.ts'
import { hasReading, type WitnessReading } from './witnessReading.ts'
import { amountText, judgeFact, wholeAge, type DatedReading } from './judge.ts'

/** Event times have whole seconds, and both clocks are known only to that precision. */
const resolutionS = 2
const between = (a: number, b: number) => Math.abs(a - b)

export function placeFacts({ device, gateway, tolerances }: BothSay): (Fact | null)[] {
  const { gatewayAgeS: oldAfterS, momentS, lineAgeS } = tolerances
  const fastestKmh = Math.max(kmhOf(device.speedKmh), kmhOf(gateway.speedKmh))
  const isMoving = fastestKmh > parkedKmh
  return [
    judgeFact<number>(
      {
        fact: 'lastContact',
        unit: 's',
        device: device.contact,
        gateway: gateway.contact,
        // Its value is its age: an old one is the information itself.
        oldAfterS: null,
        apart: { most: 'lastContactS', of: between },
        say: (agoS, who) =>
          who === 'device' ? message('facts.hereNow') : message('facts.ago', { agoS: wholeAge(agoS) })
      },
      tolerances
    ),
    judgeFact<Position>(
      {
        fact: 'position',
        unit: '°',
        device: device.place,
        gateway: gateway.place,
        oldAfterS,
        ...(isMoving ? { contradictsForS: momentS } : {}),
        apart: { most: 'positionM', of: (here, there) => Math.round(distanceM(here, there)) },
        isOfAnotherTime: ({ device: here, gateway: there, apart }) =>
          isMoving && (apart ?? 0) <= tolerances.positionM + reachM(fastestKmh, here, there),
        say: ({ latitude, longitude }) =>
          message('facts.place', { latitude: degreesText(latitude), longitude: degreesText(longitude) })
      },
      tolerances
    ),
    judgeFact<boolean>(
      {
        fact: 'validFix',
        unit: null,
        device: device.hasFix,
        gateway: gateway.hasFix,
        oldAfterS,
        contradictsForS: lineAgeS,
        say: (has) => message(has ? 'facts.fix' : 'facts.withoutFix')
      },
      tolerances
    ),
    judgeFact<number>(
      {
        fact: 'satellites',
        unit: null,
        device: device.satellites,
        gateway: gateway.satellites,
        oldAfterS,
        contradictsForS: momentS,
        apart: { most: 'satellites', of: between },
        say: (n) => amountText(n, null)
      },
      tolerances
    ),
    judgeFact<number>(
      {
        fact: 'hdop',
        unit: null,
        device: device.hdop,
        gateway: gateway.hdop,
        oldAfterS,
        contradictsForS: momentS,
        apart: { most: 'hdop', of: between },
        say: (n) => amountText(n, null)
      },
      tolerances
    ),
    judgeFact<number>(
      {
        fact: 'speed',
        unit: 'km/h',
        device: device.speedKmh,
        gateway: gateway.speedKmh,
        oldAfterS,
        contradictsForS: momentS,
        apart: { most: 'speedKmh', of: between },
        say: (kmh) => amountText(kmh, 'km/h')
      },
      tolerances
    ),
    judgeFact<number>(
      {
        fact: 'heading',
        unit: '°',
        device: device.headingDeg,
        gateway: gateway.headingDeg,
        oldAfterS,
        contradictsForS: momentS,
        apart: { most: 'headingDeg', of: turn },
        say: (degrees) => amountText(degrees, '°')
      },
      tolerances
    )
  ]
}

function kmhOf(speed: WitnessReading<number>): number {
  return hasReading(speed) ? speed.value : 0
}

/** The possible distance between the two times; half as much again, because it may have been faster in between. */
function reachM(kmh: number, device: DatedReading<Position>, gateway: DatedReading<Position>): number {
  return (kmh / 3.6) * 1.5 * (Math.abs((gateway.ageS ?? 0) - (device.ageS ?? 0)) + resolutionS)
}

/** North is both 0 and 360. */
function turn(a: number, b: number): number {
  const degrees = Math.abs(a - b) % 360
  return Math.min(degrees, 360 - degrees)
}
