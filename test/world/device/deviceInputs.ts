import type { DeviceClient } from '../../../main/device/client/client.ts'
import type { CallOptions } from '../../../main/device/client/wire.ts'
import type { Reading } from '../../../preload/contract/device/deviceAreas.ts'
import table from '../../../resources/endpoints.json' with { type: 'json' }

/** Ids of every documented operation of the device. */
export const deviceOperationIds = table.device.map(({ id }) => id)

/** An input that the document allows, for each operation that takes one. */
export const deviceInputs: Readonly<Record<string, Record<string, unknown>>> = {
  'auth.login': { username: 'installer', password: 'login-marker-7731' },
  'exec.run': { command: 'uptime' },
  'wifi.add': { ssid: 'Yard 5/6', password: 'wifi-marker-7732' },
  'wifi.remove': { ssid: 'Yard 5/6' },
  'hotspot.edit': { name: 'Unit 4', password: 'hotspot-marker-7733' },
  'modem.editApn': { apn: 'fleet.example', user: 'apnuser-marker-7734', pass: 'apnpass-marker-7735', pin: '48151' },
  'io.setOutput': { out: 'OUT1', state: false },
  'accel.autoAlignment': { state: true },
  'ecu.addParameter': {
    PARAM_NAME: 'ENGINE_SPEED',
    PGN: 'F004',
    TRANSMISSION_RATE: '100',
    PRIORITY: '3',
    DLC: '8',
    LENGTH: '2',
    START_POSITION: '4',
    MULTIPLIER: '0.125',
    GROUP: 'SIGNAL',
    OFFSET: 0
  },
  'ecu.configure': { PRIMARY_CAN: 'J1939', SECONDARY_CAN: 'NONE', J1708: 'TRUE', LISTEN_ONLY_MODE: 'NONE' }
}

/** Calls the method that carries the operation's id. */
export function callOperation(client: DeviceClient, id: string, options: CallOptions = {}): Promise<Reading<unknown>> {
  const [area = '', verb = ''] = id.split('.')
  const areas = client as unknown as Record<string, Record<string, (...args: unknown[]) => Promise<Reading<unknown>>>>
  const method = areas[area]?.[verb]
  if (!method) throw new Error(`No method for ${id}`)
  const input = deviceInputs[id]
  return input ? method(input, options) : method(options)
}
