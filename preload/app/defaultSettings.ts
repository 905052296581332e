import type { Settings } from '../contract/app/settings.ts'

/** The settings of a person who has chosen nothing yet. */
export const defaultSettings: Settings = {
  technician: '',
  role: 'technician',
  theme: 'system',
  language: 'en',
  units: 'metric',
  gatewayUnits: null,
  timeZone: null,
  deskRows: 'dense',
  gatewayUrl: '',
  gatewayUser: '',
  gatewaySites: [],
  gatewayProxy: { kind: 'system' },
  gatewayCard: '',
  gatewayAuthorities: [],
  gatewayCalls: null,
  deviceModels: [],
  profile: 'standard',
  keys: {},
  letterKeys: true,
  tolerances: {},
  eventViews: [],
  sounds: false,
  firstRun: 'open',
  logLevels: {},
  activityReadUpTo: 0,
  notifications: {}
}
