/** The dialogs that open from anywhere, each in a file of its own: the first screen does not wait for them. */
export const dialogParts = {
  find: () => import('../palette/FindDialog.vue'),
  keys: () => import('./KeySheet.vue'),
  scan: () => import('../devices/ScanDialog.vue'),
  address: () => import('../devices/AddressDialog.vue'),
  signIn: () => import('../devices/SignInDialog.vue'),
  newJob: () => import('../jobs/NewJobDialog.vue'),
  leaveTraining: () => import('../training/LeaveDialog.vue'),
  openBundle: () => import('../cab/OpenBundleDialog.vue'),
  supportBundle: () => import('../bundles/BundleDialog.vue')
}

/** Reads those that are wanted first, while nothing else is to be done. */
export async function loadDialogs(): Promise<void> {
  await dialogParts.find()
  await dialogParts.keys()
}
