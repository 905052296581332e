// @module-tag long
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { verifyChain } from '../../../../../main/data/store/jobs/seal.ts'
import { plainMessage } from '../../../../../preload/contract/messages.ts'
import { openLaptop, type Laptop } from '../../../../world/team/laptop.ts'
import { tempFolder } from '../../../../world/tempFolder.ts'

const signal = new AbortController().signal
const child = path.join(import.meta.dirname, '..', '..', '..', '..', 'world', 'data', 'transferChild.ts')
/** Every instant takes minutes: `npm run proof -- transfers` goes through them all. */
const every = Number(process.env['FITTER_TRANSFER_EVERY'] ?? 4)

class Crash extends Error {}

function prepare(): { folder: string; job: string; work: string } {
  const folder = tempFolder()
  const laptop = openLaptop({ folder })
  const job = laptop.makeJob()
  const work = laptop.operations.add({
    kind: 'scripted',
    key: 'vehicle:1',
    title: plainMessage('first'),
    payload: { name: 'first' },
    jobId: job,
    draft: false
  }).id
  laptop.end()
  return { folder, job, work }
}

/** Does `work` on a laptop whose process dies at the n-th instant; false when it lived to its end. */
async function diesAt(folder: string, n: number, work: (laptop: Laptop) => Promise<unknown>): Promise<boolean> {
  let left = Infinity
  const laptop = openLaptop({
    folder,
    instant() {
      left -= 1
      if (left < 0) throw new Crash()
    }
  })
  left = n
  try {
    await work(laptop)
    return false
  } catch (error) {
    if (!(error instanceof Crash)) throw error
    return true
  } finally {
    laptop.end()
  }
}

/** Either all of it is here and can run, or it left and its file can be made: never both, never neither. */
async function expectWholeOrGone({ folder, job, work }: ReturnType<typeof prepare>, file: string): Promise<void> {
  const from = openLaptop({ folder })
  const to = openLaptop({ folder: tempFolder() })
  try {
    const isAway = from.jobs.show(job).handedOver !== undefined
    expect(from.operations.get(work)?.state).toBe(isAway ? 'moved' : 'pending')
    expect(verifyChain(job, from.store.jobs.journal(job))).toEqual({ ok: true })
    // What lies about under another name is nothing while the work is here.
    for (const name of fs.readdirSync(path.dirname(file))) {
      if (!isAway)
        await expect(to.transfers.take(path.join(path.dirname(file), name))).rejects.toMatchObject({
          code: 'INVALID_REQUEST'
        })
    }
    const again = path.join(tempFolder(), 'again')
    const given = await from.transfers.give({ jobIds: [job], to: '', file: again }, signal)
    expect(given.isAgain).toBe(isAway)
    if (isAway && fs.existsSync(file)) expect(fs.readFileSync(again)).toEqual(fs.readFileSync(file))
    expect(await to.transfers.take(again)).toMatchObject({
      outcome: 'taken',
      operations: [{ id: work, state: 'unknown' }]
    })
  } finally {
    from.end()
    to.end()
  }
}

describe('A process that dies', { timeout: 900_000 }, () => {
  it('while it hands work over has it whole, or has given it away in a file that can be made', async () => {
    for (let n = 1; ; n += every) {
      const scene = prepare()
      const file = path.join(tempFolder(), 'work.handover')
      const hasDied = await diesAt(scene.folder, n, ({ transfers }) =>
        transfers.give({ jobIds: [scene.job], to: '', file }, signal)
      )
      await expectWholeOrGone(scene, file)
      if (!hasDied) break
    }
  })

  it('while it takes work over has none of it or all of it, and never twice', async () => {
    const scene = prepare()
    const file = path.join(tempFolder(), 'work.handover')
    await diesAt(scene.folder, Infinity, ({ transfers }) =>
      transfers.give({ jobIds: [scene.job], to: '', file }, signal)
    )
    for (let n = 1; ; n += every) {
      const folder = tempFolder()
      const hasDied = await diesAt(folder, n, ({ transfers }) => transfers.take(file))
      const to = openLaptop({ folder })
      const isHere = to.store.jobs.journal(scene.job).length > 0
      expect(to.operations.list().map(({ id, state }) => ({ id, state }))).toEqual(
        isHere ? [{ id: scene.work, state: 'unknown' }] : []
      )
      expect((await to.transfers.take(file)).outcome).toBe(isHere ? 'alreadyHere' : 'taken')
      expect(to.store.jobs.journal(scene.job).filter(({ type }) => type === 'movedHere')).toHaveLength(1)
      expect(to.operations.list()).toHaveLength(1)
      to.end()
      if (!hasDied) break
    }
  })

  it.each([9, 16, 22])(
    'and is killed outright at instant %d of handing over leaves nothing that is in two places',
    async (n) => {
      const scene = prepare()
      const file = path.join(tempFolder(), 'work.handover')
      expect(spawnSync(process.execPath, [child, 'give', scene.folder, file, scene.job, String(n)]).signal).toBe(
        'SIGKILL'
      )
      await expectWholeOrGone(scene, file)
    }
  )
})
