import { AppError } from '../../../preload/contract/errors.ts'
import type { TeamTaking } from '../../../preload/contract/team/teamHolding.ts'
import type { WrittenFile } from '../../data/store/jobs/attachmentFiles.ts'
import type { AttachmentStore } from '../../data/store/jobs/attachments.ts'
import { readTeamContent } from '../server/content.ts'
import type { Team } from '../team.ts'

/** Called before the first picture and after each one. */
export type TellPictures = (pictures: TeamTaking['pictures']) => void

/** Downloads pictures under their hashes, one by one: after an interruption they stay. Damaged ones are left out. */
export async function fetchPictures(
  { team, attachments }: { team: Pick<Team, 'ask'>; attachments: AttachmentStore },
  wanted: readonly WrittenFile[],
  signal: AbortSignal,
  tell: TellPictures = () => undefined
): Promise<ReadonlyMap<string, WrittenFile>> {
  const here = new Map<string, WrittenFile>()
  const far = {
    done: 0,
    total: wanted.length,
    doneBytes: 0,
    totalBytes: wanted.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  }
  tell({ ...far })
  for (const picture of wanted) {
    signal.throwIfAborted()
    const file = (await attachments.find(picture)) ?? (await fetchOne(picture))
    if (file) here.set(file.sha256, file)
    far.done += 1
    far.doneBytes += picture.sizeBytes
    tell({ ...far })
  }
  return here

  async function fetchOne({ sha256 }: WrittenFile): Promise<WrittenFile | undefined> {
    try {
      return await attachments.write(await team.ask((client) => readTeamContent(client, sha256), signal))
    } catch (error) {
      if (error instanceof AppError && error.code === 'DATA_UNUSABLE') return undefined
      throw error
    }
  }
}
