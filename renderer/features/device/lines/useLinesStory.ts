import { onScopeDispose, ref, shallowRef } from 'vue'
import type { LineStory } from '../../../../preload/contract/device/workspace.ts'
import { call } from '../../../bridge.ts'
import { followLines, nextMark, type LinesStory } from '../../../instruments/charts/lanes/story.ts'

const everyMs = 250
const afterFaultMs = 3_000

/** Follows the lines of a device while the component is mounted: each answer contains only updates. */
export function useLinesStory(key: () => string) {
  const story = shallowRef<LinesStory | null>(null)
  /** The device's last answer, unchanged. */
  const reading = shallowRef<Pick<LineStory, 'value' | 'problems' | 'readAt'> | null>(null)
  const wiring = ref<LineStory['wiring']>([])
  const error = shallowRef<Error | null>(null)
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false

  async function ask(): Promise<void> {
    try {
      const told = await call('workspace.lines', { key: key(), since: nextMark(story.value) })
      story.value = followLines(story.value, told)
      if (told.since === null) wiring.value = told.wiring
      reading.value = told
      error.value = null
    } catch (cause) {
      error.value = cause instanceof Error ? cause : new Error(String(cause))
    }
    if (!isOver) timer = setTimeout(() => void ask(), error.value ? afterFaultMs : everyMs)
  }
  void ask()
  onScopeDispose(() => {
    isOver = true
    clearTimeout(timer)
  })
  return { story, reading, wiring, error }
}
