import type { OutputLine } from '../vehicle.ts'
import type { BodyOf } from './bodies.ts'
import { runCommand } from './console.ts'
import {
  accelerometerConfiguration,
  applications,
  readAccelerometer,
  readEthernet,
  readInputsAndOutputs,
  readModem,
  readModemConfiguration,
  readPosition,
  readSystem,
  readWifi
} from './readings.ts'
import { speakForm } from '../forms.ts'
import type { Unit } from './unit.ts'

export interface HandlerInput {
  unit: Unit
  params: Record<string, string>
  body: unknown
  /** Records a request that the document does not allow, or that has the same effect a second time. */
  violate: (kind: 'undocumented' | 'refused' | 'doubled', why: string) => void
}

export interface Answer {
  status: number
  /** Sent as JSON, unless `text` is set. */
  body?: unknown
  text?: string
}

/** A second automatic alignment within this time repeats a running one. */
const alignmentTakesMs = 5000

const ok = (body: unknown): Answer => ({ status: 200, body })
const done = ok({ result: 'OK' })

/** An operation that only has an effect. */
const withEffect =
  (act: (input: HandlerInput) => unknown) =>
  (input: HandlerInput): Answer => {
    act(input)
    return done
  }

/** An operation that only reads, in the form of the device. */
const reads =
  (operation: string, read: (unit: Unit) => unknown) =>
  ({ unit }: HandlerInput): Answer =>
    ok(speakForm(operation, read(unit), unit.form, unit.seed))

/** One handler for each operation of the device API, by its id in resources/endpoints.json. */
export const handlers: Record<string, (input: HandlerInput) => Answer> = {
  'auth.login': ({ unit, body }) => {
    const { username, password } = body as BodyOf<'auth.login'>
    if (username !== unit.user || password !== unit.password) return unauthorizedAnswer()
    unit.sessionCount++
    return ok({ user: { name: username } })
  },
  'exec.run': ({ unit, body, violate }) => {
    const { command } = body as BodyOf<'exec.run'>
    const result = runCommand(unit, command)
    if (result.isRefused) violate('refused', 'a command that removes files or changes the system')
    return { status: result.isRefused ? 403 : 200, text: result.output }
  },

  'gps.position': reads('gps.position', readPosition),
  'eth.state': reads('eth.state', readEthernet),

  'wifi.state': reads('wifi.state', readWifi),
  'wifi.start': withEffect(({ unit }) => unit.radios.setWifi(true)),
  'wifi.stop': withEffect(({ unit }) => unit.radios.setWifi(false)),
  'wifi.reset': withEffect(({ unit }) => unit.radios.setWifi(true)),
  'wifi.list': reads('wifi.list', ({ radios }) => ({ ssids: radios.savedNetworks() })),
  'wifi.scan': reads('wifi.scan', ({ radios }) => ({ nets: radios.scan() })),
  'wifi.add': withEffect(({ unit, params }) => unit.radios.saveNetwork(params['ssid'] ?? '', params['password'] ?? '')),
  'wifi.remove': withEffect(({ unit, params }) => unit.radios.removeNetwork(params['ssid'] ?? '')),

  'hotspot.list': () => ok({ stations: [] }),
  'hotspot.state': ({ unit }) => ok(unit.radios.hotspotState()),
  'hotspot.edit': withEffect(({ unit, params }) =>
    unit.radios.editHotspot(params['name'] ?? '', params['password'] ?? '')
  ),
  'hotspot.start': withEffect(({ unit }) => unit.radios.setHotspot(true)),
  'hotspot.stop': withEffect(({ unit }) => unit.radios.setHotspot(false)),

  'modem.information': ({ unit }) => ok(readModem(unit)),
  'modem.configuration': ({ unit }) => ok(readModemConfiguration(unit)),
  'modem.editApn': withEffect(({ unit, body }) => {
    unit.apn = body as BodyOf<'modem.editApn'>
  }),

  'io.all': reads('io.all', readInputsAndOutputs),
  'io.setOutput': ({ unit, params, violate }) => {
    const line = params['out'] ?? ''
    const state = params['state']
    if (!/^OUT[1-4]$/.test(line) || (state !== 'true' && state !== 'false')) {
      violate('undocumented', 'the output is OUT1 to OUT4 and its state true or false')
      return { status: 400, body: { error: 'Unknown output or state' } }
    }
    const output = line as OutputLine
    const on = state === 'true'
    // “Off” is right at any time, also for a relay that never went on.
    if (on && unit.vehicle.state().outputs[output]) violate('doubled', `${output} is on already`)
    unit.vehicle.setOutput(output, on)
    return done
  },

  'accel.state': ({ unit }) => ok(readAccelerometer(unit)),
  'accel.configuration': ({ unit }) => ok(unit.speaks('storage.nothing') ? null : accelerometerConfiguration),
  'accel.autoAlignment': ({ unit, body, violate }) => {
    const { state } = body as BodyOf<'accel.autoAlignment'>
    const nowMs = unit.vehicle.now()
    if (unit.lastAlignmentMs !== undefined && nowMs - unit.lastAlignmentMs < alignmentTakesMs) {
      violate('doubled', 'an automatic alignment was sent less than 5 s ago')
    }
    unit.lastAlignmentMs = nowMs
    unit.autoAlignments.push({ at: new Date(nowMs).toISOString(), state })
    return done
  },

  'system.info': reads('system.info', readSystem),
  'updates.osCheck': ({ unit }) => ok(checkUpdate(unit)),
  'apps.list': () => ok(applications),

  'ecu.addParameter': ({ unit, body, violate }) => {
    const entry = body as BodyOf<'ecu.addParameter'>
    // One name may have several signals.
    if (unit.ecuParameters.some((one) => JSON.stringify(one) === JSON.stringify(entry))) {
      violate('doubled', `${entry.PARAM_NAME} is in the engine-bus list already`)
    }
    unit.ecuParameters.push(entry)
    return done
  },
  'ecu.configure': withEffect(({ unit, body }) => {
    unit.ecuConfiguration = body as BodyOf<'ecu.configure'>
  })
}

export function unauthorizedAnswer(): Answer {
  return {
    status: 401,
    body: {
      error: {
        error: { killed: false, code: 1, signal: null, cmd: 'check-credentials' },
        errorText: 'Command failed: check-credentials',
        output: JSON.stringify({ error: 'Invalid Username or Password' })
      }
    }
  }
}

const updateMessages = [
  'Update available',
  'Update in progress. This will take a few minutes',
  'Successfully updated. Device will be restarted in any moment',
  'Up To Date'
]

/** If there is an update, each check returns the next of the four documented conditions. */
function checkUpdate(unit: Unit): unknown {
  if (unit.faults.has('updateCheckFails')) return { error: 'Error getting file. Try again' }
  if (!unit.faults.has('updateAvailable')) return { mess: 'Up To Date' }
  const mess = updateMessages[Math.min(unit.updateChecks++, updateMessages.length - 1)]
  if (mess === 'Up To Date') unit.hasUpdated = true
  return { mess }
}
