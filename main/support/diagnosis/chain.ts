import { chainLinks, type ChainLink, type ChainStep } from '../../../preload/contract/support/diagnosis.ts'
import type { DeviceEvidence, Evidence } from '../../../preload/contract/support/evidence.ts'
import { deviceLinks, type LiveFacts } from '../../../preload/contract/device/workspace.ts'
import { message } from '../../../preload/contract/messages.ts'
import {
  type LinkVerdict,
  brokenLink,
  byDevice,
  okLink,
  provedByEvents,
  shortWords,
  unknownLink
} from './linkVerdict.ts'
import type { DiagnosisLimits } from './limits.ts'
import { sameApn } from '../../device/client/facts.ts'
import { judgeAddress, apnRemedy } from './links/address.ts'
import { judgeFix } from './links/fix.ts'
import { judgeGatewayEvent } from './links/gatewayEvent.ts'
import { judgePower } from './links/power.ts'
import { judgeRegistration } from './links/registration.ts'
import { judgeSim } from './links/sim.ts'
import { judgeVehicle } from './links/vehicle.ts'
import { judgeVisible } from './links/visible.ts'
import { viewEvidence, type EvidenceView, whyMissing } from './evidenceView.ts'

/** The configured APN, and the ordered one. An APN through which events arrive is right, whatever its name. */
function judgeApn(sight: EvidenceView): LinkVerdict {
  const { configuration, evidence, isHeardNow } = sight
  const apn = configuration.value?.APN?.trim()
  if (configuration.value === null)
    return provedByEvents(sight) ?? unknownLink(message('chain.apn.unknown', { why: whyMissing(configuration, 'APN') }))
  const by = byDevice(configuration)
  if (apn === undefined)
    return unknownLink(message('chain.apn.unreadable', { why: whyMissing(configuration, 'APN') }), by)
  // Without an address nothing is delivered now, whatever arrived a moment ago.
  const hasNoAddress = judgeAddress(sight).state === 'broken'
  if (isHeardNow && !hasNoAddress)
    return okLink({
      ...by,
      sentence: message('chain.apn.delivers', { apn: apn === '' ? '-' : apn }),
      short: apn === '' ? message('chain.short.works') : shortWords(apn)
    })
  const { apn: wanted } = evidence.expected
  if (apn === '')
    return brokenLink({
      ...by,
      sentence: message('chain.apn.empty'),
      short: message('chain.short.none'),
      ...apnRemedy(sight)
    })
  if (wanted !== null && !sameApn(apn, wanted))
    return brokenLink({ ...by, sentence: message('chain.apn.differs'), short: shortWords(apn), ...apnRemedy(sight) })
  const isSet = { ...by, short: shortWords(apn) }
  return hasNoAddress && wanted === null
    ? unknownLink(message('chain.apn.isSet', { apn }), isSet)
    : okLink({ ...isSet, sentence: message('chain.apn.isSet', { apn }) })
}

const judges: Readonly<Record<ChainLink, (sight: EvidenceView) => LinkVerdict>> = {
  power: judgePower,
  sim: judgeSim,
  registration: judgeRegistration,
  address: judgeAddress,
  apn: judgeApn,
  gatewayEvent: judgeGatewayEvent,
  fix: judgeFix,
  vehicle: judgeVehicle,
  visible: judgeVisible
}

/** Each link from the supply to the user, judged by itself: what is behind a broken one is still known. */
export function walkChain(evidence: Evidence, limits: DiagnosisLimits): ChainStep[] {
  const sight = viewEvidence(evidence, limits)
  return chainLinks.map((link): ChainStep => ({ link, ...judges[link](sight) }))
}

const readingOfLink = {
  power: 'io.all',
  sim: 'modem.information',
  registration: 'modem.information',
  address: 'modem.information',
  fix: 'gps.position'
} as const

/** Each link of the device alone, from the readings of one round: every screen draws what the chain says. */
export function judgeReadings(
  readings: DeviceEvidence['readings'],
  limits: DiagnosisLimits,
  atMs: number
): Partial<Record<keyof NonNullable<LiveFacts['links']>, LinkVerdict>> {
  const device = { state: 'answers', why: null, host: '', readings, lately: null } as const
  const sight = viewEvidence(
    {
      at: new Date(atMs).toISOString(),
      imei: null,
      vehicleText: null,
      device,
      gateway: null,
      expected: { apn: null, simId: null, from: null }
    },
    limits
  )
  return Object.fromEntries(
    deviceLinks
      .filter((link) => readings[readingOfLink[link]]?.failure === null)
      .map((link) => [link, judges[link](sight)])
  )
}

/** The first broken link; null where none is. */
export function brokenAt(chain: readonly ChainStep[]): ChainLink | null {
  return chain.find(({ state }) => state === 'broken')?.link ?? null
}
