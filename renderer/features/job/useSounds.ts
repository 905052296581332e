import { watch } from 'vue'
import type { Job, StepState } from '../../../preload/contract/jobs/jobs.ts'
import { useSettings } from '../../shell/settings.store.ts'
import { playSound, type Sound } from '../../shell/sounds.ts'
import { needsPerson, type LiveOfSteps } from './stage.ts'

const sounds: Partial<Record<StepState, Sound>> = { pass: 'pass', warn: 'pass', fail: 'fail', unreadable: 'fail' }
const order: readonly Sound[] = ['fail', 'turn', 'pass']

/** What one step did at a moment: its state, and whether it needs the person. */
type Moment = ReadonlyMap<string, { state: StepState; asks: boolean }>

function momentOf({ steps }: Pick<Job, 'steps'>, live: LiveOfSteps): Moment {
  return new Map(steps.map(({ id, state }) => [id, { state, asks: state === 'running' && needsPerson(live.get(id)) }]))
}

/** The most important sound of what changed between two moments; none where nothing did. */
export function soundBetween(before: Moment, after: Moment): Sound | undefined {
  const heard = [...after].flatMap(([id, { state, asks }]) => {
    const was = before.get(id)
    if (!was) return []
    return [was.state === 'running' && state !== 'running' ? sounds[state] : undefined, asks && !was.asks ? ('turn' as const) : undefined]
  })
  return order.find((sound) => heard.includes(sound))
}

/** Plays what happens in the job on the screen, where sounds are switched on. */
export function useSounds(job: () => Job | null, live: () => LiveOfSteps): void {
  const settings = useSettings()
  let before: { id: string; moment: Moment } | undefined
  watch(
    () => [job(), live()] as const,
    ([now, heard]) => {
      const last = before
      before = now ? { id: now.id, moment: momentOf(now, heard) } : undefined
      // What happened before the screen was opened makes no sound.
      if (!now || !before || last?.id !== now.id || !settings.settings.sounds) return
      const sound = soundBetween(last.moment, before.moment)
      if (sound) playSound(sound)
    },
    { immediate: true }
  )
}
