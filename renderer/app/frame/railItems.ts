import type { ScreenName } from '../../base/shell/router.ts'
import type { IconName } from '../../base/ui/Icon.vue'

/** The main parts of Fitter, and which screens belong to each. */
export const railItems = [
  { screen: 'start', icon: 'start', also: ['training'] },
  { screen: 'devices', icon: 'devices', also: ['device', 'board', 'profiles', 'batch'] },
  { screen: 'jobs', icon: 'jobs', also: ['job', 'numbers'] },
  { screen: 'vehicles', icon: 'vehicle', also: ['vehicle', 'accessories', 'events', 'track'] },
  { screen: 'diagnose', icon: 'pulse', also: ['snapshots'] },
  { screen: 'team', icon: 'team', also: ['team-job'] },
  { screen: 'waiting', icon: 'waiting', also: [] },
  { screen: 'help', icon: 'book', also: ['explain'] },
  { screen: 'settings', icon: 'settings', also: ['templates', 'self-test'] }
] as const satisfies readonly { screen: ScreenName; icon: IconName; also: readonly ScreenName[] }[]

export type RailItem = (typeof railItems)[number]

export function isPartOf(item: RailItem, screen: ScreenName): boolean {
  return item.screen === screen || (item.also as readonly ScreenName[]).includes(screen)
}
