/** The dialogs that open from anywhere, each in a file of its own: the first screen does not wait for them. */
export const dialogParts = {
  find: () => import('../../support/find/FindDialog.vue'),
  keys: () => import('./KeySheet.vue'),
  scan: () => import('../../device/devices/ScanDialog.vue'),
  address: () => import('../../device/devices/AddressDialog.vue'),
  signIn: () => import('../../device/devices/SignInDialog.vue'),
  newJob: () => import('../../job/run/NewJobDialog.vue'),
  enterTraining: () => import('./EnterDialog.vue'),
  leaveTraining: () => import('../../job/training/LeaveDialog.vue'),
  openBundle: () => import('../../support/bundleViewer/OpenBundleDialog.vue'),
  supportBundle: () => import('../../support/bundleViewer/BundleDialog.vue'),
  update: () => import('../settings/UpdateDialog.vue')
}

/** Loads the dialogs that are usually opened first, while idle. */
export async function loadDialogs(): Promise<void> {
  await dialogParts.find()
  await dialogParts.keys()
}
