import type { LinesStory } from '../../../preload/job/linesStory.ts'
import { t } from '../../base/texts.ts'
import { secondsText } from './linesText.ts'

/** The measured reading interval of the lines, and the pulse length that may be missed between two readings. */
export function paceWords(pace: LinesStory['pace']): string {
  if (!pace) return t('windowLines.pace.measuring')
  const { everyMs, longestMs } = pace
  const missed = secondsText(Math.ceil(longestMs / 50) * 50)
  return everyMs <= 1_000
    ? t('windowLines.pace.perSecond', { n: Math.round(1_000 / everyMs), missed })
    : t('windowLines.pace.every', { everyS: Math.round(everyMs / 100) / 10, missed })
}
