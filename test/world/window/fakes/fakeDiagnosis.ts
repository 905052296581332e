import {
  type ChainLink,
  chainLinks,
  type ChainStep,
  type Diagnosis,
  type Finding
} from '../../../../preload/contract/support/diagnosis.ts'
import type { Fact, FactName, SaidFact } from '../../../../preload/contract/support/facts.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import { at } from '../../data/fakeData.ts'

const says = (text: string, ageS: number, more: Partial<SaidFact> = {}): SaidFact => ({
  value: text,
  unit: null,
  ageS,
  readAt: at(-ageS),
  message: plainMessage(text),
  ...more
})

export function step(link: ChainLink, state: ChainStep['state'], more: Partial<ChainStep> = {}): ChainStep {
  return {
    link,
    state,
    sentence: plainMessage(`${link} is ${state}.`),
    short: plainMessage(state === 'notReached' ? 'not reached' : state === 'ok' ? 'ready' : state),
    detail: null,
    source: null,
    remedy: null,
    action: null,
    witness: state === 'notReached' ? null : 'device',
    readAt: state === 'notReached' ? null : at(-2),
    sinceAt: null,
    ...more
  }
}

export function fact(name: FactName, verdict: Fact['verdict'], more: Partial<Fact> = {}): Fact {
  const device = verdict === 'onlyGateway' ? null : says('on', 2)
  const gateway = verdict === 'onlyDevice' || verdict === 'notExposed' ? null : says('on', 4)
  return {
    fact: name,
    device,
    gateway,
    verdict,
    tolerance: null,
    apart: null,
    why: { device: null, gateway: null },
    message: plainMessage(verdict),
    ...more
  }
}

const old = 47 * 60

/** It is in the mobile network and gets no address: what is behind that link was not reached. */
export const brokenAtAddress: Diagnosis = {
  at: at(0),
  subject: {
    deviceKey: '867698040023056',
    vehicleId: 7,
    imei: '867698040023056',
    name: 'Unit 0007',
    plate: 'HLD007',
    model: 'ft4',
    host: '192.168.4.1:8080'
  },
  device: { state: 'answers', why: null, readAt: at(-2) },
  gateway: { state: 'answers', why: null, readAt: at(-2), aheadS: 0.4 },
  lastReport: { at: at(-old), ageS: old, reportsWithinS: 300 },
  isWhole: true,
  recorded: { fromMs: Date.parse(at(-600)), toMs: Date.parse(at(0)) },
  nextInMs: 1_000,
  openedAfterMs: 10_000,
  tone: 'fail',
  since: null,
  headline: { link: 'address' },
  brokenAt: 'address',
  chain: [
    step('power', 'ok', { short: plainMessage('present') }),
    step('sim', 'ok'),
    step('registration', 'ok', { short: plainMessage('LTE, -88 dBm') }),
    step('address', 'broken', {
      sentence: plainMessage('Registered on the mobile network, but no IP address assigned.'),
      short: plainMessage('none'),
      detail: {
        id: 'plain.text',
        values: { text: 'The device uses the APN internet.old. This SIM was ordered with fleet.example.' }
      },
      remedy: plainMessage('Set the APN to the ordered one.'),
      source: plainMessage('order 4711'),
      action: { kind: 'setApn', apn: 'fleet.example' }
    }),
    ...chainLinks.slice(4).map((link) => step(link, 'notReached'))
  ],
  findings: [],
  facts: [
    fact('lastContact', 'differ', {
      device: says('here now', 2),
      gateway: says('47 min ago', old),
      message: plainMessage('differ')
    }),
    fact('position', 'differ', {
      device: says('4.71100, -74.07210', 2),
      gateway: says('4.74821, -74.05902', old),
      tolerance: { id: 'positionM', value: 50, unit: 'm' },
      apart: { value: 4_400, unit: 'm' },
      message: plainMessage('4.4 km apart')
    }),
    fact('satellites', 'stale', {
      device: says('11', 2),
      gateway: says('9', old),
      message: plainMessage('gateway 47 min old')
    }),
    fact('hdop', 'stale', {
      device: says('0.8', 2),
      gateway: says('1.1', old),
      message: plainMessage('gateway 47 min old')
    }),
    fact('ignition', 'stale', {
      device: says('on', 2),
      gateway: says('off', old),
      message: plainMessage('gateway 47 min old')
    }),
    fact('power', 'agree', { device: says('present', 2), gateway: says('present', 3), message: plainMessage('same') }),
    fact('in4', 'notExposed', { device: says('on', 2), message: plainMessage('gateway shows 1 to 3') }),
    fact('sim', 'agree', { device: says('…4142', 2), gateway: says('…4142', 60), message: plainMessage('same') }),
    fact('address', 'notExposed', { device: says('none', 2), message: plainMessage('device only') }),
    fact('apn', 'notExposed', { device: says('internet.old', 2), message: plainMessage('device only') }),
    fact('clock', 'agree', {
      device: says('10:41:07', 2),
      gateway: says('10:41:05', 2),
      tolerance: { id: 'clockS', value: 5, unit: 's' },
      apart: { value: 2, unit: 's' },
      message: plainMessage('2 s, at most 5 s')
    }),
    fact('imei', 'agree', {
      device: says('867698040023056', 2),
      gateway: says('867698040023056', 60),
      message: plainMessage('same')
    }),
    fact('distance', 'onlyGateway', {
      gateway: says('84120 km', 60),
      message: plainMessage('stored at the gateway only')
    })
  ]
}

/** All nine links in order, and nothing found. */
export const calm: Diagnosis = {
  ...brokenAtAddress,
  tone: 'pass',
  lastReport: { at: at(-4), ageS: 4, reportsWithinS: 300 },
  headline: null,
  brokenAt: null,
  chain: chainLinks.map((link) => step(link, 'ok')),
  facts: [fact('position', 'agree'), fact('clock', 'differ')]
}

export const clockBehind: Finding = {
  id: 'clockOff',
  sentence: plainMessage('The clock is 40 s behind.'),
  remedy: plainMessage('Wait for a fix.'),
  witness: 'device',
  readAt: at(-2),
  tone: 'warn',
  sinceAt: at(-3_600)
}

/** From the gateway's side alone, and nobody is signed in there. */
export const nobodyCanSay: Diagnosis = {
  ...brokenAtAddress,
  subject: { ...brokenAtAddress.subject, deviceKey: null },
  device: null,
  gateway: { state: 'signedOut', why: null, readAt: null, aheadS: null },
  lastReport: null,
  tone: 'unknown',
  headline: null,
  brokenAt: null,
  recorded: null,
  chain: chainLinks.map((link) => step(link, 'unknown', { witness: null, readAt: null })),
  facts: []
}
