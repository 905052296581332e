import { message } from '../../../preload/contract/messages.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { startOfDate, wallMs } from '../../../preload/base/messages/zone.ts'
import type { TeamJob } from '../../../preload/contract/team/team.ts'
import type { TeamCopy } from '../../team/reading/localCopy.ts'
import type { CommandValues } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { readWhole } from '../input/inputs.ts'
import { exitCodes } from '../output/exitCodes.ts'
import { usageError } from '../output/usage.ts'
import { readState } from './jobList.ts'

/** The team's jobs, newest first; without the server those in the local copy, with a note. */
export async function listTeamJobs(context: CommandContext, values: CommandValues, kept: TeamCopy): Promise<number> {
  const { terminal } = context
  const { search, mine, open } = values
  const timeZone = terminal.timeZone()
  const page = await kept.jobs(
    {
      search,
      state: readState(values.state),
      mine: mine || undefined,
      open: open || undefined,
      since: readDay(values.since, { what: '--since', timeZone }),
      until: readDay(values.until, { what: '--until', timeZone, daysAfter: 1 }),
      after: values.after,
      limit: readWhole(values.limit, { what: '--limit', least: 1, most: 999, usual: 100 })
    },
    context.signal
  )
  if (page.why) {
    // The local copy has none: that is not the same as an empty list.
    if (page.keptAt === null) throw new AppError('UNREACHABLE', page.why)
    terminal.warn(message('teamKept.shown', { why: page.why, keptAt: page.keptAt }))
  }
  if (values.after !== undefined && page.jobs.length === 0) await assertIsThere(values.after, kept, context.signal)
  const { text } = terminal
  const line = ({ id, state, template, device, vehicle, customer, holder, changedAt }: TeamJob) =>
    [id, state, template.name, `${device.model} ${device.imei}`, vehicle?.name ?? '-', customer, holder, changedAt]
      .map(text)
      .join('  ')
  // When the job itself last changed, as in a laptop's log, and when that reached the team log.
  terminal.result(
    page.jobs.map(({ changedAt, updatedAt: heardAt, ...job }) => ({
      ...job,
      template: job.template.id,
      updatedAt: changedAt,
      heardAt
    })),
    page.jobs.map(line).join('\n') ||
      (search ? message('terminalTeam.nothingFound', { search }) : message('terminal.noJobs'))
  )
  if (page.isSimilar) terminal.say(message('terminal.listSimilar'))
  if (page.next !== null) terminal.say(message('terminal.listMore', { next: page.next }))
  return exitCodes.done
}

/** There is no page after the last job, or after an unknown one. */
async function assertIsThere(id: string, kept: TeamCopy, signal: AbortSignal): Promise<void> {
  const { jobs } = await kept.jobs({ ids: [id], limit: 1 }, signal)
  if (jobs.length === 0) throw new AppError('NOT_FOUND', message('store.noJobToGoOnAfter', { job: id }))
}

/** In the person's time zone, unless it names one. For a day without time: its start, or that of the next day. */
function readDay(
  text: string | undefined,
  { what, timeZone, daysAfter = 0 }: { what: string; timeZone: string; daysAfter?: number }
): string | undefined {
  if (text === undefined) return undefined
  const atMs = /^\d{4}-\d{2}-\d{2}$/.test(text)
    ? startOfDate(text, timeZone, daysAfter)
    : /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(text)
      ? wallMs(text, timeZone)
      : /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text)
        ? Date.parse(text)
        : Number.NaN
  if (Number.isNaN(atMs)) throw usageError(message('terminalTeam.day', { what }))
  return new Date(atMs).toISOString()
}
