import type { Settings } from '../../../preload/contract/app/settings.ts'
import type { ShownBundle } from '../../../preload/contract/support/openedBundle.ts'
import { subscribe } from '../../base/bridge.ts'
import { goTo, place } from '../../base/shell/router.ts'
import { useActivity } from '../../support/activity/activity.store.ts'
import { watchLooking } from '../../support/activity/watchLooking.ts'
import { useAccessories } from '../../job/accessories/accessories.store.ts'
import { useCopies } from '../../gateway/site/copies.store.ts'
import { useDevices } from '../../device/devices/devices.store.ts'
import { goDiagnose } from '../../base/shell/diagnoseSubject.ts'
import { useGateway } from '../../base/shell/gateway.store.ts'
import { useJobs } from '../../base/shell/jobs.store.ts'
import { useOperations } from '../../gateway/waitingWork/operations.store.ts'
import { useStories } from '../../gateway/waitingWork/stories.store.ts'
import { useOutputs } from '../../job/outputs/outputs.store.ts'
import { useSettings } from '../../base/shell/settings.store.ts'
import { useTeam } from '../../base/shell/team.store.ts'
import { takePulled, takeTaking } from '../../job/handover/teamHolding.store.ts'
import { useTraining } from '../../base/shell/training.store.ts'
import { useVehicles } from '../../gateway/vehicles/vehicles.store.ts'
import { useApp } from '../../base/shell/app.store.ts'
import { useToasts } from '../../base/shell/toasts.store.ts'
import type { askFirst } from './firstRequests.ts'

/**
 * Takes what was asked for first. Returns the person's settings, with the workplace known; nothing as soon as the core
 * says that its data folder is not open, because the page has to tell that meanwhile.
 */
export async function takeFirst({
  settings,
  info,
  opening
}: ReturnType<typeof askFirst>): Promise<Settings | undefined> {
  if ((await opening)?.state !== 'open') return undefined
  const told = await info
  if (told) useApp().take(told)
  return settings
}

/**
 * Loads everything that the whole window shows. Each part may fail alone; failures are shown. Calls `showFirst` once
 * the reader's settings and the workplace are known: the first screen needs no more.
 */
export async function loadAll(showFirst = (): void => undefined): Promise<void> {
  const toasts = useToasts()
  const app = useApp()
  const jobs = useJobs()
  const first = [useSettings().load(), app.load()]
  const others = [
    useDevices().watch(),
    useGateway().load(),
    useOperations().load(),
    useStories().loadPaused(),
    useOutputs().load(),
    jobs.loadOpen(),
    useTeam().load(),
    useVehicles().count(),
    useActivity().load()
  ]
  const all = Promise.allSettled([...first, ...others])
  await Promise.allSettled(first)
  if (window.location.hash === '') goFirst()
  showFirst()
  for (const part of await all) {
    if (part.status === 'rejected') toasts.sayFailure(part.reason)
  }
  if (app.isTraining) await useTraining().load().catch(toasts.sayFailure)
}

/** The first screen of a person: support begins with the fleet. */
export function goFirst(): void {
  if (useSettings().settings.role === 'support' && !useApp().isTraining) goTo('diagnose')
  else if (window.location.hash !== '') goTo('start')
}

/** A support bundle opens on its subject. */
function showBundle(bundle: ShownBundle | null): void {
  if (!bundle) return
  if (bundle.jobId !== null && !bundle.isAboutDevice) goTo('job', bundle.jobId)
  else if (bundle.deviceKey !== null) goDiagnose({ key: bundle.deviceKey })
  else if (bundle.vehicleId !== null) goDiagnose({ vehicleId: bundle.vehicleId })
}

/** Keeps the stores up to date from the core's events, until the returned function is called. */
export function listenToCore(): () => void {
  const accessories = useAccessories()
  const activity = useActivity()
  const app = useApp()
  const devices = useDevices()
  const gateway = useGateway()
  const jobs = useJobs()
  const operations = useOperations()
  const outputs = useOutputs()
  const stories = useStories()
  const settings = useSettings()
  const team = useTeam()
  const training = useTraining()
  const vehicles = useVehicles()
  const copies = useCopies()
  const stops = [
    subscribe('accessories.test', accessories.take),
    subscribe('activity.added', activity.take),
    subscribe('activity.open', activity.open),
    watchLooking(),
    subscribe('app.notices', ({ notices }) => app.setNotices(notices)),
    subscribe('app.entered', ({ workplace }) => {
      app.setWorkplace(workplace)
      jobs.clearJob()
      training.clear()
      accessories.clear()
      const isLeft = app.isBundle
      if (place.value.screen !== 'devices' || isLeft) goFirst()
      void loadAll().then(() => showBundle(app.bundle))
    }),
    subscribe('discovery.changed', devices.receive),
    subscribe('discovery.sweep', (sweep) => {
      devices.sweep = sweep
    }),
    subscribe('gateway.changed', (status) => {
      // The waiting work changes when the gateway connects, disconnects, or someone signs in.
      if (gateway.status?.state !== status.state) stories.reloadSoon()
      gateway.status = status
    }),
    subscribe('jobs.state', jobs.receiveState),
    subscribe('jobs.step', jobs.receiveStep),
    subscribe('jobs.entry', jobs.receiveEntry),
    subscribe('jobs.attached', jobs.receiveAttached),
    subscribe('jobs.live', jobs.receiveLive),
    subscribe('jobs.lines', jobs.receiveLines),
    subscribe('operations.changed', operations.take),
    subscribe('operations.paused', stories.takePaused),
    subscribe('operations.stories', stories.take),
    subscribe('outputs.changed', outputs.take),
    subscribe('settings.changed', settings.take),
    subscribe('copies.changed', copies.receive),
    subscribe('vehicles.copied', vehicles.takeCopy),
    subscribe('team.changed', team.take),
    subscribe('team.live', team.takeLive),
    subscribe('team.pulled', (pulled) => takePulled(pulled)),
    subscribe('team.taking', takeTaking),
    subscribe('training.changed', ({ vehicles }) => {
      training.vehicles = vehicles
    })
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
