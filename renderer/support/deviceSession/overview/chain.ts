import type { DeviceCompare } from '../../../../preload/contract/device/deviceCompare.ts'
import type {
  LinkOver,
  LiveFacts,
  LiveOperation,
  LiveReading,
  WorkspaceLimits
} from '../../../../preload/contract/device/workspace.ts'
import { isFix } from '../../../../preload/base/maps/position.ts'
import { formatNumber, formatQuantity } from '../../../../preload/base/messages/quantities.ts'
import { reader, say } from '../../../base/say.ts'
import { t } from '../../../base/texts.ts'
import { flagAt, numberAt, textAt } from '../../../device/readings/values.ts'

/** fail: broken here. wait: unknown. */
export type LinkTone = 'pass' | 'warn' | 'fail' | 'wait'

export interface ChainLink {
  name: string
  value: string
  tone: LinkTone
}

export interface Chain {
  vehicle: { name: string; facts: string[] }
  wires: ChainLink[]
  device: { name: string; facts: string[] }
  sky: ChainLink
  mobile: ChainLink
  gateway: { facts: string[] }
  computer: ChainLink
}

export interface ChainSources {
  readings: Partial<Record<LiveOperation, LiveReading>>
  facts: LiveFacts
  limits: WorkspaceLimits | null
  compare: DeviceCompare | null
  link: { over: LinkOver; address: string } | null
  model: string
  /** The vehicle's local name until the gateway reports one. */
  vehicleName: string
}

/** The paths of power, satellites and data, link by link. */
export function findChain(sources: ChainSources): Chain {
  const { readings, compare, model, vehicleName } = sources
  const lines = readings['io.all']?.value
  const system = readings['system.info']?.value
  return {
    vehicle: { name: compare?.vehicle?.name ?? (vehicleName || t('common.vehicle')), facts: ofVehicle(sources) },
    wires: wiresOf(lines, sources.facts),
    device: {
      name: t('common.device'),
      facts: [
        textAt(system, 'osVersion') === undefined
          ? model
          : t('windowOverview.chain.system', { model, version: textAt(system, 'osVersion') ?? '' }),
        numberAt(system, 'uptime') === undefined
          ? ''
          : t('windowOverview.chain.up', { forS: numberAt(system, 'uptime') ?? 0 }),
        numberAt(system, 'cpu', 'usage') === undefined
          ? ''
          : t('windowOverview.chain.busy', { percent: Math.round(numberAt(system, 'cpu', 'usage') ?? 0) })
      ].filter(Boolean)
    },
    sky: skyOf(sources),
    mobile: mobileOf(sources),
    gateway: { facts: ofGateway(compare) },
    computer: computerOf(sources)
  }
}

function ofVehicle({ readings, compare }: ChainSources): string[] {
  const engine = flagAt(readings['io.all']?.value, 'TIG')
  const speedKmh = numberAt(readings['gps.position']?.value, 'coords', 'speed')
  return [
    engine === undefined ? '' : t(engine ? 'windowOverview.chain.engineRuns' : 'windowOverview.chain.engineStopped'),
    speedKmh === undefined
      ? ''
      : speedKmh < 3
        ? t('windowOverview.chain.stands')
        : t('common.drivingSpeedKmh', { speedKmh: Math.round(speedKmh) }),
    compare?.vehicle?.plate ? t('windowOverview.chain.plate', { plate: compare.vehicle.plate }) : ''
  ].filter(Boolean)
}

/** Ignition off with a running engine means a missing wire, not a turned key. */
function wiresOf(lines: unknown, facts: LiveFacts): ChainLink[] {
  const [power, ignition, engine] = [flagAt(lines, 'PWR'), flagAt(lines, 'IGN'), flagAt(lines, 'TIG')]
  const word = (isOn: boolean | undefined, on: string, off: string) =>
    isOn === undefined ? t('common.noReading') : isOn ? on : off
  const [on, off] = [t('common.onInText'), t('common.offInText')]
  return [
    {
      name: 'PWR',
      value: word(power, t('common.present'), t('common.missing')),
      tone: toneOfLink(facts, 'power')
    },
    {
      name: 'IGN',
      value: word(ignition, on, off),
      tone: ignition === undefined ? 'wait' : ignition ? 'pass' : engine ? 'fail' : 'wait'
    },
    { name: 'TIG', value: word(engine, t('windowOverview.chain.engine'), off), tone: engine === true ? 'pass' : 'wait' }
  ]
}

