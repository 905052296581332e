/** The parts of a vehicle's accessories, in the order of the list, with the scope that each needs at the least; null where each of its sections needs another one. */
export const parts = {
  keys: 'assets',
  tags: 'assets',
  cameras: 'plugins.photocam',
  live: null,
  outputs: 'remote.output',
  triggers: 'triggers',
  navUnit: 'plugins.navscreen',
  journeys: 'rawdata'
} as const

export type PartName = keyof typeof parts
export const partNames = Object.keys(parts) as PartName[]
