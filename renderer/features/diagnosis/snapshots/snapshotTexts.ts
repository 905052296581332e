import type { SnapshotDifference, SnapshotLine } from '../../../../preload/contract/diagnosis/snapshots.ts'
import { t } from '../../../texts.ts'

/** Why a snapshot was made, as its row says it. */
export function causeText({ cause, isOpened }: SnapshotLine): string {
  return isOpened ? t('common.fromAFile') : t(`windowSnapshots.cause.${cause}`)
}

/** What a device said in one field, in a line. */
export function valueText(value: SnapshotDifference['before']): string {
  if (value === null || value === '') return t('windowSnapshots.noValue')
  if (typeof value === 'boolean') return t(`windowSnapshots.flag.${value ? 'yes' : 'no'}`)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
