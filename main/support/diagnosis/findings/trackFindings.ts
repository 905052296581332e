import { message } from '../../../../preload/contract/messages.ts'
import { trackFaults } from '../../../base/reading/contradictions.ts'
import { sayTrackFault, whyNoPlace } from '../../../base/reading/sayContradictions.ts'
import { wiringCauses } from '../../../job/jobs/engine/wiring.ts'
import { placeReportsOf } from '../events.ts'
import type { EvidenceView } from '../evidenceView.ts'
import { isoAt, type Found } from '../linkVerdict.ts'

/** Two devices with one IMEI: nobody should change anything until that is clear. */
const tones = { frozen: 'warn', noSpeed: 'warn', exchanged: 'warn', twoPlaces: 'fail' } as const

/** One may be a disturbed message. */
const leastWrong = 2

/** The ignition may stay on for a shift; for longer, nobody leaves a vehicle like that. */
const leastAlwaysOnS = 12 * 3_600

/** What the places, speeds and lines of the events say against each other, while the device reports. */
export function findOfTrack(sight: EvidenceView): Found[] {
  const { gateway, isHeardNow } = sight
  if (!isHeardNow) return []
  const by = { witness: 'gateway', readAt: gateway?.events?.readAt ?? null, link: 'fix' } as const
  const ofTrack = trackFaults(placeReportsOf(sight.events)).map((fault): Found => ({
    id: fault.kind,
    tone: tones[fault.kind],
    ...sayTrackFault(fault),
    ...by,
    sinceAt: isoAt(fault.sinceMs - (gateway?.aheadS ?? 0) * 1000)
  }))
  return [...ofTrack, ...ofCoordinates(sight), ...ofIgnition(sight)]
}

/** Some positions are none: the latest one may be right. */
function ofCoordinates({ events, gateway }: EvidenceView): Found[] {
  const wrong = events.flatMap(({ latitude, longitude }) => whyNoPlace(latitude, longitude) ?? [])
  const [newest] = wrong
  if (!newest || wrong.length < leastWrong) return []
  return [
    {
      id: 'coordinates',
      ...newest,
      witness: 'gateway',
      readAt: gateway?.events?.readAt ?? null,
      link: 'fix'
    }
  ]
}

/** The wire is on permanent plus: the line is on whether anyone drives or not. */
function ofIgnition({ gateway, nowMs, io }: EvidenceView): Found[] {
  const since = gateway?.restingOn?.value ?? null
  if (!gateway?.restingOn || since === null || io.value?.IGN === false || io.value?.TIG === true) return []
  const forS = (nowMs - since) / 1000
  if (forS < leastAlwaysOnS) return []
  return [
    {
      id: 'ignitionAlwaysOn',
      sentence: message('contradictions.ignitionAlwaysOn', { forS: Math.floor(forS / 3_600) * 3_600 }),
      remedy: wiringCauses.ignitionOnPermanentFeed,
      witness: 'gateway',
      readAt: gateway.restingOn.readAt
    }
  ]
}
