import { shallowRef, type ShallowRef } from 'vue'
import type { OpeningState } from '../../../preload/contract/app/app.ts'
import { call } from '../../bridge.ts'

const lookEveryMs = 300
const present = shallowRef<OpeningState>({ state: 'open' })
let isWaiting = false

/** How far the data folder is opened. */
export const opening: Readonly<ShallowRef<OpeningState>> = present

/** Returns when the data folder is open; what stands in its way is shown meanwhile. */
export async function waitUntilOpen(): Promise<void> {
  isWaiting = true
  while (isWaiting) {
    present.value = await call('app.opening', {})
    if (present.value.state === 'open') return
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }
}

/** The page is gone. */
export function stopWaiting(): void {
  isWaiting = false
}

/** Something was done about what kept it closed. */
export async function openAgain(): Promise<void> {
  present.value = await call('app.openAgain', {})
}
