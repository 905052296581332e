export interface EventType {
  type: number
  meaning: string
  /** gps: has a position. connection: proves only that the device reaches the gateway. */
  group: 'gps' | 'connection' | 'message' | 'other'
}

const eventTypes = new Map<number, EventType>(
  (
    [
      [10, 'regular GPS event', 'gps'],
      [11, 'position and velocity', 'gps'],
      [12, 'driving metrics', 'gps'],
      [13, 'GPS event sent late (backlog)', 'gps'],
      [20, 'GPS event without a fix (GPS time 0)', 'gps'],
      [100, 'keep-alive', 'connection'],
      [110, 'connection message', 'connection'],
      [111, 'SIM operator notice', 'connection'],
      [150, 'message', 'message'],
      [301, 'duplicate GPS event', 'other']
    ] as const
  ).map(([type, meaning, group]) => [type, { type, meaning, group }])
)

/** Meaning of `type` of a rawdata event ("Rawdata event"); undefined for an undocumented number. */
export function describeEventType(type: number): EventType | undefined {
  return eventTypes.get(type)
}

/** Metric of a driving-metric event (type 12); only 2 is documented. */
export function describeMetric(metric: number): string | undefined {
  return metric === 2 ? 'maximum speed' : undefined
}
