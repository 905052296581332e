import { openStore } from '../../../main/data/store/index.ts'
import { createSecrets } from '../../../main/base/secrets/keychain.ts'
import type { Joining } from '../../../main/team/server/joinFile.ts'
import { createTeam } from '../../../main/team/team.ts'
import { summaryOf } from '../../world/data/jobSummary.ts'

/** The laptop of the bench: its memory is its own. */
export interface JoiningChild {
  folder: string
  joining: Joining
}

const { folder, joining } = JSON.parse(process.argv[2] ?? '{}') as JoiningChild
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`

let startedMs = performance.now()
const store = openStore(folder)
say(`opened: ${seconds(performance.now() - startedMs)}`)
const team = createTeam({ store, secrets: createSecrets({ inMemory: true }) })
await team.join(joining)
startedMs = performance.now()
const all = team.status().waiting
say(
  `${String(all)} jobs wait, counted in ${(performance.now() - startedMs).toFixed(0)} ms; memory ${megabytes(process.memoryUsage().rss)}`
)

let mostBytes = 0
let slowestMs = 0
let toldMs = performance.now()
let workedAtMs = 0
let nextAt = 10_000
const waits: number[] = []
const oldest = 'job-000000'
const cpu = process.cpuUsage()
startedMs = performance.now()
const pushed = await team.push(new AbortController().signal, ({ jobs, entries }) => {
  const nowMs = performance.now()
  slowestMs = Math.max(slowestMs, nowMs - toldMs)
  toldMs = nowMs
  mostBytes = Math.max(mostBytes, process.memoryUsage().rss)
  // Somebody works on the oldest job meanwhile: after how long is each entry there?
  const isThere = store.teamPush.pushed(oldest)?.hash === store.jobs.journal(oldest).at(-1)?.hash
  if (workedAtMs > 0 && isThere) {
    waits.push(nowMs - workedAtMs)
    workedAtMs = 0
  }
  if (workedAtMs === 0 && waits.length < 100) {
    workedAtMs = nowMs
    store.jobs.append(
      oldest,
      [{ type: 'evidence', stepId: 'ignition', data: { text: 'now' }, at: new Date().toISOString() }],
      () => store.teamPush.summary(oldest) ?? summaryOf(oldest)
    )
  }
  if (jobs >= nextAt) {
    nextAt += 10_000
    say(
      `  ${seconds(nowMs - startedMs)}: ${String(jobs)} jobs, ${String(entries)} entries, memory ${megabytes(process.memoryUsage().rss)}`
    )
  }
})
const spentMs = performance.now() - startedMs
const used = process.cpuUsage(cpu)
waits.sort((a, b) => a - b)
say(
  `pushed ${String(pushed.jobs)} jobs, ${String(pushed.entries)} entries in ${seconds(spentMs)}, ${String(pushed.stopped)} stopped; own time of a core ${seconds((used.user + used.system) / 1_000)}, memory at most ${megabytes(mostBytes)}`
)
say(
  `an entry of a job that is worked on meanwhile is there after: median ${(waits[Math.floor(waits.length / 2)] ?? 0).toFixed(0)} ms, p95 ${(waits[Math.floor(waits.length * 0.95)] ?? 0).toFixed(0)} ms, most ${(waits.at(-1) ?? 0).toFixed(0)} ms of ${String(waits.length)}; one call took at most ${slowestMs.toFixed(0)} ms`
)
await team.close()
store.close()

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
