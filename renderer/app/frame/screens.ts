import { shallowReactive, type Component } from 'vue'
import StartScreen from '../../job/start/StartScreen.vue'
import type { ScreenName } from '../../base/shell/router.ts'

type Loader = () => Promise<{ default: Component }>

/**
 * The first screen is part of the page; each other screen is a separate file, so that opening Fitter does not wait for
 * them.
 */
const loaders: Readonly<Record<Exclude<ScreenName, 'start'>, Loader>> = {
  devices: () => import('../../device/devices/DevicesScreen.vue'),
  device: () => import('../../support/deviceSession/DeviceScreen.vue'),
  board: () => import('../../support/deviceSession/board/BoardScreen.vue'),
  profiles: () => import('../../support/deviceSession/profile/ProfileScreen.vue'),
  batch: () => import('../../job/log/batch/BatchScreen.vue'),
  activity: () => import('../../support/activity/ActivityScreen.vue'),
  'self-test': () => import('../../support/help/SelfCheckScreen.vue'),
  jobs: () => import('../../job/log/LogScreen.vue'),
  job: () => import('../../job/run/JobScreen.vue'),
  numbers: () => import('../../job/log/numbers/NumbersScreen.vue'),
  vehicles: () => import('../../gateway/vehicles/VehiclesScreen.vue'),
  vehicle: () => import('../../support/vehicle/VehicleScreen.vue'),
  accessories: () => import('../../job/accessories/AccessoriesScreen.vue'),
  diagnose: () => import('../../support/diagnosis/DiagnoseScreen.vue'),
  events: () => import('../../gateway/events/EventsPlace.vue'),
  track: () => import('../../support/vehicle/track/TrackScreen.vue'),
  team: () => import('../../team/TeamHome.vue'),
  'team-job': () => import('../../team/job/TeamJobScreen.vue'),
  waiting: () => import('../../gateway/waitingWork/WaitingScreen.vue'),
  settings: () => import('../settings/SettingsScreen.vue'),
  templates: () => import('../../job/checklists/TemplatesScreen.vue'),
  explain: () => import('../../support/help/ExplainScreen.vue'),
  help: () => import('../../support/help/HelpScreen.vue'),
  snapshots: () => import('../../support/diagnosis/snapshots/SnapshotsScreen.vue'),
  training: () => import('../../job/training/TrainingPlace.vue')
}

/** Screens that are loaded. */
export const screens = shallowReactive<Partial<Record<ScreenName, Component>>>({ start: StartScreen })

/** Loads the file of a screen, once. */
export async function loadScreen(name: ScreenName): Promise<void> {
  if (name === 'start' || screens[name]) return
  screens[name] = (await loaders[name]()).default
}

/** Loads the remaining screens one by one: the current screen's work has priority. */
export async function loadScreens(): Promise<void> {
  for (const name of Object.keys(loaders) as ScreenName[]) await loadScreen(name)
}
