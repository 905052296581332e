import { computed, readonly, ref } from 'vue'
import type { StepKind } from '../../../preload/contract/job/steps/index.ts'

const screens = [
  'start',
  'devices',
  'device',
  'board',
  'profiles',
  'batch',
  'self-test',
  'activity',
  'jobs',
  'job',
  'numbers',
  'vehicles',
  'vehicle',
  'accessories',
  'events',
  'track',
  'diagnose',
  'team',
  'team-job',
  'waiting',
  'settings',
  'templates',
  'explain',
  'help',
  'snapshots',
  'training'
] as const
export type ScreenName = (typeof screens)[number]

export interface ScreenRoute {
  screen: ScreenName
  /** The job's id, the device's key, or the kind of diagnosis subject (`device`, `vehicle`). */
  id: string
  /** A section of that screen; empty for its first one. */
  part: string
}

/** Parses `#/job/01ABC` or `#/device/KEY/lines`; an unknown address is the first screen. */
export function parsePlace(hash: string): ScreenRoute {
  const [name = '', ...rest] = hash.replace(/^#\/?/, '').split('/')
  const screen = screens.find((known) => known === name)
  const [id = '', part = ''] = rest.map(decode)
  return screen && !rest.map(decode).includes(undefined) ? { screen, id, part } : { screen: 'start', id: '', part: '' }
}

/** Undefined for an address that is cut off or mistyped: the page must open anyway. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The address of a place, for links. */
export function placeHref(screen: ScreenName, id = '', part = ''): string {
  const path = part ? [screen, id, part] : id ? [screen, id] : [screen]
  return `#/${path.map(encodeURIComponent).join('/')}`
}

const current = ref<ScreenRoute>(parsePlace(window.location.hash))

const before = ref<ScreenRoute>({ screen: 'start', id: '', part: '' })

function show(next: ScreenRoute): void {
  if (current.value.screen !== next.screen) before.value = current.value
  current.value = next
}

window.addEventListener('hashchange', () => show(parsePlace(window.location.hash)))

/** Where the person is. */
export const place = readonly(current)

/** The number that names the place, a vehicle's for one; null without one. */
export const placeNumber = computed(() => (/^\d+$/.test(current.value.id) ? Number(current.value.id) : null))

/** The screen before this one. */
export const cameFrom = readonly(before)

/** The kind of the step that the job screen showed last: help that is opened from there is about it. */
export const stepShown = ref<StepKind | null>(null)

/** Goes to a screen. */
export function goTo(screen: ScreenName, id = '', part = ''): void {
  window.location.hash = placeHref(screen, id, part)
  show({ screen, id, part })
}
