import type { RoadPoint } from '../../../../preload/contract/gateway/vehicles/vehicleRoad.ts'
import type { TrackPoint } from '../../../../preload/contract/device/track.ts'
import { csvFile, type CsvValue } from '../../../../preload/base/messages/csvFile.ts'
import { isPlace } from '../../../../preload/base/maps/position.ts'
import { numberInFile } from '../../../../preload/base/messages/numberInFile.ts'
import { t } from '../../../base/texts.ts'
import { isoWithOffset } from '../../../../preload/base/messages/zone.ts'

/** The positions of a day, of each witness separately. */
export interface TrackOfDay {
  vehicle: string
  gateway: readonly RoadPoint[]
  device: readonly TrackPoint[]
}

interface Position {
  atMs: number
  latitude: number
  longitude: number
  speedKmh: number | null
  /** From the device to the gateway; null for the device’s own. */
  delayS: number | null
  isAfterGap: boolean
}

const ofGateway = ([atMs, latitude, longitude, speedKmh, delayS, isAfterGap]: RoadPoint): Position => ({
  atMs,
  latitude,
  longitude,
  speedKmh,
  delayS,
  isAfterGap
})
const ofDevice = ([atMs, latitude, longitude, speedKmh, isAfterGap]: TrackPoint): Position => ({
  atMs,
  latitude,
  longitude,
  speedKmh,
  delayS: null,
  isAfterGap
})

/** Map programs refuse the whole file for one place off the globe. */
const isOnEarth = ({ latitude, longitude }: Position): boolean => isPlace(latitude, longitude)

function witnessesOf({ gateway, device }: TrackOfDay): { name: string; positions: Position[] }[] {
  return [
    { name: t('common.gateway'), positions: gateway.map(ofGateway).filter(isOnEarth) },
    { name: t('common.device'), positions: device.map(ofDevice).filter(isOnEarth) }
  ].filter(({ positions }) => positions.length > 0)
}

/** A row for each position: the time in UTC and on a clock of the zone with its offset; an unknown value is empty. */
export function trackCsv(track: TrackOfDay, timeZone: string): string {
  const head = (
    ['timeUtc', 'timeLocal', 'witness', 'latitude', 'longitude', 'speed', 'delay', 'afterGap'] as const
  ).map((column) => t(`windowTrack.file.${column}`))
  const rows = witnessesOf(track).flatMap(({ name, positions }) =>
    positions.map((one): CsvValue[] => [
      isoOf(one),
      isoWithOffset(one.atMs, timeZone),
      name,
      one.latitude,
      one.longitude,
      one.speedKmh,
      one.delayS,
      one.isAfterGap ? 1 : 0
    ])
  )
  return csvFile([head, ...rows])
}

/**
 * GPX 1.1: a track for each witness, a segment for each part without a gap. Its times are UTC, as the format requires.
 */
export function trackGpx(track: TrackOfDay): string {
  const tracks = witnessesOf(track).map(({ name, positions }) => {
    const segments: Position[][] = []
    for (const one of positions) {
      const last = segments.at(-1)
      if (last && !one.isAfterGap) last.push(one)
      else segments.push([one])
    }
    const lines = segments.map(
      (segment) =>
        `    <trkseg>\n${segment.map((one) => `      <trkpt lat="${numberInFile(one.latitude)}" lon="${numberInFile(eastOf(one.longitude))}"><time>${isoOf(one)}</time></trkpt>\n`).join('')}    </trkseg>\n`
    )
    return `  <trk>\n    <name>${escapeXml(`${track.vehicle}, ${name}`)}</name>\n    <src>${escapeXml(name)}</src>\n${lines.join('')}  </trk>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" creator="Fitter" xmlns="http://www.topografix.com/GPX/1/1">\n${tracks.join('')}</gpx>\n`
}

/** The schema ends before 180 degrees in the east: the same meridian is -180. */
function eastOf(longitude: number): number {
  return longitude === 180 ? -180 : longitude
}

function isoOf({ atMs }: Position): string {
  return new Date(atMs).toISOString().replace('.000Z', 'Z')
}

/** Characters that XML 1.0 does not allow are left out. */
function escapeXml(text: string): string {
  const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"]/g, (letter) => escapes[letter] ?? letter)
}
