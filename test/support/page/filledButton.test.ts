import { expect, it } from 'vitest'
import type { ChainLink, ChainStep, RemedyAction } from '../../../preload/contract/support/diagnosis.ts'
import { filledButton, type FilledButton } from '../../../renderer/support/diagnosis/headline/filledButton.ts'

type Cause = Parameters<typeof filledButton>[0]
const nothing: Cause = { step: null, finding: null, gateway: null, hasRemedy: false, isNear: false, isHeld: false }
const broken = (link: ChainLink, id: string, action: RemedyAction | null = null, more: Partial<Cause> = {}): Cause => ({
  ...nothing,
  step: { link, state: 'broken', sentence: { id, values: {} } as ChainStep['sentence'], action },
  ...more
})
const ask = (scope: string | null, status: number | null): RemedyAction => ({
  kind: 'askAdministrator',
  username: 'm.pena',
  scope,
  status
})
const gateway = (
  trouble: NonNullable<Cause['gateway']>['trouble'],
  state: 'away' | 'signedOut' | 'answers' = 'away'
) => ({
  ...nothing,
  gateway: { state, trouble }
})

it.each<[string, Cause, FilledButton | null]>([
  ['no power', broken('power', 'chain.power.goneAtGateway'), 'visit'],
  ['a blocked SIM', broken('sim', 'chain.sim.blocked'), 'visit'],
  ['no network', broken('registration', 'chain.registration.notRegistered'), 'visit'],
  ['no address', broken('address', 'chain.address.none'), 'visit'],
  ['the wrong APN, far away', broken('apn', 'chain.apn.differs'), 'visit'],
  [
    'the wrong APN, at the device',
    broken('apn', 'chain.apn.differs', null, { hasRemedy: true, isNear: true }),
    'remedy'
  ],
  ['no power, at the device', broken('power', 'chain.power.none', null, { isNear: true }), null],
  ['silence', broken('gatewayEvent', 'chain.gatewayEvent.silent'), 'visit'],
  ['no position', broken('fix', 'chain.fix.empty'), 'visit'],
  ['a frozen position', broken('fix', 'contradictions.frozen'), null],
  ['coordinates in another unit', broken('fix', 'contradictions.scaled'), null],
  ['a vehicle without its device', broken('vehicle', 'chain.vehicle.noDevice', null, { hasRemedy: true }), 'remedy'],
  ['a link that nobody can make here', broken('vehicle', 'chain.vehicle.noDevice'), null],
  ['401 to one question', broken('visible', 'chain.visible.refused', ask('vehicles', 401)), 'request'],
  ['403', broken('visible', 'chain.visible.refused', ask('vehicles', 403)), 'request'],
  ['a missing right', broken('visible', 'chain.visible.scopeMissing', ask('rawdata', null)), 'request'],
  ['404', broken('visible', 'chain.visible.deviceHidden', ask(null, null)), 'request'],
  ['a name that nobody knows', broken('visible', 'chain.visible.notFound'), null],
  ['401 for good', gateway('account', 'signedOut'), 'signIn'],
  ['429', gateway('limit', 'answers'), null],
  ['5xx', gateway('failing'), 'retry'],
  ['a web page', gateway('page'), 'retry'],
  ['silence of the gateway', gateway('silent'), 'retry'],
  ['nobody signed in', gateway(null, 'signedOut'), null],
  ['a verdict that is read again', broken('power', 'chain.power.none', null, { isHeld: true }), null],
  ['a weak signal', { ...nothing, finding: { id: 'weakSignal' } }, null],
  ['an output that is on, at the device', { ...nothing, finding: { id: 'out1On' }, hasRemedy: true }, 'remedy']
])('%s: %o', (_, cause, wanted) => {
  expect(filledButton(cause)).toBe(wanted)
})