function skyOf({ readings, facts, limits }: ChainSources): ChainLink {
  const position = readings['gps.position']?.value
  const count = numberAt(position, 'extras', 'satsActive')
  const hdop = numberAt(position, 'extras', 'hdop')
  const fix = numberAt(position, 'extras', 'fix')
  const tone = toneOfLink(facts, 'fix')
  const isFew = limits !== null && count !== undefined && count < limits.satellitesPass
  return {
    name: count === undefined ? t('common.satellites') : t('windowOverview.chain.satellites', { n: count }),
    value:
      position === undefined || position === null
        ? ''
        : [
            hdop === undefined ? '' : `HDOP ${formatNumber(hdop, reader.value.language, 1, 1)}`,
            isFix(fix) ? t('windowOverview.chain.fix') : t('windowOverview.chain.noFix')
          ]
            .filter(Boolean)
            .join(', '),
    tone: tone === 'pass' && isFew ? 'warn' : tone
  }
}

function mobileOf({ readings, facts, limits }: ChainSources): ChainLink {
  const modem = readings['modem.information']?.value
  const { signal, signalNotKnown } = facts.modem ?? {}
  const network = [textAt(modem, 'RAT'), textAt(modem, 'OPERATOR')].filter(Boolean).join(' ')
  const name = signal
    ? formatQuantity('Dbm', signal.dBm, reader.value)
    : t(signalNotKnown ? 'windowOverview.chain.signalNotKnown' : 'windowOverview.chain.noSignal')
  const broken = (['sim', 'registration', 'address'] as const).find((link) => toneOfLink(facts, link) === 'fail')
  if (broken)
    return {
      name,
      value: broken === 'address' ? t('common.noAddress') : say(facts.linkTexts?.[broken]?.sentence ?? null),
      tone: 'fail'
    }
  const isTooWeak = signal && limits && signal.dBm < limits.signalWarnDbm
  return {
    name,
    value: network,
    tone: isTooWeak
      ? 'fail'
      : signal && limits && signal.dBm < limits.signalPassDbm
        ? 'warn'
        : toneOfLink(facts, 'registration')
  }
}

/** The core's verdict of the link from these readings. */
function toneOfLink({ links }: LiveFacts, link: keyof NonNullable<LiveFacts['links']>): LinkTone {
  const state = links?.[link]
  return state === 'ok' ? 'pass' : state === 'broken' ? 'fail' : 'wait'
}

function ofGateway(compare: DeviceCompare | null): string[] {
  if (compare === null || compare.gateway.state === 'asking') return [t('common.reading')]
  if (compare.gateway.state === 'notShown') return [t('windowOverview.chain.notShown')]
  if (compare.gateway.state !== 'answers' && compare.newest === null)
    return [compare.gateway.why ? say(compare.gateway.why) : '']
  const { newest } = compare
  if (newest === null) return [compare.vehicle ? t('windowOverview.chain.noEvent') : t('common.noVehicle')]
  return [
    t('windowOverview.chain.lastEvent', { agoS: roundAge(newest.ageS) }),
    newest.delayS === null ? '' : t('windowOverview.chain.delivered', { inS: newest.delayS })
  ].filter(Boolean)
}

/** Whole minutes from two minutes on: nobody would read a number that grows every second. */
function roundAge(ageS: number): number {
  return ageS < 120 ? ageS : Math.round(ageS / 60) * 60
}

function computerOf({ readings, link }: ChainSources): ChainLink {
  const answers = Object.values(readings).filter(({ failure, elapsedMs }) => failure === null && elapsedMs !== null)
  const answerMs =
    answers.length > 0 ? Math.round(Math.min(...answers.map(({ elapsedMs }) => elapsedMs ?? 0))) : undefined
  const isAway = Object.keys(readings).length > 0 && answers.length === 0
  const way = link ? [t(`windowWorkspace.link.${link.over}`), link.address.replace(/:\d+$/, '')].join(' ') : ''
  const speed = isAway
    ? t('common.doesNotAnswer')
    : answerMs === undefined
      ? ''
      : t('windowOverview.chain.answersIn', { answerMs })
  return {
    name: t('common.thisComputer'),
    value: [way, speed].filter(Boolean).join(', '),
    tone: isAway ? 'fail' : answers.length === 0 ? 'wait' : 'pass'
  }
}
