import { shallowRef, type ShallowRef } from 'vue'
import type { OpeningState } from '../../../../preload/contract/app/app.ts'
import { call } from '../../bridge.ts'

const lookEveryMs = 300
const present = shallowRef<OpeningState>({ state: 'open' })
let isWaiting = false

/** Progress of opening the data folder. */
export const opening: Readonly<ShallowRef<OpeningState>> = present

/** Returns when the data folder is open; until then the page shows what prevents opening. */
export async function waitUntilOpen(): Promise<void> {
  isWaiting = true
  while (isWaiting) {
    present.value = await call('app.opening', {})
    if (present.value.state === 'open') return
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }
}

/** Stops waiting because the page was closed. */
export function stopWaiting(): void {
  isWaiting = false
}

/** The person resolved what prevented opening. */
export async function openAgain(): Promise<void> {
  present.value = await call('app.openAgain', {})
}
