import type { Teller } from '../../../../preload/contract/events.ts'
import { ownStory } from './grouping.ts'
import type { OperationStore } from '../../../data/store/work/operations.ts'
import type { Stories } from './stories.ts'

const gatherMs = 200
/** More changes are not reported one by one: the screen reloads its pages. */
const toldAtMost = 40

/** Reports changed stories together, a few times a second at most. */
export function createStoryNews(parts: {
  rows: Pick<OperationStore, 'get'>
  stories: () => Stories
  events: Teller
  vehicleOfJob(id: string): number | null
  reportFault(error: unknown): void
}) {
  let operationIds = new Set<string>()
  let jobIds = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  function gather(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      tellAll().catch(parts.reportFault)
    }, gatherMs)
  }

  async function tellAll(): Promise<void> {
    const concerned = { operationIds, jobIds, storyIds: new Set<string>() }
    operationIds = new Set()
    jobIds = new Set()
    for (const id of concerned.operationIds) {
      const row = parts.rows.get(id)
      if (!row) continue
      const vehicleId = row.jobId === null ? null : parts.vehicleOfJob(row.jobId)
      // Its story from before its names became ids has ended.
      concerned.storyIds.add(ownStory({ ...row, vehicleId }) ?? row.key)
      if (row.jobId !== null) concerned.storyIds.add(`job:${row.jobId}`)
    }
    for (const id of concerned.jobIds) {
      const vehicleId = parts.vehicleOfJob(id)
      concerned.storyIds.add(`job:${id}`)
      if (vehicleId !== null) concerned.storyIds.add(`vehicle:${vehicleId}`)
    }
    parts.events.tell('operations.stories', await parts.stories().about(concerned, toldAtMost))
  }

  return {
    operationMoved(id: string): void {
      operationIds.add(id)
      gather()
    },
    jobMoved(id: string): void {
      jobIds.add(id)
      gather()
    },
    stop: () => clearTimeout(timer)
  }
}
