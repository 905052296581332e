import type { Language } from '../../../preload/base/messages/settings.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import type { CopiedJob, Report } from '../../job/reports/jobReport.ts'
import { openTeamLog, readTeamPicture } from './openJob.ts'
import type { Team } from '../team.ts'

export interface TeamReportWish {
  id: string
  format: 'pdf' | 'evidence' | 'html'
  language?: Language | undefined
}

/** A report shows no more than this. */
const mostPictures = 24

/** Creates the report of a team job from its log in the team log, checked against its hashes, and its pictures. */
export function createTeamReport({
  team,
  make
}: {
  team: Pick<Team, 'ask'>
  make(job: CopiedJob, wish: Omit<TeamReportWish, 'id'>): Promise<Report>
}) {
  return async ({ id, ...wish }: TeamReportWish, signal?: AbortSignal): Promise<Report> => {
    const copied = await team.ask(async (client): Promise<CopiedJob> => {
      const { opened, entries } = await openTeamLog(client, id)
      const pictures = new Map<string, Uint8Array>()
      for (const { reportSha256 } of (opened.job.attachments ?? []).slice(0, mostPictures)) {
        signal?.throwIfAborted()
        try {
          pictures.set(reportSha256, (await readTeamPicture(client, reportSha256)).bytes)
        } catch (error) {
          // Not uploaded yet, or damaged: the report omits it, and its log names it.
          if (!(error instanceof AppError) || (error.code !== 'NOT_FOUND' && error.code !== 'DATA_UNUSABLE'))
            throw error
        }
      }
      return { job: opened.job, entries, pictures, record: { holder: opened.holder, faults: opened.sealFaults.length } }
    }, signal)
    return make(copied, wish)
  }
}

export type TeamReport = ReturnType<typeof createTeamReport>
