import type { ModemInformation, Sparse } from '../../../preload/contract/device/deviceAreas.ts'

/** Readings of a modem, and what every screen, the step and the diagnosis must say of them. */
export interface ModemCase {
  name: string
  modem: Sparse<ModemInformation>
  /** What the step Network results in. */
  step: 'pass' | 'warn' | 'fail'
  sim: 'ok' | 'broken' | 'unknown'
  registration: 'ok' | 'broken' | 'unknown'
  /** The sentence that decides; for a pass none. */
  says?: string
  remedy?: string
  inUse?: 'external' | 'embedded'
}

const good = {
  SIM_STATE: 'READY',
  eSIM_STATE: 'NOT PROVISIONED',
  SIM_TYPE: 'EXTERNAL',
  GSM_REG: '1',
  GPRS_REG: '1',
  RSSI: '-71',
  IP: '100.64.3.2',
  RAT: 'FDD LTE',
  OPERATOR: 'Test network'
}
const out = { GSM_REG: '2', GPRS_REG: '2', RSSI: '99', IP: '', RAT: '', OPERATOR: '' }
const builtIn = { SIM_STATE: 'NOT INSERTED', eSIM_STATE: 'READY', SIM_TYPE: 'EMBEDDED' }

const noVoice =
  'The modem reports the registration as denied, but has an IP address. This is usual for a SIM without voice.'
const hasAddress =
  'The modem reports no network, but has an IP address. The device is changing cells, or the status means something else.'
const seeEvents = 'The device has an address, so it is on a network. Check whether its events arrive at the gateway.'
const seeEventsOnLte =
  'Check whether events arrive at the gateway. On LTE, many modems do not report a signal strength while data works.'
const insert = 'Take the SIM out, check its contacts and insert it again. If there is none, insert the ordered SIM.'
const exchange = 'Replace the SIM, or ask the SIM provider to unlock it.'
const portal = 'Activate or unlock the built-in SIM in the provider’s portal, or ask the SIM provider to do it.'
const restart = 'Restart the device. If the modem still does not find its built-in SIM, ask the supplier of the device.'
const antenna = 'The device finds no network: check the GSM antenna and its plug.'
const unlockedSim = { sim: 'broken', registration: 'broken', step: 'fail' } as const

