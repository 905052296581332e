import fs from 'node:fs'
import { openStore } from '../../../main/data/store/index.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { summaryOf } from './jobSummary.ts'

/**
 * A process that adds entries `1`, `2`, … to a log and prints the result of each: `KEPT 3`, or `TOLD 3 <sentence>`. It
 * ends by dying, without any cleanup. With `BALLAST` it waits until the space was reserved, and ends once it was lost
 * and is reserved again.
 */
const [folder = '', most = '6', pauseMs = '0', reserved = ''] = process.argv.slice(2)
const hasBallast = reserved === 'BALLAST'
const store = openStore(folder)
const rest = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
while (hasBallast && !fs.existsSync(`${folder}/fitter.ballast`)) await rest(20)
fs.writeSync(1, 'OPEN\n')
let wasFull = false
for (let count = 1; count <= Number(most); count++) {
  const entry = {
    type: 'evidence',
    stepId: null,
    data: { text: String(count), filling: 'x'.repeat(3_000) },
    at: '2026-03-01T10:00:00.000Z'
  }
  try {
    store.jobs.append('one', [entry], () => summaryOf('one'))
    fs.writeSync(1, `KEPT ${count} ${store.disk.standing()}\n`)
    if (hasBallast && wasFull && store.disk.standing() === 'usable') break
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    fs.writeSync(1, `TOLD ${count} ${error.sentence.id} ${store.disk.standing()}\n`)
    wasFull = true
  }
  await rest(Number(pauseMs))
}
process.kill(process.pid, 'SIGKILL')
