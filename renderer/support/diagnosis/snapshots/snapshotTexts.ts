import type { SnapshotDifference, SnapshotLine } from '../../../../preload/contract/support/snapshots.ts'
import { t } from '../../../base/texts.ts'

/** The reason for a snapshot, as text of its row. */
export function causeText({ cause, isOpened }: SnapshotLine): string {
  return isOpened ? t('common.fromAFile') : t(`windowSnapshots.cause.${cause}`)
}

/** A device's value of one field, on one line. */
export function valueText(value: SnapshotDifference['before']): string {
  if (value === null || value === '') return t('windowSnapshots.noValue')
  if (typeof value === 'boolean') return t(`windowSnapshots.flag.${value ? 'yes' : 'no'}`)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
