import { limits } from '../../job/jobs/handover/fileForm.ts'
import {
  handedOverOperation,
  hashOfPayload,
  type HandedOverOperation
} from '../../gateway/waitingWork/handover/handedOver.ts'

/** The open gateway work that its holder reported; parts without the agreed form are dropped. */
export function readWork(work: unknown, jobId: string): HandedOverOperation[] {
  const read: HandedOverOperation[] = []
  for (const one of Array.isArray(work) ? work.slice(0, limits.operations) : []) {
    const { data } = handedOverOperation.safeParse(parse(one))
    const isWhole =
      data && (data.jobId === null || data.jobId === jobId) && hashOfPayload(data.payload) === data.payloadHash
    if (
      isWhole &&
      data.needs.every(({ id }) => read.some((known) => known.id === id)) &&
      !read.some(({ id }) => id === data.id)
    )
      read.push(data)
  }
  return read
}

function parse(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
