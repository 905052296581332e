import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { SeenRow } from '../../../../preload/contract/job/jobSeen.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { isJoined, isRadioUp } from '../../../device/client/radio/radioState.ts'
import type { Reading } from '../../../../preload/contract/device/deviceAreas.ts'
import {
  fail,
  missingField,
  pass,
  received,
  unreadable,
  withRows,
  type CheckContext,
  type Outcome
} from '../engine/check.ts'
import { timeLeft } from '../engine/meters.ts'
import { deviceLost } from '../engine/silence.ts'

interface RadioState {
  state: string
  ssid?: string | undefined
  connected?: boolean | undefined
  ip?: string | undefined
}

export interface RadioCheck {
  name: Message
  read(): Promise<Reading<RadioState>>
  /** A radio that joins a network reports a network name only while it is connected. */
  isJoining: boolean
  remedy: Message
}

/** An interface is as ordered. Only read: switching an interface could cut this computer's own link. */
export async function checkRadio(context: CheckContext<'wifi' | 'hotspot'>, radio: RadioCheck): Promise<Outcome> {
  const { isOn, ssid } = context.plan
  const { giveUpS } = context.profile.radio
  const thresholds = { isOn: isOn ?? null, ssid: ssid ?? null }
  const wantsOn = ssid === undefined ? isOn : (isOn ?? true)
  const wantsSsid = wantsOn === true ? ssid : undefined
  let failure: AppError | undefined

  for (;;) {
    let reading: Reading<RadioState> | undefined
    try {
      reading = await radio.read()
      failure = undefined
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'CANCELLED') throw error
      failure = error
    }
    const leftMs = giveUpS * 1000 - context.elapsedMs()
    if (reading) {
      const seen = look(reading)
      const rows = rowsOf(seen)
      const isRight = seen.isOn === wantsOn && (wantsSsid === undefined || (seen.isJoined && seen.ssid === wantsSsid))
      if (seen.isOn !== undefined && wantsOn === undefined)
        return note(
          rows,
          reading,
          received(message('radio.nothingOrdered', { radio: radio.name, seen: seen.words }), ['device'])
        )
      if (isRight)
        return note(
          rows,
          reading,
          pass(message('radio.asOrdered', { radio: radio.name, seen: seen.words }), ['device'])
        )
      if (leftMs <= 0) {
        const problem =
          seen.isOn === undefined ? (seen.problem ?? message('radio.unknownState', { state: seen.state })) : undefined
        if (problem)
          return note(
            rows,
            reading,
            unreadable(
              message('radio.unreadable', { radio: radio.name, why: problem }),
              message('jobs.lookAtRawAnswer')
            )
          )
        const isNameMissing = seen.isOn === true && wantsSsid !== undefined && seen.isJoined && seen.ssid === undefined
        if (isNameMissing)
          return note(
            rows,
            reading,
            unreadable(
              message('radio.unreadable', {
                radio: radio.name,
                why: message('jobs.missingInAnswer', { path: 'ssid' })
              }),
              message('jobs.lookAtRawAnswer')
            )
          )
        const isToBeOff = wantsOn === false
        return note(
          rows,
          reading,
          fail(
            message('radio.differs', { radio: radio.name, seen: seen.words, wanted: wantedWords() }),
            isToBeOff ? message('radio.mayCutLink') : radio.remedy,
            ['device']
          )
        )
      }
      context.show({
        say: message('radio.waiting', { radio: radio.name, wanted: wantedWords() }),
        hint: null,
        meters: [timeLeft(leftMs)],
        rows,
        leftMs
      })
    }
    const lost = deviceLost(context)
    if (lost) return lost
    if (leftMs <= 0)
      return unreadable(
        message('radio.unreadable', { radio: radio.name, why: failure?.sentence ?? message('network.noAnswer') }),
        message('jobs.runAgainWhenAnswering')
      )
    await context.pause(1_000)
  }

  function look(reading: Reading<RadioState>) {
    const { state, ssid: name } = reading.value
    const word = state?.trim() ?? ''
    const isUp = isRadioUp(reading.value)
    const hasNetwork = radio.isJoining ? isJoined(reading.value) : isUp === true
    const seenSsid = name === undefined || name === '' ? undefined : name
    const words =
      isUp === undefined
        ? message('radio.unknownState', { state: word })
        : !isUp
          ? message('radio.off')
          : hasNetwork && seenSsid !== undefined
            ? message('radio.onWith', { ssid: seenSsid })
            : radio.isJoining
              ? message('radio.onAlone')
              : message('radio.on')
    return {
      isOn: isUp,
      isJoined: hasNetwork,
      ssid: seenSsid,
      state: word,
      words,
      problem: missingField(reading, ['state'])
    }
  }

  function wantedWords(): Message {
    return wantsOn === false
      ? message('radio.off')
      : wantsSsid === undefined
        ? message('radio.on')
        : message('radio.onWith', { ssid: wantsSsid })
  }

  function rowsOf(seen: ReturnType<typeof look>): SeenRow[] {
    const isOrdered = wantsOn !== undefined
    const isSame = seen.isOn === wantsOn && (wantsSsid === undefined || (seen.isJoined && seen.ssid === wantsSsid))
    return [
      {
        label: radio.name,
        wanted: isOrdered ? wantedWords() : null,
        device: seen.words,
        gateway: null,
        verdict: seen.isOn === undefined ? 'unreadable' : !isOrdered ? 'received' : isSame ? 'agrees' : 'differs'
      }
    ]
  }

  function note(rows: SeenRow[], reading: Reading<RadioState>, outcome: Outcome): Outcome {
    const { state, ssid: name, connected } = reading.value
    context.saw({
      witness: 'device',
      what: message('radio.seen', { radio: radio.name, seen: look(reading).words }),
      raw: { state: state ?? null, ssid: name ?? null, ...(connected === undefined ? {} : { connected }) },
      thresholds
    })
    return withRows(rows, outcome)
  }
}

/** The device's Wi-Fi (`GET /wifi/state`) is on or off as ordered, and in the ordered network. */
export function checkWifi(context: CheckContext<'wifi'>): Promise<Outcome> {
  return checkRadio(context, {
    name: message('radio.wifi'),
    read: () => context.device.wifi.state({ signal: context.signal }),
    isJoining: true,
    remedy: message('radio.openWifi')
  })
}

/** The device's hotspot (`GET /hotspot/state`) is on or off as ordered, with the ordered name. */
export function checkHotspot(context: CheckContext<'hotspot'>): Promise<Outcome> {
  return checkRadio(context, {
    name: message('radio.hotspot'),
    read: () => context.device.hotspot.state({ signal: context.signal }),
    isJoining: false,
    remedy: message('radio.openHotspot')
  })
}
