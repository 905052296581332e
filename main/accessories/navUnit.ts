import { AppError } from '../../preload/contract/errors.ts'
import type { AccessoryGateway, SentCommand } from './ports.ts'

const readBackTimes = 4
const readBackPauseMs = 1_500

/** Sets the mode of the navigation unit and reads it back: an answer alone is no proof. */
export async function setNavMode(gateway: AccessoryGateway, vehicleId: number, on: boolean, signal: AbortSignal) {
  await gateway.commands.setNavMode(vehicleId, on, signal)
  for (let time = 1; ; time++) {
    const state = await gateway.commands.navState(vehicleId, signal)
    if (state.isOnline === on || state.isOnline === null || time >= readBackTimes) return state
    await new Promise((resolve) => setTimeout(resolve, readBackPauseMs))
  }
}

/** Sent once. Where the answer is lost, the messages of the unit tell whether it arrived; jobs are not listed anywhere. */
export async function sendOnce(
  send: () => Promise<SentCommand>,
  isThere: (() => Promise<boolean>) | null
): Promise<{ kind: 'sent' | 'unknown'; detail: string; deviceIsOnline: boolean | null; id: number | null }> {
  try {
    const { message, deviceIsOnline, id } = await send()
    const detail = deviceIsOnline === false ? 'The gateway took it; the device is offline and gets it later.' : message || 'The gateway took it.'
    return { kind: 'sent', detail, deviceIsOnline, id }
  } catch (error) {
    if (!(error instanceof AppError) || error.fate !== 'unknown') throw error
    if (isThere && (await isThere())) return { kind: 'sent', detail: 'The answer was lost; the list of messages shows it.', deviceIsOnline: null, id: null }
    return { kind: 'unknown', detail: `It is not known whether it arrived (${error.message}). It is not sent again by itself.`, deviceIsOnline: null, id: null }
  }
}
