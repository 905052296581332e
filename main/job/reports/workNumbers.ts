import type { NumbersFilter, WorkNumbers } from '../../../preload/contract/job/numbers.ts'
import { message } from '../../../preload/contract/messages.ts'
import { csvFile } from '../../../preload/base/messages/csvFile.ts'
import type { ReaderSettings } from '../../../preload/base/messages/settings.ts'
import { createTexts } from '../../base/messages/texts.ts'
import type { Store } from '../../data/store/index.ts'

export interface WorkNumbersOptions {
  store: Pick<Store, 'numbers' | 'readNumbers' | 'buildNumbers'>
  reader(): Partial<ReaderSettings>
  reportFault(error: unknown): void
}

/** Statistics from the log of this computer. They are never sent. */
export type WorkNumbersSource = ReturnType<typeof createWorkNumbers>

export function createWorkNumbers({ store, reader, reportFault }: WorkNumbersOptions) {
  const ending = new AbortController()
  let building: { done: number; total: number } | null = null
  let built: Promise<void> = Promise.resolve()

  /** At the first request, adds the jobs that ended before statistics existed. */
  function buildOnce(): void {
    if (building || ending.signal.aborted || store.numbers.isBuilt()) return
    building = { done: 0, total: 0 }
    const progress = (done: number, total: number): void => void (building = { done, total })
    built = store
      .buildNumbers({ signal: ending.signal, progress })
      .then(() => undefined)
      .catch((error: unknown) => {
        if (!ending.signal.aborted) reportFault(error)
      })
      .finally(() => (building = null))
  }

  async function work(filter: NumbersFilter, signal: AbortSignal): Promise<WorkNumbers> {
    buildOnce()
    return { ...(await store.readNumbers(filter, { signal: AbortSignal.any([signal, ending.signal]) })), building }
  }

  return {
    work,
    async table(
      filter: NumbersFilter,
      signal: AbortSignal
    ): Promise<{ fileName: string; mediaType: string; content: string }> {
      buildOnce()
      await built
      const texts = createTexts(reader())
      return {
        fileName: `fitter-numbers-${new Date().toISOString().slice(0, 10)}.csv`,
        mediaType: 'text/csv',
        content: tableOf(await work(filter, signal), (said) => texts.say(said))
      }
    },
    async stop(): Promise<void> {
      ending.abort()
      await built
    }
  }
}

/** One line for each kind of step and each group, in seconds, so that a spreadsheet can calculate with them. */
function tableOf({ steps, groups }: WorkNumbers, say: (said: ReturnType<typeof message>) => string): string {
  const seconds = (ms: number): number => Math.round(ms / 100) / 10
  const lines = [
    ['by', 'value', 'jobs', 'firstTime', 'averageS', 'skipped', 'failed', 'commonestStep', 'commonest'].map((name) =>
      say(message(`numbersTable.${name as 'by'}`))
    ),
    ...steps.map(({ name, runs, firstTime, averageMs, waived, failures }) => [
      say(message('numbersTable.step')),
      say(name),
      runs,
      firstTime,
      seconds(averageMs),
      waived,
      failures,
      '',
      ''
    ]),
    ...groups.map(({ by, name, jobs, firstTimeJobs, averageMs, commonest }) => [
      say(message(`numbersTable.${by}`)),
      say(name),
      jobs,
      firstTimeJobs,
      seconds(averageMs),
      '',
      commonest?.jobs ?? 0,
      commonest ? say(commonest.step) : '',
      commonest ? say(commonest.sentence) : ''
    ])
  ]
  return csvFile(lines)
}
