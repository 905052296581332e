import type { SeenEvent } from '../../../preload/contract/support/evidence.ts'
import { ageOf, type EvidenceView } from './evidenceView.ts'

/** This many consecutive reports of one kind show the reporting interval. */
const reportsForRhythm = 5
const mostUneven = 1.6

/** The interval of the latest regular reports in seconds; null where they are too few or too uneven to have one. */
export function rhythmOf(
  events: readonly SeenEvent[],
  sight: Pick<EvidenceView, 'gatewayNowMs'>,
  n = reportsForRhythm
): number | null {
  const regular = events.filter((event) => event.type === 10).slice(0, n)
  const ages = regular.map((event) => ageOf(event, sight)).filter((ageS) => ageS !== null)
  if (ages.length < n) return null
  const gaps = ages.slice(1).map((ageS, index) => ageS - (ages[index] ?? 0))
  const [least, most] = [Math.min(...gaps), Math.max(...gaps)]
  return least <= 0 || most > Math.max(least * mostUneven, least + 2) ? null : most
}
