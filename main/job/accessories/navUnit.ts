import type { NavUnitSent, NavUnitState } from '../../../preload/contract/gateway/navUnit.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, plainMessage, type Message } from '../../../preload/contract/messages.ts'
import type { LiveKind } from '../../gateway/waitingWork/liveKinds.ts'
import { pause } from '../../base/time/pause.ts'
import type { AccessoryGateway, LiveWrites, SentCommand } from './ports.ts'

type Parts = { gateway: AccessoryGateway; live: LiveWrites }

const readBackTimes = 4
const readBackPauseMs = 1_500
/** Clocks of the gateway's messages and of its answers may differ a little. */
const clockMarginMs = 2_000
const dayMs = 86_400_000

/** Sets the mode of the navigation unit and reads it back, because an answer alone is no proof. */
export async function setNavMode(
  { gateway, live }: Parts,
  { vehicleId, on }: { vehicleId: number; on: boolean },
  signal: AbortSignal
): Promise<NavUnitState> {
  const sent = await live.sendNow({
    ...(await about(gateway, vehicleId, signal)),
    kind: 'navUnit.mode',
    payload: { vehicleId, on },
    send: () => gateway.commands.setNavMode(vehicleId, on, new AbortController().signal),
    read: () => ({ what: message('navUnit.taken'), raw: null, isProof: false })
  })
  let state: NavUnitState | undefined
  try {
    for (let time = 1; time <= readBackTimes; time++) {
      state = await gateway.commands.navState(vehicleId, signal)
      if (state.isOnline === on || state.isOnline === null) break
      if (time < readBackTimes) await pause(readBackPauseMs, signal)
    }
  } finally {
    const isThere = state?.isOnline === on
    const shown = state?.isOnline === true ? 'on' : state?.isOnline === false ? 'off' : 'unknown'
    live.endLive(sent.id, {
      state: isThere ? 'done' : 'expired',
      reason: state ? message('navUnit.modeRead', { state: shown }) : message('navUnit.modeNotSeen'),
      raw: state ?? null
    })
  }
  if (!state) throw new AppError('UNREADABLE', message('navUnit.modeNotSeen'))
  return state
}

/** Sends a text. If the answer is lost, the unit's own messages show whether it arrived. */
export async function sendNavMessage(
  parts: Parts,
  input: { vehicleId: number; type: 'inbox' | 'screen'; text: string },
  signal: AbortSignal
): Promise<NavUnitSent> {
  const { gateway } = parts
  const { vehicleId, type, text } = input
  await refuseWhenOff(gateway, vehicleId, signal)
  const [startMs, user] = await Promise.all([gateway.nowMs(), gateway.commands.userName()])
  return sendOnce(parts, {
    ...(await about(gateway, vehicleId, signal)),
    kind: 'navUnit.message',
    payload: { ...input },
    send: () =>
      gateway.commands.sendNavMessage(vehicleId, { mtype: type, message: text }, new AbortController().signal),
    async isThere() {
      const { messages } = await gateway.commands.navMessages(
        vehicleId,
        new Date(startMs - dayMs).toISOString().slice(0, 10),
        signal
      )
      return messages.some(
        (one) =>
          one.text === text &&
          (user === null || one.user === user) &&
          one.at !== null &&
          Date.parse(one.at) >= startMs - clockMarginMs
      )
    }
  })
}

/** Sends a job with its destination; no list shows jobs, so a lost answer stays unknown. */
export async function sendNavJob(
  parts: Parts,
  input: { vehicleId: number; text: string; latitude: number; longitude: number },
  signal: AbortSignal
): Promise<NavUnitSent> {
  const { gateway } = parts
  const { vehicleId, text, latitude, longitude } = input
  await refuseWhenOff(gateway, vehicleId, signal)
  return sendOnce(parts, {
    ...(await about(gateway, vehicleId, signal)),
    kind: 'navUnit.job',
    payload: { ...input },
    send: () =>
      gateway.commands.sendNavJob(
        vehicleId,
        { message: text, flat: latitude, flon: longitude },
        new AbortController().signal
      ),
    isThere: () => Promise.resolve(false)
  })
}

interface Command {
  kind: LiveKind
  key: string
  payload: Record<string, string | number>
  jobId: null
  imei: string | null
  send(): Promise<SentCommand>
  isThere(): Promise<boolean>
}

async function sendOnce({ live }: Parts, { isThere, ...command }: Command): Promise<NavUnitSent> {
  const sent = await live.sendNow({
    ...command,
    read: (answer) => ({ what: takenAs(answer), raw: { ...answer }, isProof: true })
  })
  if (sent.kind === 'answered') {
    const { deviceIsOnline, id } = sent.answer
    return { kind: 'sent', detail: takenAs(sent.answer), deviceIsOnline, id }
  }
  const unknown = message('navUnit.arrivalUnknown', { why: sent.error.sentence })
  let wasSeen = false
  try {
    wasSeen = await isThere()
  } catch (error) {
    // Nothing more can be found out; the result stays unknown.
    if (!(error instanceof AppError)) throw error
  }
  const detail = wasSeen ? message('navUnit.seenInList') : unknown
  live.endLive(sent.id, { state: wasSeen ? 'done' : 'expired', reason: detail, raw: null })
  return { kind: wasSeen ? 'sent' : 'unknown', detail, deviceIsOnline: null, id: null }
}

function takenAs({ message: text, deviceIsOnline }: SentCommand): Message {
  if (deviceIsOnline === false) return message('navUnit.takenOffline')
  return text === '' ? message('navUnit.taken') : plainMessage(text)
}

async function about(gateway: AccessoryGateway, vehicleId: number, signal: AbortSignal) {
  return { key: `navUnit:${vehicleId}`, jobId: null, imei: await gateway.deviceOf(vehicleId, signal) }
}

async function refuseWhenOff(gateway: AccessoryGateway, vehicleId: number, signal: AbortSignal): Promise<void> {
  const { isOnline } = await gateway.commands.navState(vehicleId, signal)
  if (isOnline === false) throw new AppError('REFUSED', message('navUnit.isOff'))
}