export const modemCases: readonly ModemCase[] = [
  { name: 'registered with an address', modem: good, step: 'pass', sim: 'ok', registration: 'ok' },
  {
    name: 'a SIM for data: voice refused, address there',
    modem: { ...good, GSM_REG: '3', GPRS_REG: '0' },
    step: 'warn',
    sim: 'ok',
    registration: 'unknown',
    says: noVoice,
    remedy: seeEvents
  },
  {
    name: 'packet data refused in words, address there',
    modem: { ...good, GSM_REG: '1', GPRS_REG: 'denied' },
    step: 'warn',
    sim: 'ok',
    registration: 'unknown',
    says: noVoice,
    remedy: seeEvents
  },
  {
    name: 'not registered on the older networks, address there',
    modem: { ...good, GSM_REG: '0', GPRS_REG: '0' },
    step: 'warn',
    sim: 'ok',
    registration: 'unknown',
    says: hasAddress,
    remedy: seeEvents
  },
  {
    name: 'searching, address there',
    modem: { ...good, GSM_REG: '2', GPRS_REG: '2' },
    step: 'warn',
    sim: 'ok',
    registration: 'unknown',
    says: hasAddress,
    remedy: seeEvents
  },
  {
    name: 'refused, no address',
    modem: { ...good, ...out, GSM_REG: '3', GPRS_REG: '3' },
    step: 'fail',
    sim: 'ok',
    registration: 'broken',
    says: 'The mobile network refuses this SIM.',
    remedy: 'The network refuses this SIM: it may be blocked or not activated. Check with the SIM provider.'
  },
  {
    name: 'not registered, no address',
    modem: { ...good, ...out, GSM_REG: '0', GPRS_REG: '0' },
    step: 'fail',
    sim: 'ok',
    registration: 'broken',
    says: 'The device is not registered on a mobile network.',
    remedy: 'Check the mobile antenna and its plug, then the coverage, then whether the SIM is active.'
  },
  {
    name: 'built-in SIM searching, empty slot',
    modem: { ...good, ...builtIn, ...out },
    step: 'fail',
    sim: 'ok',
    registration: 'broken',
    says: 'The device finds no mobile network.',
    remedy: antenna,
    inUse: 'embedded'
  },
  {
    name: 'built-in SIM registered, empty slot',
    modem: { ...good, ...builtIn },
    step: 'pass',
    sim: 'ok',
    registration: 'ok',
    inUse: 'embedded'
  },
  {
    name: 'built-in SIM locked',
    modem: { ...good, ...builtIn, ...out, eSIM_STATE: 'SIM PUK' },
    ...unlockedSim,
    says: 'The built-in SIM is locked and needs its PUK.',
    remedy: portal,
    inUse: 'embedded'
  },
  {
    name: 'built-in SIM not provisioned',
    modem: { ...good, ...builtIn, ...out, eSIM_STATE: 'NOT PROVISIONED' },
    ...unlockedSim,
    says: 'The built-in SIM is not ready.',
    remedy: portal,
    inUse: 'embedded'
  },
  {
    name: 'built-in SIM blocked',
    modem: { ...good, ...builtIn, ...out, eSIM_STATE: 'BLOCKED' },
    ...unlockedSim,
    says: 'The built-in SIM is blocked or defective.',
    remedy: portal,
    inUse: 'embedded'
  },
  {
    name: 'built-in SIM with a PIN',
    modem: { ...good, ...builtIn, ...out, eSIM_STATE: 'SIM PIN' },
    ...unlockedSim,
    says: 'The built-in SIM needs a PIN.',
    remedy: 'Enter the PIN with the APN on the device’s network page, or ask the SIM provider to turn it off.',
    inUse: 'embedded'
  },
  {
    name: 'built-in SIM not found',
    modem: { ...good, ...builtIn, ...out, eSIM_STATE: 'ABSENT' },
    ...unlockedSim,
    says: 'The modem does not find its built-in SIM.',
    remedy: restart,
    inUse: 'embedded'
  },
  {
    name: 'no SIM_TYPE: empty slot, built-in SIM locked',
    modem: { ...good, ...builtIn, ...out, eSIM_STATE: 'SIM PUK', SIM_TYPE: undefined },
    ...unlockedSim,
    says: 'The built-in SIM is locked and needs its PUK.',
    remedy: portal,
    inUse: 'embedded'
  },
  {
    name: 'no SIM_TYPE: slot not in use, built-in SIM ready',
    modem: { ...good, SIM_STATE: 'Not in Use', eSIM_STATE: 'READY', SIM_TYPE: undefined },
    step: 'pass',
    sim: 'ok',
    registration: 'ok',
    inUse: 'embedded'
  },
  {
    name: 'inserted SIM in use, built-in one not in use',
    modem: { ...good, eSIM_STATE: 'Not in Use' },
    step: 'pass',
    sim: 'ok',
    registration: 'ok'
  },
  ...['ABSENT', 'no sim', 'NOSIM', 'NOT INSERTED', 'NOTINSERTED', 'not present', 'NOTPRESENT', 'MISSING'].map(
    (SIM_STATE): ModemCase => ({
      name: `slot: ${SIM_STATE}`,
      modem: { ...good, ...out, SIM_STATE },
      ...unlockedSim,
      says: 'There is no SIM in the device.',
      remedy: insert
    })
  ),
  ...['FAILURE', 'ERROR', 'BLOCKED'].map((SIM_STATE): ModemCase => ({
    name: `slot: ${SIM_STATE}`,
    modem: { ...good, ...out, SIM_STATE },
    ...unlockedSim,
    says: 'The SIM is blocked or defective.',
    remedy: exchange
  })),
  {
    name: 'slot: SIM PIN',
    modem: { ...good, ...out, SIM_STATE: 'SIM PIN' },
    ...unlockedSim,
    says: 'The SIM needs a PIN.',
    remedy: 'Turn off the PIN of this SIM in a phone, or enter the PIN with the APN on the device’s network page.'
  },
  {
    name: 'slot: PUK',
    modem: { ...good, ...out, SIM_STATE: 'PUK' },
    ...unlockedSim,
    says: 'The SIM is locked and needs its PUK.',
    remedy: exchange
  },
  ...['99', '199', '99,99', ' 99 '].map((RSSI): ModemCase => ({
    name: `signal: ${RSSI}`,
    modem: { ...good, RSSI },
    step: 'warn',
    sim: 'ok',
    registration: 'ok',
    says: `The modem does not know its signal strength (${RSSI.trim()}).`,
    remedy: seeEventsOnLte
  }))
]
