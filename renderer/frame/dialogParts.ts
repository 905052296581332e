/** The dialogs that open from anywhere, each in a file of its own: the first screen does not wait for them. */
export const dialogParts = {
  find: () => import('../features/find/FindDialog.vue'),
  keys: () => import('./KeySheet.vue'),
  scan: () => import('../features/devices/ScanDialog.vue'),
  address: () => import('../features/devices/AddressDialog.vue'),
  signIn: () => import('../features/devices/SignInDialog.vue'),
  newJob: () => import('../features/job/NewJobDialog.vue'),
  enterTraining: () => import('./EnterDialog.vue'),
  leaveTraining: () => import('../features/training/LeaveDialog.vue'),
  openBundle: () => import('../features/bundles/OpenBundleDialog.vue'),
  supportBundle: () => import('../features/bundles/BundleDialog.vue'),
  update: () => import('../features/settings/UpdateDialog.vue'),
  phone: () => import('../features/job/PhoneDialog.vue')
}

/** Loads the dialogs that are usually opened first, while idle. */
export async function loadDialogs(): Promise<void> {
  await dialogParts.find()
  await dialogParts.keys()
}
