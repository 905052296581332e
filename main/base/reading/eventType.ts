/** gps: has a position. connection: proves only that the device reaches the gateway. */
export type EventGroup = 'gps' | 'connection' | 'message' | 'other'

const groups: Readonly<Record<EventGroup, readonly number[]>> = {
  gps: [10, 11, 12, 13, 20],
  connection: [100, 110, 111],
  message: [150],
  other: [301]
}
const groupOf = new Map(
  Object.entries(groups).flatMap(([group, types]) => types.map((type) => [type, group as EventGroup]))
)

/** The group of `type` of a rawdata event ("Rawdata event"); undefined for an undocumented number. */
export function groupOfEventType(type: number): EventGroup | undefined {
  return groupOf.get(type)
}
