import type { JobSummary } from '../../../preload/contract/job/jobs.ts'
import { message } from '../../../preload/contract/messages.ts'
import { openData } from '../../data/store/file/opening.ts'
import { sayLedger } from '../../job/outputs/sayLedger.ts'
import { createDamagedJobStore } from '../../data/store/damage/damagedJobs.ts'
import { createJobStore } from '../../data/store/jobs/jobs.ts'
import { createLossStore } from '../../data/store/damage/losses.ts'
import { createOutputLedgerStore, type LedgerRow } from '../../data/store/work/outputLedger.ts'
import type { JobPage } from '../../data/store/jobs/jobPages.ts'
import type { Command } from '../command.ts'
import { readWhole } from '../input/inputs.ts'
import { sayHandedOver } from '../output/sayHandedOver.ts'
import { exitCodes } from '../output/exitCodes.ts'
import type { Terminal } from '../output/terminal.ts'
import { usageError } from '../output/usage.ts'
import { vehicleNameOf } from '../../../preload/job/vehicleName.ts'

type State = JobSummary['state']
/** Each state once: a missing state is a type error. */
const states = Object.keys({
  draft: 0,
  running: 0,
  installedAwaitingGateway: 0,
  done: 0,
  failed: 0,
  cancelled: 0
} satisfies Record<State, 0>) as State[]
const mostAtOnce = 10_000

/** Only reads the list: no job is resumed, and no code that could do so is loaded. */
export const runJobList: Command = async (context, [, ...words], values) => {
  if (words.length > 0)
    throw usageError(
      message('terminal.listWords', {
        words: words.join(' '),
        search: [values.search ?? '', ...words].join(' ').trim()
      })
    )
  const request = {
    state: readState(values.state),
    search: values.search,
    after: values.after,
    limit: readWhole(values.limit, { what: '--limit', least: 1, most: mostAtOnce, usual: 100 })
  }
  const { data, opening } = await openData(context.common.dataFolder, {
    signal: context.signal,
    progress: await migrationTeller(context)
  })
  // A read-only file may be of another version, without that table.
  const losses = opening.how === 'readOnly' ? [] : createLossStore(data).unread()
  if (opening.how !== 'asIs' || losses.length > 0) {
    const { sayLosses, sayOpening } = await import('../openedFolder.ts')
    sayOpening(context.terminal, opening)
    sayLosses(context.terminal, opening, losses)
  }
  let page: JobPage
  let mayBeOn: LedgerRow[]
  let damaged: ReadonlyMap<string, unknown>
  try {
    page = createJobStore(data).page(request)
    mayBeOn = createOutputLedgerStore(data).open()
    damaged = createDamagedJobStore(data).all()
  } finally {
    data.close()
  }
  const { text } = context.terminal
  context.terminal.result(
    page.jobs.map((job) => ({ ...job, template: job.template.id, damaged: damaged.has(job.id) })),
    page.jobs.map((job) => toLine(job, damaged.has(job.id), text)).join('\n') || message('terminal.noJobs')
  )
  const left = sayLedger(mayBeOn)
  if (left) context.terminal.warn(left)
  if (page.isSimilar) context.terminal.say(message('terminal.listSimilar'))
  if (page.next !== null) context.terminal.say(message('terminal.listMore', { next: page.next }))
  return exitCodes.done
}

/** The texts are loaded only if something is printed. */
async function migrationTeller({ terminal }: Parameters<Command>[0]) {
  const { sayMigration } = await import('../output/progress.ts')
  return sayMigration(terminal)
}

export function readState(text: string | undefined): State | undefined {
  const state = states.find((known) => known === text)
  if (text !== undefined && state === undefined)
    throw usageError(message('terminal.takes', { what: '--state', choices: states.join(', ') }))
  return state
}

function toLine(job: JobSummary, isDamaged: boolean, text: Terminal['text']): string {
  return [
    job.id,
    ...(isDamaged ? [message('damage.mark')] : []),
    job.state,
    job.template.name,
    `${job.device.model} ${job.device.imei}`,
    vehicleNameOf(job) || '-',
    job.updatedAt,
    ...(job.handedOver ? [sayHandedOver(job.handedOver)] : [])
  ]
    .map(text)
    .join('  ')
}
