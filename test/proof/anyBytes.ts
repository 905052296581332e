import type { AnyBytesResult } from '../world/data/anyBytes.ts'

export { proveAnyBytes } from '../world/data/anyBytes.ts'

export function sayAnyBytes({ seed, tried, verdicts, unanswered }: AnyBytesResult): string {
  const counts = Object.entries(verdicts)
    .map(([verdict, n]) => `${verdict} ${n}`)
    .join(', ')
  return [
    ...unanswered,
    `Files: ${tried} tried, ${unanswered.length} without an answer; ${counts} (seed ${seed})`
  ].join('\n')
}
