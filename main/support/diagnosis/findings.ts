import type { Finding } from '../../../preload/contract/support/diagnosis.ts'
import type { Evidence } from '../../../preload/contract/support/evidence.ts'
import { message } from '../../../preload/contract/messages.ts'
import { findOfClock } from './findings/clock.ts'
import { findOfDelivery } from './findings/delivery.ts'
import { findOfIdentity } from './findings/identityFindings.ts'
import { findOfLines } from './findings/lineFindings.ts'
import { findOfRadio } from './findings/radio.ts'
import { findOfTrack } from './findings/trackFindings.ts'
import type { Found } from './linkVerdict.ts'
import type { DiagnosisLimits } from './limits.ts'
import { viewEvidence, type EvidenceView } from './evidenceView.ts'

/**
 * Problems outside of the chain, which do not keep the vehicle from reporting. Most serious first, always in the same
 * order.
 */
export function findBeside(evidence: Evidence, limits: DiagnosisLimits): Finding[] {
  const sight = viewEvidence(evidence, limits)
  const found = [
    ...findOfIdentity(sight),
    ...findOfTrack(sight),
    ...findOfLines(sight),
    ...findOfClock(sight),
    ...findOfDelivery(sight),
    ...findOfRadio(sight),
    ...findOfDevice(sight)
  ]
  return found.map((one) => ({ tone: 'warn', sinceAt: null, ...one }))
}

const littleFreePercent = 10

/** The device itself: nearly full storage, and unreadable answers. */
function findOfDevice({ system, io, modem, configuration, position }: EvidenceView): Found[] {
  const full = (['rootfs', 'datafs'] as const).flatMap((area): Found[] => {
    const { free, total } = system.value?.[area] ?? {}
    const percent = free === undefined || !total ? undefined : Math.round((free / total) * 100)
    if (percent === undefined || percent >= littleFreePercent) return []
    return [
      {
        id: `${area}Full`,
        sentence: message('findings.storageFull', { area, percent }),
        remedy: message('findings.freeStorage'),
        witness: 'device',
        readAt: system.readAt
      }
    ]
  })
  const unreadable = Object.entries({ io, modem, configuration, position, system }).flatMap(([area, told]): Found[] => {
    const n = told.value === null ? 0 : told.problems.length
    if (n === 0) return []
    return [
      {
        id: `${area}Unreadable`,
        sentence: message('findings.unreadable', { area, n }),
        remedy: message('findings.askForSoftware'),
        witness: 'device',
        readAt: told.readAt
      }
    ]
  })
  return [...full, ...unreadable]
}
