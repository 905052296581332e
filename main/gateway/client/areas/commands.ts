import { commandAnswer, ecuState, outputLogItem } from '../records/commands.ts'
import { navscreenMessages, navscreenState } from '../records/navscreen.ts'
import { pageOf } from '../records/page.ts'
import { photoAnswer, photoEvent } from '../records/photoRecords.ts'
import { anyForm, pageForm, recordForm, type Caller, type CallOptions } from '../transport/caller.ts'
import type { Time } from '../request/fieldKinds.ts'

type VehicleInput = { vid: number }
type DeviceInput = { imei: string | number }

const outputLog = pageOf(outputLogItem)
/** "Remote commands and I/O". An accepted command is not an executed one: check the log and `ios_state`. */
export function remoteArea({ call }: Caller) {
  return {
    /** `otype` `e`: outputs of the expander; other values are not documented. */
    output: (input: VehicleInput & { otype: string; out: number; state: boolean }, options?: CallOptions) =>
      call('remote.output', input, options, recordForm(commandAnswer)),
    outputLog: (input: { id: number }, options?: CallOptions) =>
      call('remote.outputLog', input, options, pageForm(outputLog)),
    deviceOutputLog: (input: DeviceInput, options?: CallOptions) =>
      call('remote.deviceOutputLog', input, options, pageForm(outputLog)),
    ecuState: (input: VehicleInput, options?: CallOptions) =>
      call('remote.ecuState', input, options, recordForm(ecuState))
  }
}

const photoEvents = pageOf(photoEvent)
/** Camera accessory, and the flash camera (source 99) through the same paths. Times are the gateway's. */
export function photocamArea({ call }: Caller) {
  return {
    methods: (input: VehicleInput, options?: CallOptions) => call('photocam.methods', input, options, anyForm),
    deviceMethods: (input: DeviceInput, options?: CallOptions) =>
      call('photocam.deviceMethods', input, options, anyForm),
    /** Takes a photo although it is a GET: never repeated automatically. */
    capture: (input: VehicleInput, options?: CallOptions) =>
      call('photocam.capture', input, options, recordForm(commandAnswer)),
    deviceCapture: (input: DeviceInput, options?: CallOptions) =>
      call('photocam.deviceCapture', input, options, recordForm(commandAnswer)),
    last: (input: VehicleInput, options?: CallOptions) =>
      call('photocam.last', input, options, recordForm(photoAnswer)),
    browse: (input: VehicleInput & { _from: Time; _to: Time; tz?: string }, options?: CallOptions) =>
      call('photocam.browse', input, options, pageForm(photoEvents)),
    /** `time`: the event's system_time. */
    fromEvent: (input: VehicleInput & { event: number; time: Time }, options?: CallOptions) =>
      call('photocam.fromEvent', input, options, recordForm(photoAnswer))
  }
}

export function flashcamArea({ call }: Caller) {
  return { methods: (input: VehicleInput, options?: CallOptions) => call('flashcam.methods', input, options, anyForm) }
}

/** Navigation unit. Its mode must be on before sending; texts have at most 40 characters. */
export function navscreenArea({ call }: Caller) {
  return {
    methods: (input: VehicleInput, options?: CallOptions) => call('navscreen.methods', input, options, anyForm),
    state: (input: VehicleInput, options?: CallOptions) =>
      call('navscreen.state', input, options, recordForm(navscreenState)),
    setMode: (input: VehicleInput & { new_mode: boolean }, options?: CallOptions) =>
      call('navscreen.setMode', input, options, anyForm),
    sendMessage: (input: VehicleInput & { mtype: 'inbox' | 'screen'; message: string }, options?: CallOptions) =>
      call('navscreen.sendMessage', input, options, recordForm(commandAnswer)),
    messages: (input: VehicleInput & { _from: Time; upto?: number; skip?: number }, options?: CallOptions) =>
      call('navscreen.messages', input, options, recordForm(navscreenMessages)),
    /** Only in the method list; its parameters and its answer are not documented. */
    deleteMessages: (input: VehicleInput, options?: CallOptions) =>
      call('navscreen.deleteMessages', input, options, anyForm),
    /** `flat`, `flon`: destination in degrees. */
    sendJob: (input: VehicleInput & { message: string; flat: number; flon: number }, options?: CallOptions) =>
      call('navscreen.sendJob', input, options, recordForm(commandAnswer))
  }
}
