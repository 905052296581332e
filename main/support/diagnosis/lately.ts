import type { DeviceEvidence } from '../../../preload/contract/support/evidence.ts'
import { periodMs, type LineChange } from '../../device/client/lineRecorder.ts'
import type { LineHistory } from '../../job/jobs/engine/wiring.ts'

/** The changes of lines in the last minutes, for judging the wiring. An unreadable line counts as unchanged. */
export function lineHistory(lately: DeviceEvidence['lately']): LineHistory {
  const stories = new Map((lately?.lines ?? []).map(({ name, changes }) => [name, storyOf(changes)]))
  return {
    story: (line) => stories.get(line) ?? [],
    changes: (line) => (stories.get(line) ?? []).slice(1)
  }
}

function storyOf(changes: readonly (readonly [number, boolean | null])[]): LineChange[] {
  const story: LineChange[] = []
  for (const [atMs, on] of changes) {
    const last = story.at(-1)
    if (on === null || last?.on === on) continue
    if (last) last.untilMs = Math.max(last.atMs, atMs - periodMs)
    story.push({ atMs, untilMs: Infinity, on, readAt: new Date(atMs).toISOString() })
  }
  return story
}
