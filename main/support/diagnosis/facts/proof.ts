import type { ChainLink, ChainStep, Finding, Verdicts } from '../../../../preload/contract/support/diagnosis.ts'
import type { Fact, FactName } from '../../../../preload/contract/support/facts.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { isMisdated, kindOf } from '../../../base/reading/reportedEvents.ts'
import { steadySeconds } from '../../../base/reading/sayContradictions.ts'
import { delayOf } from '../events.ts'
import type { EvidenceView } from '../evidenceView.ts'

/** The facts that show what is said of a link. */
const ofLink: Readonly<Record<ChainLink, readonly FactName[]>> = {
  power: ['power', 'lastContact'],
  sim: ['sim'],
  registration: ['signal', 'operator'],
  address: ['address', 'apn'],
  apn: ['apn', 'address'],
  gatewayEvent: ['lastContact'],
  fix: ['validFix', 'position', 'satellites'],
  vehicle: ['vehicleDevice', 'imei'],
  visible: []
}

const ofFinding: readonly (readonly [id: RegExp, facts: readonly FactName[]])[] = [
  [/^(clock|events|late$)/, ['clock', 'lastContact']],
  [/^weakSignal$/, ['signal']],
  [/^poorFix$/, ['satellites', 'hdop', 'validFix']],
  [/^(otherPlace|twoPlaces|frozen|noSpeed|coordinates|exchanged)$/, ['position', 'speed']],
  [/^ignition/, ['ignition', 'engine']],
  [/^(power|drops)/, ['power']],
  [/^(simDiffers|simChanged)$/, ['sim']],
  [/^modemOther$/, ['imei', 'hostName']],
  [/^busSilent$/, ['ecu', 'engine']]
]

/** What proves the headline, as far as a witness has it. */
export function proofOf(
  headline: Verdicts['headline'],
  findings: readonly Finding[],
  facts: readonly Fact[]
): FactName[] {
  const names =
    headline === null ? [] : 'link' in headline ? ofLink[headline.link] : proofOfFinding(headline.finding, findings)
  return names.filter((name) => facts.some(({ fact }) => fact === name))
}

function proofOfFinding(id: string, findings: readonly Finding[]): readonly FactName[] {
  const line = /^(?:chatter(IN\d)|(?:out|short)(\d))/i.exec(id)
  if (line?.[1]) return [line[1].toLowerCase() as FactName]
  if (line?.[2]) return id.startsWith('short') ? [`so${line[2]}` as FactName] : [`out${line[2]}` as FactName]
  const known = ofFinding.find(([of]) => of.test(id))?.[1]
  const link = findings.find((one) => one.id === id)?.link
  return known ?? (link ? ofLink[link] : [])
}

/** A larger difference between the date of an event and its arrival is no way of a message. */
const mostDelayS = 60

/**
 * No row says the opposite of the chain: a fix that is no position is not “valid”, and a clock whose events are dated a
 * day back is not “on time”.
 */
export function agreeWith(sight: EvidenceView, chain: readonly ChainStep[], facts: readonly Fact[]): Fact[] {
  const hasNoPlace = chain.some(({ link, state }) => link === 'fix' && state === 'broken')
  const delayS = datedByS(sight)
  return facts.map((fact) => {
    if (fact.fact === 'validFix' && hasNoPlace) return withoutPlace(fact)
    return fact.fact === 'clock' && delayS !== null ? datedBy(fact, delayS) : fact
  })
}

function withoutPlace(fact: Fact): Fact {
  const inDoubt = (said: Fact['device']) =>
    said?.value === true ? { ...said, message: message('facts.fixWithoutPlace') } : said
  const isDoubted = fact.device?.value === true || fact.gateway?.value === true
  if (!isDoubted) return fact
  const isBoth = fact.verdict === 'agree'
  return {
    ...fact,
    device: inDoubt(fact.device),
    gateway: inDoubt(fact.gateway),
    ...(isBoth ? { verdict: 'differ' as const, message: message('facts.fixWithoutPlace') } : {})
  }
}

/** How far the newest event is dated from its arrival; null where that is only its way, or it was buffered. */
function datedByS({ events }: EvidenceView): number | null {
  const newest = events.find((event) => delayOf(event) !== null)
  if (!newest || (kindOf(newest) === 'backlog' && !isMisdated(newest))) return null
  const delayS = delayOf(newest) ?? 0
  return Math.abs(delayS) > mostDelayS ? delayS : null
}

function datedBy(fact: Fact, delayS: number): Fact {
  const words = message('facts.datedBy', {
    apartS: steadySeconds(Math.abs(delayS)),
    way: delayS < 0 ? 'ahead' : 'behind'
  })
  return {
    ...fact,
    gateway: {
      ...(fact.gateway ?? { unit: fact.device?.unit ?? null, ageS: null, readAt: null }),
      value: -delayS,
      message: words
    },
    verdict: fact.device === null ? 'onlyGateway' : 'differ',
    apart: null,
    message: words
  }
}
