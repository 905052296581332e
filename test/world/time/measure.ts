/** The middle one, and the one that 95 of 100 stay below. */
export function summariseMs(times: readonly number[]): { medianMs: number; p95Ms: number } {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { medianMs: at(0.5), p95Ms: at(0.95) }
}

/** Runs both sides in turn, so that what else this computer does hits both; gives the times of each. */
export async function alternate(
  rounds: number,
  ours: () => unknown,
  other: () => unknown
): Promise<{ ours: number[]; other: number[] }> {
  const times = { ours: [] as number[], other: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    for (const [side, work] of [
      ['ours', ours],
      ['other', other]
    ] as const) {
      const started = performance.now()
      await work()
      times[side].push(performance.now() - started)
    }
  }
  return times
}

/** One line of a benchmark: both sides, their ratio, and the goal that it is held against. */
export function sayRatio(name: string, { ours, other }: { ours: number[]; other: number[] }, goal: number): void {
  const [a, b] = [summariseMs(ours), summariseMs(other)]
  const ratio = a.medianMs / b.medianMs
  const line = `${name.padEnd(44)} ${a.medianMs.toFixed(2)} ms (p95 ${a.p95Ms.toFixed(2)}) against ${b.medianMs.toFixed(2)} ms: ${ratio.toFixed(2)}, goal ${goal}${ratio <= goal ? '' : '  MISSED'}`
  process.stdout.write(`${line}\n`)
}
