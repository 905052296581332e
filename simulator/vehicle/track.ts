import { createRandom, noiseAt } from '../random.ts'

const metresPerDegree = 111_320
const accelerationMps2 = 1.5
const brakingMps2 = 2.5
const loopM = 6_000

const places = [
  { latitude: 19.4326, longitude: -99.1332, altitudeM: 2240 },
  { latitude: 40.4168, longitude: -3.7038, altitudeM: 657 },
  { latitude: 25.6866, longitude: -100.3161, altitudeM: 540 },
  { latitude: 47.3769, longitude: 8.5417, altitudeM: 408 }
] as const

/** The position and movement of the vehicle: parked at a seeded position, or driving a loop of about six kilometres. */
export interface Track {
  latitude: number
  longitude: number
  altitudeM: number
  speedKmh: number
  bearingDeg: number
  distanceM: number
}

export function placeTrack(seed: number): Track {
  const random = createRandom(seed * 31 + 5)
  const place = places[Math.floor(random() * places.length)] ?? places[0]
  return {
    latitude: place.latitude + (random() - 0.5) * 0.1,
    longitude: place.longitude + (random() - 0.5) * 0.1,
    altitudeM: place.altitudeM,
    speedKmh: 0,
    bearingDeg: Math.floor(random() * 360),
    distanceM: 0
  }
}

/** The speed of a drive without a chosen speed: it varies along the loop. */
export function loopKmh(track: Track): number {
  return 52 + 14 * Math.sin(track.distanceM / 400)
}

/** Moves the vehicle by one step, towards that speed; 0 brakes it to a stop. */
export function moveTrack(track: Track, targetKmh: number, stepS: number): void {
  const targetMps = targetKmh / 3.6
  const mps = track.speedKmh / 3.6
  const next =
    mps < targetMps
      ? Math.min(targetMps, mps + accelerationMps2 * stepS)
      : Math.max(targetMps, mps - brakingMps2 * stepS)
  track.speedKmh = next * 3.6
  if (next === 0) return
  const moved = next * stepS
  track.distanceM += moved
  track.bearingDeg = (track.bearingDeg + (360 * moved) / loopM) % 360
  const bearing = (track.bearingDeg * Math.PI) / 180
  track.latitude += (moved * Math.cos(bearing)) / metresPerDegree
  track.longitude += (moved * Math.sin(bearing)) / (metresPerDegree * Math.cos((track.latitude * Math.PI) / 180))
}

export interface Fix {
  latitude: number
  longitude: number
  altitudeM: number
  speedKmh: number
  bearingDeg: number
  accuracyM: number
  hdop: number
  vdop: number
  satellites: number
}

/** The position from a receiver with an open sky: it wanders by a metre, changing each second. */
export function fixOf(track: Track, seed: number, atMs: number): Fix {
  const second = Math.floor(atMs / 1000)
  const wander = 0.8 / metresPerDegree
  return {
    latitude: round(track.latitude + noiseAt(seed, 'latitude', second) * wander, 7),
    longitude: round(track.longitude + noiseAt(seed, 'longitude', second) * wander, 7),
    altitudeM: round(track.altitudeM + noiseAt(seed, 'altitude', second), 1),
    speedKmh: round(track.speedKmh, 2),
    bearingDeg: round(track.bearingDeg, 1),
    accuracyM: 2.4,
    hdop: 0.8,
    vdop: 1.1,
    satellites: 11 + (noiseAt(seed, 'satellites', Math.floor(second / 10)) > 0.3 ? 1 : 0)
  }
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
