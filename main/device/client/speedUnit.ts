import { distanceM, type Position } from '../../../preload/base/maps/distance.ts'
import { hasPosition } from '../../../preload/base/maps/position.ts'

/** Shorter ways say nothing: a receiver that stands wanders by some metres. */
const leastM = 60
const leastS = 5
/** After a longer time nobody knows how fast the device was in between. */
const mostS = 60
/** How far the covered way may be from the reported speed. */
const within = 0.15
/** So many ways in a row must agree before a speed is read as m/s. */
const waysWanted = 2

interface Way {
  from: Position
  fromS: number
  toldSum: number
  readings: number
}

/**
 * Recognises a device that reports its speed in m/s instead of the documented km/h, by the way that its coordinates
 * cover between two time stamps of one unit (resources/forms.json, "speed"). Until the ways agree, a speed is read as
 * documented.
 */
export function createSpeedUnit() {
  let way: Way | undefined
  let agreeing = 0

  /** Returns the factor from the reported speed to km/h. `timestampS` is by the device, in seconds. */
  return function factorFor(position: unknown, timestampS: number | undefined): number {
    const { coords } = (position ?? {}) as { coords?: { latitude?: unknown; longitude?: unknown; speed?: unknown } }
    const told = coords?.speed
    if (
      !hasPosition(position as Parameters<typeof hasPosition>[0]) ||
      typeof told !== 'number' ||
      told < 0 ||
      timestampS === undefined
    ) {
      way = undefined
      return factor()
    }
    const here = { latitude: coords?.latitude as number, longitude: coords?.longitude as number }
    const passedS = way ? timestampS - way.fromS : 0
    if (!way || passedS < 0 || passedS > mostS) {
      way = { from: here, fromS: timestampS, toldSum: told, readings: 1 }
      return factor()
    }
    if (passedS === 0) return factor()
    way.toldSum += told
    way.readings += 1
    const coveredM = distanceM(way.from, here)
    if (passedS < leastS || coveredM < leastM) return factor()
    judge(coveredM / passedS, way.toldSum / way.readings)
    way = { from: here, fromS: timestampS, toldSum: told, readings: 1 }
    return factor()
  }

  function judge(metersPerS: number, told: number): void {
    const isNear = (speed: number): boolean => Math.abs(told - speed) <= speed * within
    if (isNear(metersPerS)) agreeing += 1
    else if (isNear(metersPerS * 3.6)) agreeing = 0
  }

  function factor(): number {
    return agreeing >= waysWanted ? 3.6 : 1
  }
}
