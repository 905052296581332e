import { t } from '../../base/texts.ts'

/** The counters that the gateway's document names, in the order of the list. */
const named = [
  'dev_dist',
  'ecu_dist',
  'dev_ign',
  'ecu_eusage',
  'dev_idle',
  'ecu_eidle',
  'dev_ospeed',
  'dev_orpm',
  'ecu_tfuel',
  'ecu_ifuel',
  'counter_tamper'
] as const
type Named = (typeof named)[number]

/** The name of a counter in words; a counter missing from the documents keeps its code. */
export function counterName(counter: string): string {
  if (isNamed(counter)) return t(`windowVehicle.counter.${counter}`)
  const [, expander, side, number, short] = /^counter_io_(exp_)?(in|out)([1-4])(_short)?$/.exec(counter) ?? []
  if (side === undefined || number === undefined) return counter
  const kind = expander
    ? side === 'in'
      ? 'expanderInput'
      : short
        ? 'expanderShort'
        : 'expanderOutput'
    : side === 'in'
      ? 'input'
      : 'output'
  return t(`windowVehicle.counter.line.${kind}`, { number })
}

/** The order of the list: distances, times and fuel first, lines after them, unknown ones last. */
export function counterOrder(a: string, b: string): number {
  const place = (counter: string): number =>
    isNamed(counter) ? named.indexOf(counter) : counter.startsWith('counter_io') ? named.length : named.length + 1
  return place(a) - place(b) || a.localeCompare(b)
}

/** Reported by the engine bus, not by the device itself. */
export function isFromBus(counter: string): boolean {
  return counter.startsWith('ecu_')
}

function isNamed(counter: string): counter is Named {
  return (named as readonly string[]).includes(counter)
}
