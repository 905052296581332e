import { onTestFinished } from 'vitest'
import { createArriving, type ServerHoldings } from '../../../main/team/holding/pull.ts'
import { pieceBytes } from '../../../main/data/store/jobs/attachmentFiles.ts'
import { message } from '../../../preload/contract/messages.ts'
import { failure } from './fakeTeamLog.ts'
import { openHoldingBench, type HoldingBench } from './holdingBench.ts'
import { openLaptop } from './laptop.ts'
import { attachPicture } from './teamLaptop.ts'
import { tempFolder } from '../tempFolder.ts'

export const takeOffer = 'fitter.take_offer'
export const refuses = (code: string) => () => {
  throw failure(code)
}
export type Offer = ServerHoldings['offers'][number]
export type JobThere = NonNullable<ReturnType<ServerHoldings['jobs']['get']>>

export const nothing: ServerHoldings = { own: 'Laptop 1', offers: [], jobs: new Map(), lost: [] }
export const holdings = (more: Partial<ServerHoldings>): ServerHoldings => ({ ...nothing, ...more })
export const jobThere = (id: string, more: Partial<JobThere> = {}): [string, JobThere] => [
  id,
  {
    id,
    head_seq: '1',
    head_hash: 'head',
    is_mine: false,
    holder: 'Laptop 2',
    vehicle: 'Unit 0007',
    customer: 'Customer One',
    imei: '867698040023056',
    template: 'standard',
    shown: { template: { name: message('team.stopped') } },
    ...more
  }
]

/** An offer of another laptop, as the server says it. */
export async function offered(more: Partial<Offer> = {}, pictures = 0) {
  const from = openLaptop({ folder: tempFolder(), name: '' })
  onTestFinished(() => from.end())
  const job = from.makeJob()
  const picture = pictures > 0 ? await attachPicture(from, job, 3) : undefined
  if (pictures > 1) await attachPicture(from, job, 4)
  const id = await from.transfers.leave({ jobIds: [job], to: 'Laptop 1' }, () => undefined)
  const { content, text, sha256 } = from.transfers.content(id)
  const offer: Offer = {
    id,
    from_name: 'Laptop 2',
    to_name: 'Laptop 1',
    at: new Date('2026-11-20T08:00:00.000Z'),
    jobs: content.jobs,
    work_sha256: sha256,
    state: 'open',
    taken_by_name: '',
    is_from_me: false,
    is_taken_by_me: false,
    ...more
  }
  const log = from.store.jobs.journal(job)
  const head = log.at(-1)?.hash ?? ''
  return {
    from,
    job,
    offer,
    log,
    head,
    picture,
    serve(bench: HoldingBench) {
      bench.serve(job, log)
      const bytes = new Map<string, Uint8Array>([
        [sha256, Buffer.from(text)],
        ...(picture ? [[picture, from.store.attachments.read(picture)] as const] : [])
      ])
      bench.answer('select bytes from fitter.piece', ([named, number]) => {
        const piece = bytes
          .get(named as string)
          ?.subarray((number as number) * pieceBytes, ((number as number) + 1) * pieceBytes)
        return piece && piece.length > 0 ? [{ bytes: Buffer.from(piece) }] : []
      })
      bench.answer(takeOffer, () => [])
    }
  }
}

/** A laptop whose server only answers. */
export function openPulling() {
  const bench = openHoldingBench()
  return { bench, arriving: createArriving(bench.parts), journal: (job: string) => bench.store.jobs.journal(job) }
}
