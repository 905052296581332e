/** The parts of a device's workspace, in the order of the list, with the operations of the device that each one uses. */
export const panels = {
  overview: ['system.info', 'modem.information', 'gps.position', 'io.all'],
  position: ['gps.position'],
  network: ['modem.information', 'modem.configuration', 'modem.editApn', 'eth.state'],
  wifi: ['wifi.state', 'wifi.list', 'wifi.scan', 'wifi.add', 'wifi.remove', 'wifi.start', 'wifi.stop', 'wifi.reset'],
  hotspot: ['hotspot.state', 'hotspot.list', 'hotspot.edit', 'hotspot.start', 'hotspot.stop'],
  lines: ['io.all', 'io.setOutput'],
  accelerometer: ['accel.state', 'accel.configuration', 'accel.autoAlignment'],
  engineBus: ['ecu.addParameter', 'ecu.configure'],
  apps: ['apps.list'],
  updates: ['updates.osCheck', 'system.info'],
  console: ['exec.run']
} as const

export type PanelName = keyof typeof panels

export const panelNames = Object.keys(panels) as PanelName[]

/** The part in which a reading is shown whole. */
export function panelOf(operation: string): PanelName {
  const isIn = (name: PanelName) => (panels[name] as readonly string[]).includes(operation)
  return panelNames.find((name) => name !== 'overview' && name !== 'updates' && isIn(name)) ?? 'overview'
}

/** Operations of the device that stand somewhere else in the window. */
export const elsewhere = { 'auth.login': 'SignInDialog' } as const
