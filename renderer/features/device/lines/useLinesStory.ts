import { ref, shallowRef } from 'vue'
import type { LineStory } from '../../../../preload/contract/device/workspace.ts'
import { call } from '../../../bridge.ts'
import { followLines, nextMark, type LinesStory } from '../../../instruments/charts/lanes/story.ts'
import { useRepeated } from '../../readings/useRepeated.ts'

/** Follows the lines of a device while the component is mounted: each answer contains only updates. */
export function useLinesStory(key: () => string) {
  const story = shallowRef<LinesStory | null>(null)
  /** The device's last answer, unchanged. */
  const reading = shallowRef<Pick<LineStory, 'value' | 'problems' | 'readAt'> | null>(null)
  const wiring = ref<LineStory['wiring']>([])
  const { error } = useRepeated(async () => {
    const told = await call('workspace.lines', { key: key(), since: nextMark(story.value) })
    story.value = followLines(story.value, told)
    if (told.since === null) wiring.value = told.wiring
    reading.value = told
  }, { everyMs: 250, afterFaultMs: 3_000, isAlways: true })
  return { story, reading, wiring, error }
}
