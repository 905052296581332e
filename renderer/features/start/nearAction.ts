import type { SeenDevice } from '../../../preload/contract/discovery.ts'
import { goTo } from '../../router.ts'
import { t } from '../../texts.ts'
import { openDialog } from '../app/dialogs.ts'
import { useDevices } from '../devices/devices.store.ts'
import { isReadyForJob } from '../devices/standings.ts'
import { goOnWith } from '../jobs/goOn.ts'
import { useJobs } from '../jobs/jobs.store.ts'

export interface NearAction {
  text: string
  act(): unknown
}

/** What is done next with a device that is near: its job goes on, or one begins, or what stands before that. */
export function nearAction(device: SeenDevice): NearAction {
  const open = useJobs().openJobs.find((job) => job.device.imei === device.imei && job.state !== 'installedAwaitingGateway')
  if (isReadyForJob(device)) {
    return open ? { text: t('windowStart.goOn'), act: () => goOnWith(open) } : { text: t('windowStart.near.start'), act: () => openDialog({ what: 'newJob', deviceKey: device.key }) }
  }
  if (['impostor', 'conflict', 'wrongService'].includes(device.standing)) return { text: t('windowStart.near.why'), act: () => goTo('devices') }
  if (!device.signedIn && ['needsSignIn', 'answering'].includes(device.standing)) return { text: t('windowDevices.signIn.button'), act: () => openDialog({ what: 'signIn', deviceKey: device.key }) }
  return { text: t('windowDevices.askAgain'), act: () => useDevices().ask() }
}
