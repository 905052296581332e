import Database from 'better-sqlite3'
import fs from 'node:fs'
import { openStore } from '../../../main/data/store/index.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import { summaryOf } from './jobSummary.ts'

/**
 * A process whose every write is recorded: it keeps an entry, gateway work and a picture in turn, and says so after
 * each: `ACK entry 1`, `ACK operation 1`, `ACK picture <hash>`. With `normal` it does not wait for the disk, as a proof
 * that the proof notices.
 */
const [folder = '', rounds = '1', synchronous = 'full'] = process.argv.slice(2)
if (synchronous === 'normal') waitForNoDisk()
const at = '2026-03-01T10:00:00.000Z'
const store = openStore(folder)
for (let round = 1; round <= Number(rounds); round++) {
  const entry = { type: 'evidence', stepId: null, data: { text: 'x'.repeat(900), round }, at }
  store.jobs.append('one', [entry], () => summaryOf('one'))
  fs.writeSync(1, `ACK entry ${round}\n`)
  const id = `01ARZ3NDEKTSV4RRFFQ69G${String(round).padStart(4, '0')}`
  const words = { title: plainMessage('A link'), reason: plainMessage('It waits.') }
  store.operations.add({
    id,
    kind: 'entities.link',
    key: `vehicle:${round}`,
    state: 'pending',
    jobId: 'one',
    payload: { round },
    createdAt: at,
    isLive: false,
    needs: [],
    ...words
  })
  fs.writeSync(1, `ACK operation ${id}\n`)
  const file = await store.attachments.write(new TextEncoder().encode(`picture ${round} ${'x'.repeat(1_500)}`))
  store.attachments.keep({ jobId: 'one', file, mediaType: 'image/jpeg', at })
  fs.writeSync(1, `ACK picture ${file.sha256}\n`)
}
store.close()

function waitForNoDisk(): void {
  const prototype = Database.prototype as { pragma(text: string, options?: Database.PragmaOptions): unknown }
  const { pragma } = prototype
  prototype.pragma = function (this: Database.Database, text, options) {
    return pragma.call(this, text.replace('synchronous = full', 'synchronous = normal'), options)
  }
}
