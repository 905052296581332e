import type { Language } from '../../../preload/messages/settings.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import type { CopiedJob, Report } from '../../reports/jobReport.ts'
import { openTeamLog, readTeamPicture } from './openJob.ts'
import type { Team } from '../team.ts'

export interface TeamReportWish {
  id: string
  format: 'pdf' | 'html'
  language?: Language | undefined
}

/** A report shows no more of them. */
const mostPictures = 24

/** Makes the report of a job of the team out of what the team log has: its log, held against its hashes, and its pictures. */
export function createTeamReport({ team, make }: { team: Pick<Team, 'ask'>; make(job: CopiedJob, wish: Omit<TeamReportWish, 'id'>): Promise<Report> }) {
  return async ({ id, ...wish }: TeamReportWish, signal?: AbortSignal): Promise<Report> => {
    const copied = await team.ask(async (client): Promise<CopiedJob> => {
      const { opened, entries } = await openTeamLog(client, id)
      const pictures = new Map<string, Uint8Array>()
      for (const { reportSha256 } of (opened.job.attachments ?? []).slice(0, mostPictures)) {
        signal?.throwIfAborted()
        try {
          pictures.set(reportSha256, (await readTeamPicture(client, reportSha256)).bytes)
        } catch (error) {
          // Not given yet, or damaged there: it is missing in the report, whose log names it.
          if (!(error instanceof AppError) || (error.code !== 'NOT_FOUND' && error.code !== 'DATA_UNUSABLE')) throw error
        }
      }
      return { job: opened.job, entries, pictures, record: { holder: opened.holder, faults: opened.sealFaults.length } }
    }, signal)
    return make(copied, wish)
  }
}

export type TeamReport = ReturnType<typeof createTeamReport>
