import { limits } from '../jobs/transfer/fileForm.ts'
import { givenOperation, hashOfPayload, type GivenOperation } from '../operations/given.ts'

/** What its holder told of its gateway work; what is not of the agreed form is nothing. */
export function readWork(work: unknown, jobId: string): GivenOperation[] {
  const read: GivenOperation[] = []
  for (const one of Array.isArray(work) ? work.slice(0, limits.operations) : []) {
    const { data } = givenOperation.safeParse(parse(one))
    const isWhole = data && (data.jobId === null || data.jobId === jobId) && hashOfPayload(data.payload) === data.payloadHash
    if (isWhole && data.needs.every(({ id }) => read.some((known) => known.id === id)) && !read.some(({ id }) => id === data.id)) read.push(data)
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
