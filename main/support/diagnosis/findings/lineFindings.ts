import { message } from '../../../../preload/contract/messages.ts'
import { chatterOf } from '../../../job/jobs/checks/inputLines.ts'
import { looseIgnition, powerFault, wiringCauses } from '../../../job/jobs/engine/wiring.ts'
import { isoAt, type Found } from '../linkVerdict.ts'
import { lineHistory } from '../lately.ts'
import { dropsLately } from '../links/power.ts'
import type { EvidenceView } from '../evidenceView.ts'

/** The ripple of a stopped engine may still be detected for a while; both must be stable for this long. */
const settledMs = 10_000
/** The first reading may be the moment of a loose contact. */
const firstForMs = 1_000
/** A drop that is older is over. */
const looseWithinMs = 60_000
const contacts = ['IGN', 'IN1', 'IN2', 'IN3', 'IN4', 'IN5', 'IN6', 'IN7'] as const
const outputs = [1, 2, 3, 4] as const

/** Wiring problems from the lines: from the device, and for outputs that only the gateway shows also from it. */
export function findOfLines(sight: EvidenceView): Found[] {
  return [...ofPower(sight), ...ofIgnition(sight), ...ofContacts(sight), ...ofOutputs(sight), ...ofBus(sight)]
}

/** Past drops: a starter that pulls the voltage down, a plug that was moved once. They hide no other fault. */
function ofPower(sight: EvidenceView): Found[] {
  if (sight.io.value?.PWR !== true) return []
  const drops = dropsLately(sight)
  const fault = powerFault(drops)
  const by = { witness: 'device', readAt: sight.io.readAt } as const
  if (fault === 'dropsWhileCranking')
    return [
      {
        id: 'dropsWhileCranking',
        sentence: message('findings.dropsWhileCranking'),
        remedy: wiringCauses.dropsWhileCranking,
        ...by,
        link: 'power'
      }
    ]
  const [drop, ...more] = drops
  if (!fault || !drop || more.length > 0) return []
  const isShort = drop.forMs < sight.limits.shortDropS * 1000
  const sentence = isShort
    ? message('findings.powerDropped')
    : message('findings.powerWasGone', { forS: Math.round(drop.forMs / 1000) })
  return [
    { id: 'powerDropped', sentence, remedy: wiringCauses[fault], ...by, sinceAt: isoAt(drop.atMs), link: 'power' }
  ]
}

/** TIG indicates a running engine without the key wire. The reverse may be an electric vehicle. */
function ofIgnition({ io, evidence, nowMs }: EvidenceView): Found[] {
  const { TIG, IGN } = io.value ?? {}
  const drops = looseIgnition(lineHistory(evidence.device?.lately ?? null))?.filter(
    ({ atMs }) => atMs >= nowMs - looseWithinMs
  )
  if (drops && drops.length > 0) {
    return [
      {
        id: 'ignitionLoose',
        sentence: message('findings.ignitionLoose', { n: drops.length }),
        remedy: wiringCauses.ignitionLoose,
        witness: 'device',
        readAt: io.readAt,
        sinceAt: isoAt(drops[0]?.atMs ?? nowMs)
      }
    ]
  }
  if (TIG !== true || IGN !== false) return []
  const { story } = lineHistory(evidence.device?.lately ?? null)
  const isSettled = (['TIG', 'IGN'] as const).every(
    (line) => (story(line).at(-1)?.atMs ?? -Infinity) <= nowMs - (story(line).length === 1 ? firstForMs : settledMs)
  )
  if (!isSettled) return []
  return [
    {
      id: 'ignitionWireMissing',
      sentence: message('findings.engineWithoutKey'),
      remedy: wiringCauses.ignitionWireMissing,
      witness: 'device',
      readAt: io.readAt
    }
  ]
}

/** A contact that has been quiet for a while is not loose now. */
function ofContacts({ evidence, io, nowMs }: EvidenceView): Found[] {
  const { changes } = lineHistory(evidence.device?.lately ?? null)
  return contacts.flatMap((line): Found[] => {
    const recent = changes(line).filter(({ atMs }) => atMs >= nowMs - settledMs)
    if (chatterOf(recent) === null) return []
    const remedy = line === 'IGN' ? wiringCauses.ignitionFloats : wiringCauses.looseContact
    return [
      {
        id: `chatter${line}`,
        sentence: message('findings.chatter', { line }),
        remedy,
        witness: 'device',
        readAt: io.readAt,
        sinceAt: isoAt(recent[0]?.atMs ?? nowMs)
      }
    ]
  })
}

function ofOutputs({ io, gateway, gatewayNowMs, limits }: EvidenceView): Found[] {
  const { values = {}, atMs = null } = gateway?.lines?.value ?? {}
  const isFresh = atMs !== null && Math.abs(gatewayNowMs - atMs) <= limits.reportsS * 1000
  const there = (name: string): boolean | undefined => (isFresh ? values[name] : undefined)
  return outputs.flatMap((n): Found[] => {
    const here = { isOn: io.value?.[`OUT${n}`], isShort: io.value?.[`SO${n}`] }
    const by =
      io.value === null
        ? ({ witness: 'gateway', readAt: gateway?.lines?.readAt ?? null } as const)
        : ({ witness: 'device', readAt: io.readAt } as const)
    const isShort = io.value === null ? there(`io_out${n}_short`) : here.isShort
    const isOn = io.value === null ? there(`io_out${n}`) : here.isOn
    return [
      ...(isShort === true
        ? [{ id: `short${n}`, sentence: message('findings.short', { n }), remedy: wiringCauses.shortedOutput, ...by }]
        : []),
      ...(isOn === true
        ? [
            {
              id: `out${n}On`,
              sentence: message('findings.outputOn', { n }),
              remedy: message('findings.switchOff'),
              ...by
            }
          ]
        : [])
    ]
  })
}

/**
 * A bus that was detected within the day and is missing while the engine runs; a vehicle without a bus has no fault.
 */
function ofBus({ gateway, io }: EvidenceView): Found[] {
  const bus = gateway?.engineBus
  const isLost = bus?.value?.isDetected === false && typeof bus.value.lastThereAtMs === 'number'
  if (!bus || !isLost || io.value?.TIG !== true) return []
  return [
    {
      id: 'busSilent',
      sentence: message('findings.busSilent'),
      remedy: message('engineBus.checkWires'),
      witness: 'gateway',
      readAt: bus.readAt
    }
  ]
}
