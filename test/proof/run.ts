import { hasStrace, provePowercuts } from './powercut.ts'

/** The long form of the proofs: `npm run proof`. */
if (!hasStrace()) {
  console.error('The power cuts need strace (apt-get install strace), and the right to trace a process.')
  process.exitCode = 2
} else {
  const seed = Number(process.argv[2] ?? Date.now() % 1_000_000)
  const { events, states, acknowledged, lost, broken } = provePowercuts({ entries: 120, seed })
  for (const line of [...lost, ...broken]) console.log(line)
  console.log(`Power cuts: ${events} events, ${acknowledged} entries, ${states} states; lost ${lost.length}, damaged ${broken.length} (seed ${seed})`)
  process.exitCode = lost.length + broken.length === 0 ? 0 : 1
}
