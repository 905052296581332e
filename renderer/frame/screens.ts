import { shallowReactive, type Component } from 'vue'
import StartScreen from '../features/start/StartScreen.vue'
import type { ScreenName } from '../shell/router.ts'

type Loader = () => Promise<{ default: Component }>

/** The first screen is part of the page; each other screen is a separate file, so that opening Fitter does not wait for them. */
const loaders: Readonly<Record<Exclude<ScreenName, 'start'>, Loader>> = {
  devices: () => import('../features/devices/DevicesScreen.vue'),
  device: () => import('../features/device/DeviceScreen.vue'),
  board: () => import('../features/device/board/BoardScreen.vue'),
  profiles: () => import('../features/device/profile/ProfileScreen.vue'),
  batch: () => import('../features/jobs/batch/BatchScreen.vue'),
  activity: () => import('../features/activity/ActivityScreen.vue'),
  'self-test': () => import('../features/help/SelfCheckScreen.vue'),
  jobs: () => import('../features/jobs/LogScreen.vue'),
  job: () => import('../features/job/JobScreen.vue'),
  numbers: () => import('../features/jobs/numbers/NumbersScreen.vue'),
  vehicles: () => import('../features/vehicles/VehiclesScreen.vue'),
  vehicle: () => import('../features/vehicle/VehicleScreen.vue'),
  accessories: () => import('../features/vehicle/accessories/AccessoriesScreen.vue'),
  diagnose: () => import('../features/diagnosis/DiagnoseScreen.vue'),
  events: () => import('../features/events/EventsPlace.vue'),
  track: () => import('../features/vehicle/track/TrackScreen.vue'),
  team: () => import('../features/team/TeamHome.vue'),
  'team-job': () => import('../features/team/job/TeamJobScreen.vue'),
  waiting: () => import('../features/waiting/WaitingScreen.vue'),
  settings: () => import('../features/settings/SettingsScreen.vue'),
  templates: () => import('../features/checklists/TemplatesScreen.vue'),
  explain: () => import('../features/help/ExplainScreen.vue'),
  help: () => import('../features/help/HelpScreen.vue'),
  snapshots: () => import('../features/diagnosis/snapshots/SnapshotsScreen.vue'),
  training: () => import('../features/training/TrainingPlace.vue')
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
