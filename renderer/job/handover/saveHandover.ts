import { call } from '../../base/bridge.ts'
import { saveBlob } from '../../base/saveFile.ts'
import { readPieces } from '../../base/shell/filePieces.ts'

/** Hands a job over, or creates its file again, and saves the file for the person. */
export async function saveHandover(jobId: string, to: string) {
  const file = await call('transfers.give', { jobIds: [jobId], to })
  saveBlob(
    file.fileName,
    new Blob(await readPieces((from) => call('transfers.part', { id: file.id, from })), {
      type: 'application/octet-stream'
    })
  )
  await call('transfers.end', { id: file.id })
  return file
}
