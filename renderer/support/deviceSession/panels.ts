/** The parts of a device's workspace, in list order, with the device operations that each one uses. */
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
  updates: ['updates.osCheck', 'system.info', 'modem.information'],
  console: ['exec.run'],
  raw: [
    'gps.position',
    'eth.state',
    'wifi.state',
    'wifi.list',
    'hotspot.state',
    'hotspot.list',
    'modem.information',
    'modem.configuration',
    'io.all',
    'accel.state',
    'accel.configuration',
    'system.info',
    'apps.list'
  ]
} as const

export type PanelName = keyof typeof panels

/** The groups in the list of a device's parts. */
export const panelGroups = [
  { group: 'status', names: ['overview', 'position', 'network'] },
  { group: 'wiring', names: ['lines', 'engineBus', 'accelerometer'] },
  { group: 'device', names: ['wifi', 'hotspot', 'apps', 'updates'] },
  { group: 'expert', names: ['console', 'raw'] }
] as const satisfies readonly { group: string; names: readonly PanelName[] }[]

/** In list order. */
export const panelNames: readonly PanelName[] = panelGroups.flatMap(({ names }) => names)

/** The part in an address; the first one for an unknown name. */
export function panelNamed(name: string): PanelName {
  return panelNames.find((one) => one === name) ?? 'overview'
}

/** The part that shows a reading completely. */
export function panelOf(operation: string): PanelName {
  const isIn = (name: PanelName) => (panels[name] as readonly string[]).includes(operation)
  return panelNames.find((name) => !['overview', 'updates', 'raw'].includes(name) && isIn(name)) ?? 'overview'
}

/** Device operations that are used elsewhere in the window. */
export const elsewhere = { 'auth.login': 'SignInDialog' } as const
