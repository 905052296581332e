import fs from 'node:fs'
import { openStore } from '../../../main/data/store/index.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { english } from '../window/english.ts'
import { summaryOf } from './jobSummary.ts'

/**
 * A process that adds to a log and says so after each entry: `ACK <seq>`. It ends with what stopped it, or after `most`
 * entries.
 */
const [folder = '', most = 'Infinity', size = '600'] = process.argv.slice(2)
try {
  const store = openStore(folder)
  fs.writeSync(1, 'OPEN\n')
  for (let count = 0; count < Number(most); count++) {
    const entry = {
      type: 'evidence',
      stepId: null,
      data: { text: 'x'.repeat(Number(size)) },
      at: '2026-03-01T10:00:00.000Z'
    }
    const [added] = store.jobs.append('one', [entry], () => summaryOf('one'))
    fs.writeSync(1, `ACK ${added?.seq}\n`)
  }
  store.close()
} catch (error) {
  if (!(error instanceof AppError)) throw error
  fs.writeSync(1, `${error.code} ${english(error.sentence)}\n`)
}
