/** The least and the greatest of an axis. */
export interface Scale {
  least: number
  most: number
}

const wantedTicks = 4
const steps = [1, 2, 2.5, 5, 10]

/** An axis around these numbers with round ends, so that small changes do not move the axis. */
export function roundScale(values: readonly number[], atLeast: Partial<Scale>): Scale {
  const least = Math.min(...values, atLeast.least ?? Infinity)
  const most = Math.max(...values, atLeast.most ?? -Infinity)
  if (!Number.isFinite(least) || !Number.isFinite(most)) return { least: 0, most: 1 }
  const span = most - least || Math.max(1, Math.abs(most) * 0.1)
  const step = roundStep(span / wantedTicks)
  const room = span * 0.06
  const from =
    atLeast.least !== undefined && least >= atLeast.least ? atLeast.least : Math.floor((least - room) / step) * step
  const to = atLeast.most !== undefined && most <= atLeast.most ? atLeast.most : Math.ceil((most + room) / step) * step
  return { least: from, most: to > from ? to : from + step }
}

function roundStep(wanted: number): number {
  const power = 10 ** Math.floor(Math.log10(wanted))
  return power * (steps.find((one) => one * power >= wanted) ?? 10)
}
