import type { Dimension } from '../records/units.ts'
import type { GatewayState } from '../state.ts'

export interface FieldDefinition {
  name: string
  type: 'number' | 'boolean' | 'string'
  /** Also the name of its set: `$<group>`. */
  group: string
  short: string
  dimension?: Dimension
}

const field = (
  name: string,
  type: FieldDefinition['type'],
  group: string,
  short: string,
  dimension?: Dimension
): FieldDefinition => (dimension ? { name, type, group, short, dimension } : { name, type, group, short })

const numbered = (count: number, make: (n: number) => FieldDefinition): FieldDefinition[] =>
  Array.from({ length: count }, (_, i) => make(i + 1))

const fixed: FieldDefinition[] = [
  field('id', 'number', 'basic', 'event id'),
  field('vid', 'number', 'basic', 'vehicle id'),
  field('aid', 'number', 'basic', 'asset id'),
  field('device_id', 'number', 'basic', 'IMEI'),
  field('pid', 'number', 'basic', 'site id'),
  field('event_time', 'string', 'basic', 'device time'),
  field('system_time', 'string', 'basic', 'processing time'),
  field('type', 'number', 'basic', 'event type'),
  field('code', 'number', 'basic', 'event code'),
  field('label', 'string', 'basic', 'event label'),
  field('lat', 'number', 'basic', 'latitude'),
  field('lon', 'number', 'basic', 'longitude'),
  field('valid_position', 'boolean', 'basic', 'valid position'),
  field('speed', 'number', 'basic', 'speed', 'speed'),
  field('mph', 'number', 'basic', 'speed in miles per hour'),
  field('head', 'number', 'basic', 'heading'),
  field('hdop', 'number', 'basic', 'horizontal dilution'),
  field('vdop', 'number', 'basic', 'vertical dilution'),
  field('sv', 'number', 'basic', 'satellites'),
  field('cf_rssi', 'number', 'network', 'GSM rssi'),
  field('comdelay', 'number', 'network', 'communication delay'),
  field('event_hour', 'number', 'time', 'hour of the event'),
  field('event_wkday', 'number', 'time', 'weekday of the event'),
  field('system_hour', 'number', 'time', 'hour of processing'),
  field('system_minute', 'number', 'time', 'minute of processing'),
  field('event_epoch', 'number', 'time', 'event time, epoch'),
  field('system_epoch', 'number', 'time', 'processing time, epoch'),
  field('metric', 'number', 'metrics', 'driving metric'),
  field('metric_value', 'number', 'metrics', 'value of the metric'),
  field('dphoto_ptr', 'number', 'photo', 'photo pointer'),
  field('photo_status', 'number', 'photo', 'photo status'),
  field('dev_dist', 'number', 'counters', 'distance by device', 'distance'),
  field('dev_ign', 'number', 'counters', 'ignition time', 'time'),
  field('dev_idle', 'number', 'counters', 'idle time', 'time'),
  field('dev_ospeed', 'number', 'counters', 'time over speed', 'time'),
  field('dev_orpm', 'number', 'counters', 'time over rpm threshold', 'time'),
  field('ecu_dist', 'number', 'counters', 'engine distance', 'distance'),
  field('ecu_eusage', 'number', 'counters', 'engine ignition time', 'time'),
  field('ecu_eidle', 'number', 'counters', 'engine idle time', 'time'),
  field('ecu_tfuel', 'number', 'counters', 'total fuel', 'volume'),
  field('ecu_ifuel', 'number', 'counters', 'idle fuel', 'volume'),
  field('vehicle_dev_dist', 'number', 'counters', 'vehicle distance', 'distance'),
  field('vehicle_dev_ign', 'number', 'counters', 'vehicle ignition time', 'time'),
  field('vehicle_dev_idle', 'number', 'counters', 'vehicle idle time', 'time'),
  ...['battery', 'distance', 'idle_fuel', 'rpm'].flatMap((name) => [
    field(`ecu_${name}`, 'number', 'ecu', `engine bus ${name.replace('_', ' ')}`),
    field(`ecu_${name}_flag`, 'string', 'ecu', `state of ecu_${name}`)
  ]),
  ...['tires_psi', 'tires_tmp', 'tpms_warnings', 'tpms_conditions', 'tpms_provision'].map((name) =>
    field(`ecu_${name}`, 'string', 'tpms', name.replace('_', ' '))
  ),
  ...['a', 'b', 'c'].map((name) => field(`ea_${name}`, 'number', 'analog', `analog sensor ${name}, millivolts`)),
  ...numbered(4, (n) => field(`io_exp_in${n}`, 'boolean', 'io_exp', `expander input ${n}`)),
  ...numbered(4, (n) => field(`io_exp_out${n}`, 'boolean', 'io_exp', `expander output ${n}`)),
  ...numbered(4, (n) => field(`io_exp_out${n}_short`, 'boolean', 'io_exp', `expander output ${n} shorted`)),
  field('io_exp_state', 'boolean', 'io_exp', 'expander connected'),
  ...['battery', 'driver', 'humidity', 'light', 'temp'].map((name) =>
    field(`btt_${name}`, 'number', 'bttag', `tag ${name}`)
  ),
  ...['button', 'freefall', 'impact', 'motion', 'presence', 'reed'].map((name) =>
    field(`btt_${name}`, 'boolean', 'bttag', `tag ${name}`)
  ),
  ...['mac', 'wreason'].map((name) => field(`btt_${name}`, 'string', 'bttag', `tag ${name}`)),
  field('adas_distance_from_front_vehicle', 'number', 'adas', 'distance from the front vehicle'),
  field('adas_headway_measurement', 'number', 'adas', 'headway'),
  field('adas_headway_warning_level', 'number', 'adas', 'headway warning level'),
  field('adas_speed', 'number', 'adas', 'speed of the camera')
]

/** The counters that a device measures; others are derived from them. */
export const baseCounters = fixed.filter(
  (counter): counter is FieldDefinition & { dimension: Dimension } =>
    counter.group === 'counters' && !counter.name.startsWith('vehicle_')
)

export function listFields(state: GatewayState): Map<string, FieldDefinition> {
  const fields = new Map(fixed.map((definition) => [definition.name, definition]))
  for (const device of state.devices) {
    for (const name of device.report?.ecu.parameters ?? []) {
      const key = ecuField(name)
      if (fields.has(key)) continue
      fields.set(key, field(key, 'number', 'ecu', `engine bus ${name}`))
      fields.set(`${key}_flag`, field(`${key}_flag`, 'string', 'ecu', `state of ${key}`))
    }
  }
  return fields
}

/** Field of an engine-bus parameter: `ECU_RPM` and `rpm` are both `ecu_rpm`. */
export function ecuField(parameter: string): string {
  const name = parameter.toLowerCase().replace(/[^a-z0-9]+/g, '_')
  return name.startsWith('ecu_') ? name : `ecu_${name}`
}
