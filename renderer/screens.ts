import { shallowReactive, type Component } from 'vue'
import StartScreen from './features/start/StartScreen.vue'
import type { ScreenName } from './router.ts'

type Loader = () => Promise<{ default: Component }>

/** The first screen comes with the page, each other one in a file of its own: opening Fitter does not wait for them. */
const loaders: Readonly<Record<Exclude<ScreenName, 'start'>, Loader>> = {
  devices: () => import('./features/devices/DevicesScreen.vue'),
  device: () => import('./features/workspace/WorkspaceScreen.vue'),
  board: () => import('./features/workspace/BoardScreen.vue'),
  batch: () => import('./features/jobs/BatchScreen.vue'),
  'self-test': () => import('./features/selfTest/SelfTestScreen.vue'),
  jobs: () => import('./features/log/LogScreen.vue'),
  job: () => import('./features/jobs/JobScreen.vue'),
  numbers: () => import('./features/numbers/NumbersScreen.vue'),
  vehicles: () => import('./features/vehicles/VehiclesScreen.vue'),
  vehicle: () => import('./features/vehicles/VehicleScreen.vue'),
  accessories: () => import('./features/accessories/AccessoriesScreen.vue'),
  diagnose: () => import('./features/diagnosis/DiagnoseScreen.vue'),
  events: () => import('./features/events/EventsScreen.vue'),
  team: () => import('./features/team/TeamScreen.vue'),
  'team-job': () => import('./features/team/TeamJobScreen.vue'),
  waiting: () => import('./features/operations/WaitingScreen.vue'),
  settings: () => import('./features/settings/SettingsScreen.vue'),
  templates: () => import('./features/templates/TemplatesScreen.vue'),
  explain: () => import('./features/knowledge/ExplainScreen.vue'),
  snapshots: () => import('./features/snapshots/SnapshotsScreen.vue')
}

/** Those that can be shown at once. */
export const screens = shallowReactive<Partial<Record<ScreenName, Component>>>({ start: StartScreen })

/** Reads the file of a screen, once. */
export async function loadScreen(name: ScreenName): Promise<void> {
  if (name === 'start' || screens[name]) return
  screens[name] = (await loaders[name]()).default
}

/** Reads what is not there yet, one after another: the work of the screen that is shown goes first. */
export async function loadScreens(): Promise<void> {
  for (const name of Object.keys(loaders) as ScreenName[]) await loadScreen(name)
}
