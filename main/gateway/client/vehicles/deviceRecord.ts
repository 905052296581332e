import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'

/** The device that a gateway record names; null when it names none. */
export function imeiOfRecord(record: unknown): string | null {
  const { imei } = (record ?? {}) as { imei?: unknown }
  return typeof imei === 'number' || typeof imei === 'string' ? String(imei) : null
}

/** UNREADABLE when the record names a different device, or none: it proves nothing about this one. */
export function demandRecordOf(record: unknown, imei: string): void {
  const own = imeiOfRecord(record)
  if (own === imei) return
  const sentence =
    own === null
      ? message('gateway.recordOfNobody', { imei })
      : message('gateway.recordOfAnother', { imei, own: own.slice(0, 30) })
  throw new AppError('UNREADABLE', sentence, { fate: 'away' })
}
