import type { EventDetail, EventRow } from '../../../preload/contract/gateway/vehicles/eventLog.ts'
import { formatSeconds } from '../../base/format.ts'
import { t } from '../../base/texts.ts'
import type { Shape } from '../../base/ui/status.ts'

export interface Explained {
  shape: Shape
  tone: '' | 'defer' | 'warn'
  title: string
  texts: string[]
  /** A link to more details. */
  term?: string
  termWords?: string
}

/** How an event reached the gateway, and the meaning: only what its times and its type show for certain. */
export function explainEvent(row: EventRow, detail: EventDetail | null): Explained {
  const { delayS, mark } = row
  const stretch = detail?.stretch ?? null
  const copies = (detail?.copies ?? 1) > 1 && mark !== 'twice' ? [t('windowEventLog.explain.hasCopy')] : []
  if (mark === 'twice')
    return {
      shape: 'wait',
      tone: '',
      title: t('common.sentTwice'),
      texts: [t('windowEventLog.explain.twiceText')],
      term: 'gateway.eventTypes.t301',
      termWords: t('windowEventLog.explain.whatTwice')
    }
  if (mark === 'clock')
    return {
      shape: 'warn',
      tone: 'warn',
      title: t('windowEventLog.explain.clock', { delayS: delayS ?? 0 }),
      texts: [t('windowEventLog.explain.clockText'), ...copies]
    }
  if (mark === 'kept') {
    const deliveredS =
      stretch && stretch.arrivedFromMs !== null && stretch.arrivedToMs !== null
        ? Math.max(1, Math.round((stretch.arrivedToMs - stretch.arrivedFromMs) / 1000))
        : null
    const text =
      stretch === null
        ? []
        : [
            stretch.n === 1 || deliveredS === null
              ? t('windowEventLog.explain.keptOne')
              : t('windowEventLog.explain.keptText', { n: stretch.n, deliveredS })
          ]
    return {
      shape: 'defer',
      tone: 'defer',
      title:
        delayS === null
          ? t('common.bufferedInTheDevice')
          : t('windowEventLog.explain.keptFor', { time: formatSeconds(delayS) }),
      texts: [...text, ...copies],
      term: 'gateway.eventTypes.t13',
      termWords: t('windowEventLog.explain.whatKept')
    }
  }
  if (row.happenedMs === null)
    return {
      shape: 'warn',
      tone: 'warn',
      title: t('windowEventLog.explain.noTime'),
      texts: [t('windowEventLog.explain.noTimeText')]
    }
  if (delayS !== null && delayS <= -5)
    return {
      shape: 'warn',
      tone: 'warn',
      title: t('windowEventLog.explain.ahead', { aheadS: -delayS }),
      texts: [t('windowEventLog.explain.aheadText')]
    }
  if (delayS === null) return { shape: 'wait', tone: '', title: t('windowEventLog.explain.unknown'), texts: copies }
  return {
    shape: 'pass',
    tone: '',
    title: t('windowEventLog.explain.atOnce', { delayS: Math.max(0, delayS) }),
    texts: copies
  }
}
