import { computed } from 'vue'
import { formatNumber } from '../../../preload/base/messages/quantities.ts'
import { formatTime } from '../../../preload/base/messages/times.ts'
import { formatSecond } from '../../base/format.ts'
import { reader } from '../../base/say.ts'
import { t } from '../../base/texts.ts'
import { fieldName, fieldUnit, valueText, type FieldInfo } from './filters/fieldTexts.ts'
import type { Stretches } from './useEventLog.ts'
import { wallText } from '../../../preload/base/messages/zone.ts'

export interface ChartWordsOf {
  charts(): readonly string[]
  fields(): readonly FieldInfo[]
  span(): { fromMs: number; toMs: number }
  stretches(): Stretches
}

const dayMs = 86_400_000
const seconds = (fromMs: number, toMs: number): number => Math.round((toMs - fromMs) / 1000)

/** The chart's texts in the person's language, units and time zone. */
export function chartWords({ charts, fields, span, stretches }: ChartWordsOf) {
  const gaps = computed(() =>
    stretches().gaps.map((gap) => ({
      ...gap,
      text: t(gap.open === null ? 'windowEventLog.silent' : 'windowEventLog.silentAtLeast', {
        silentS: seconds(gap.fromMs, gap.toMs)
      })
    }))
  )
  const kept = computed(() =>
    stretches()
      .kept.filter(({ kind }) => kind === 'kept')
      .map((one) => ({ ...one, text: t('windowEventLog.keptFor', { n: one.n, longestS: Math.round(one.longestS) }) }))
  )
  const noFix = computed(() =>
    stretches().noFix.map((one) => ({
      ...one,
      text: t('windowEventLog.gpsLostAt', { time: formatSecond(one.fromMs) })
    }))
  )
  const lanes = computed(() =>
    charts().map((field) => {
      const { symbol, factor, digits } = fieldUnit(field)
      return {
        field,
        name: fieldName(field, fields()),
        symbol,
        factor,
        tickText: (value: number) => formatNumber(value, reader.value.language, Math.min(digits, 1))
      }
    })
  )
  const offsetMs = computed(() => {
    const { toMs } = span()
    return Date.parse(`${wallText(toMs, reader.value.timeZone)}Z`) - Math.floor(toMs / 60_000) * 60_000
  })
  const summary = computed(() =>
    [...gaps.value, ...kept.value, ...noFix.value]
      .slice(0, 20)
      .map(({ fromMs, text }) => `${formatTime(fromMs, 'shortDayAndTime', reader.value)}: ${text}`)
      .join('. ')
  )
  return {
    gaps,
    kept,
    noFix,
    lanes,
    offsetMs,
    summary,
    names: computed(() => ({
      happened: t('windowEventLog.col.happened'),
      happenedBy: t('windowEventLog.deviceTime'),
      arrived: t('windowEventLog.arrived'),
      arrivedBy: t('windowEventLog.gatewayTime')
    })),
    plateText: (field: string, value: number | null): string =>
      value === null ? t('common.noneInText') : valueText(field, value),
    tickText(atMs: number): string {
      const { fromMs, toMs } = span()
      const isMidnight = wallText(atMs, reader.value.timeZone).endsWith('T00:00')
      return formatTime(atMs, isMidnight && toMs - fromMs > dayMs / 2 ? 'dayAndMonth' : 'time', reader.value)
    }
  }
}
