import type { Meter } from '../../preload/contract/jobs.ts'

/** A live value with its unit, what is wanted of it, and how far it is. */
export function meter(
  label: string,
  value: string | number | undefined,
  more: Partial<Omit<Meter, 'label' | 'value'>> = {}
): Meter {
  const text = value === undefined ? '—' : String(value)
  return { label, value: text, unit: '', target: '', progress: null, tone: value === undefined ? 'wait' : 'live', ...more }
}

export function share(part: number, whole: number): number {
  return whole <= 0 ? 1 : Math.max(0, Math.min(1, part / whole))
}

/** `1:12` */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

export function oneDecimal(value: number): string {
  return value.toFixed(1)
}
