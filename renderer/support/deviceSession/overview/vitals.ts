import type { DeviceCompare } from '../../../../preload/contract/device/deviceCompare.ts'
import type {
  LiveFacts,
  LiveOperation,
  LiveReading,
  WorkspaceLimits
} from '../../../../preload/contract/device/workspace.ts'
import { formatNumber, formatQuantity, type Unit } from '../../../../preload/base/messages/quantities.ts'
import { reader, say } from '../../../base/say.ts'
import { t } from '../../../base/texts.ts'
import { valueAt, flagAt, formatLong, numberAt } from '../../../device/readings/values.ts'

export type VitalId = 'signal' | 'supply' | 'satellites' | 'delay' | 'processor' | 'memory' | 'battery' | 'running'

/** A vital sign with its one sentence. Without a value the sentence says why. */
export interface Vital {
  id: VitalId
  value: string | null
  unit: string
  tone?: 'warn' | 'fail' | undefined
  note: string
  /** Dashed line in its history: the limit. */
  limit?: number | undefined
  isStale: boolean
}

export interface VitalSources {
  readings: Partial<Record<LiveOperation, LiveReading>>
  facts: LiveFacts
  limits: WorkspaceLimits | null
  compare: DeviceCompare | null
}

/** The vital signs of a device, in the order of the tiles. Those missing in both APIs are not included. */
export function findVitals({ readings, facts, limits, compare }: VitalSources): Vital[] {
  const lines = readings['io.all']
  const system = readings['system.info']
  const position = readings['gps.position']
  const modem = readings['modem.information']
  const one = (
    id: VitalId,
    reading: LiveReading | undefined,
    shown: { value: number | undefined; unit: Unit; note: string; tone?: Vital['tone']; limit?: number | undefined }
  ): Vital => {
    const isStale = isOld(reading)
    if (shown.value === undefined) return { id, value: null, unit: '', note: whyNot(reading), isStale }
    return {
      id,
      ...splitValue(formatQuantity(shown.unit, shown.value, reader.value)),
      note: shown.note,
      tone: shown.tone,
      limit: shown.limit,
      isStale
    }
  }

  const dBm = facts.modem?.signal?.dBm
  const supplyMv = numberAt(lines?.value, 'AN1')
  const batteryMv = numberAt(lines?.value, 'BAT')
  const ram = valueAt(system?.value, 'ram')
  const load = valueAt(system?.value, 'loadAvg')
  const load1 = Array.isArray(load) && typeof load[0] === 'number' ? load[0] : undefined
  return [
    one('signal', modem, {
      value: dBm,
      unit: 'Dbm',
      note: limits ? t('windowOverview.vital.wantedSignal', { signalDbm: limits.signalPassDbm }) : '',
      tone:
        dBm === undefined || !limits
          ? undefined
          : dBm < limits.signalWarnDbm
            ? 'fail'
            : dBm < limits.signalPassDbm
              ? 'warn'
              : undefined,
      limit: limits?.signalPassDbm
    }),
    one('supply', lines, {
      value: supplyMv,
      unit: 'Mv',
      note:
        supplyMv !== undefined && supplyMv >= analogTopMv
          ? t('windowOverview.vital.atEnd')
          : t('windowOverview.vital.ifWired')
    }),
    satellitesOf(position, limits),
    delayOf(compare, limits),
    one('processor', system, {
      value: numberAt(system?.value, 'cpu', 'usage'),
      unit: 'Percent',
      note:
        load1 === undefined
          ? ''
          : t('windowOverview.vital.load', { load: formatNumber(load1, reader.value.language, 2, 2) })
    }),
    one('memory', system, {
      value: numberAt(ram, 'available'),
      unit: 'Bytes',
      note:
        numberAt(ram, 'total') === undefined
          ? ''
          : t('windowOverview.vital.ofBytes', { totalBytes: numberAt(ram, 'total') ?? 0 })
    }),
    one('battery', lines, { value: batteryMv, unit: 'Mv', note: powerNote(flagAt(lines?.value, 'PWR')) }),
    runningOf(system)
  ]
}

const analogTopMv = 28_000

function satellitesOf(position: LiveReading | undefined, limits: WorkspaceLimits | null): Vital {
  const count = numberAt(position?.value, 'extras', 'satsActive')
  const hdop = numberAt(position?.value, 'extras', 'hdop')
  const isStale = isOld(position)
  if (count === undefined) return { id: 'satellites', value: null, unit: '', note: whyNot(position), isStale }
  return {
    id: 'satellites',
    value: String(count),
    unit: t('windowOverview.vital.used'),
    note: hdop === undefined ? '' : `HDOP ${formatNumber(hdop, reader.value.language, 1, 1)}`,
    tone: !limits || count >= limits.satellitesPass ? undefined : count >= limits.satellitesWarn ? 'warn' : 'fail',
    limit: limits?.satellitesPass,
    isStale
  }
}

function delayOf(compare: DeviceCompare | null, limits: WorkspaceLimits | null): Vital {
  const delayS = compare?.newest?.delayS
  const isStale = compare !== null && compare.gateway.state !== 'answers'
  if (compare === null || typeof delayS !== 'number') {
    const note = compare?.gateway.why
      ? say(compare.gateway.why)
      : compare === null || compare.gateway.state === 'asking'
        ? t('windowOverview.vital.asking')
        : t('windowOverview.vital.noEvent')
    return { id: 'delay', value: null, unit: '', note, isStale: false }
  }
  const most = Math.max(...compare.delays.map((one) => one.delayS))
  return {
    id: 'delay',
    ...splitValue(formatQuantity('S', delayS, reader.value)),
    note: t('windowOverview.vital.mostDelay', { mostS: most, n: compare.delays.length }),
    tone: limits && delayS > limits.delayPassS ? 'warn' : undefined,
    limit: limits?.delayPassS,
    isStale
  }
}

function runningOf(system: LiveReading | undefined): Vital {
  const uptimeS = numberAt(system?.value, 'uptime')
  const isStale = isOld(system)
  if (uptimeS === undefined || !system) return { id: 'running', value: null, unit: '', note: whyNot(system), isStale }
  return {
    id: 'running',
    value: formatLong(uptimeS),
    unit: '',
    note: t('windowOverview.vital.startedAt', {
      startedAt: new Date(Date.parse(system.readAt) - uptimeS * 1000).toISOString()
    }),
    isStale
  }
}

function powerNote(hasPower: boolean | undefined): string {
  if (hasPower === undefined) return ''
  return hasPower ? t('windowOverview.vital.onSupply') : t('windowOverview.vital.onBattery')
}

/** The last readings of a device that does not answer now. */
function isOld(reading: LiveReading | undefined): boolean {
  return reading !== undefined && reading.failure !== null && reading.value !== null
}

/** Why a value is missing. */
function whyNot(reading: LiveReading | undefined): string {
  if (!reading) return t('windowOverview.vital.beingRead')
  if (reading.failure) return say(reading.failure.message)
  return reading.problems[0] ? say(reading.problems[0]) : t('windowOverview.vital.notTold')
}

/** A quantity as its number and its unit: the number is large. */
export function splitValue(text: string): { value: string; unit: string } {
  const [, value = text, unit = ''] = /^([−\-\d.,]+)[\s\u00A0]+(.+)$/.exec(text) ?? []
  return { value, unit }
}
