import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'

const partBytes = 512 * 1024

/** One piece of a file for a window, from the byte `from`, and the start of the next one; null after the last. */
export async function readFilePart(file: string, from: number): Promise<{ base64: string; next: number | null }> {
  const { size } = await stat(file)
  if (from >= size) return { base64: '', next: null }
  const chunks: Buffer[] = []
  for await (const chunk of createReadStream(file, { start: from, end: from + partBytes - 1 }))
    chunks.push(chunk as Buffer)
  const next = from + partBytes
  return { base64: Buffer.concat(chunks).toString('base64'), next: next < size ? next : null }
}
