import { describe, expect, it } from 'vitest'
import type { LinkVerdict } from '../../../../main/support/diagnosis/linkVerdict.ts'
import { viewEvidence, type EvidenceView } from '../../../../main/support/diagnosis/evidenceView.ts'
import { judgeAddress } from '../../../../main/support/diagnosis/links/address.ts'
import { judgeFix } from '../../../../main/support/diagnosis/links/fix.ts'
import { judgeGatewayEvent } from '../../../../main/support/diagnosis/links/gatewayEvent.ts'
import { judgePower } from '../../../../main/support/diagnosis/links/power.ts'
import { judgeRegistration } from '../../../../main/support/diagnosis/links/registration.ts'
import { judgeSim } from '../../../../main/support/diagnosis/links/sim.ts'
import { cardOf } from '../../../../main/device/client/radio/mobileNetwork.ts'
import { isWrongVehicle, judgeVehicle } from '../../../../main/support/diagnosis/links/vehicle.ts'
import { judgeVisible } from '../../../../main/support/diagnosis/links/visible.ts'
import type { Evidence, GatewayEvidence, SeenEvent } from '../../../../preload/contract/support/evidence.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import {
  at,
  device,
  event,
  fewMinutes,
  gateway,
  imei,
  kept,
  limits,
  nowMs,
  seen
} from '../../../world/data/bundles/diagnosisEvidence.ts'
import { english } from '../../../world/window/english.ts'

/** The whole verdict as text: state, witness, time of its reading, what a person reads, and what a button would do. */
function inWords({
  state,
  witness,
  readAt,
  short,
  sentence,
  detail,
  source,
  remedy,
  action,
  sinceAt
}: LinkVerdict): string {
  const read = readAt === null ? '' : readAt === at ? ' now' : ` ${readAt}`
  const more = [
    detail && english(detail),
    source && `(${english(source)})`,
    sinceAt && `since ${sinceAt.slice(11, 19)}`,
    remedy && `→ ${english(remedy)}`,
    action && JSON.stringify(Object.values(action))
  ].filter(Boolean)
  return [`${state} by ${witness ?? 'nobody'}${read}: ${english(short)}. ${english(sentence)}`, ...more].join(' ')
}

type Case = [what: string, evidence: Evidence, verdict: string]
const judged = (judge: (sight: EvidenceView) => LinkVerdict, evidence: Evidence): string =>
  inWords(judge(viewEvidence(evidence, limits)))

const ms = (agoS: number): number => nowMs - agoS * 1000
const line = (name: string, ...changes: [agoS: number, on: boolean][]) => ({
  name,
  changes: changes.map(([agoS, on]): [number, boolean] => [ms(agoS), on])
})
const lately = (...lines: ReturnType<typeof line>[]) => ({
  lately: { sinceAt: new Date(ms(300)).toISOString(), lines }
})
const io = (values: object, ...lines: ReturnType<typeof line>[]) =>
  device({ 'io.all': values }, lines.length > 0 ? lately(...lines) : {})
const modem = (values: object, others: Parameters<typeof device>[0] = {}) =>
  device({ 'modem.information': values, ...others })
const linesAt = (agoS: number, values: Record<string, boolean>) => ({
  lines: kept({ values, atMs: ms(agoS), raw: {} })
})
const silent = { events: kept<SeenEvent[]>([]), lines: null }
const started = (uptime: number) => ({ 'system.info': { uptime } })
const refusal = (status: number | null) => ({ status, why: plainMessage('No right.') })
const keepAlive = (agoS: number) => event(agoS, { type: 100, latitude: null, longitude: null, isPositionValid: null })

describe('Power', () => {
  const unsteady = line('PWR', [299, true], [40, false], [39, true], [20, false], [19, true])
  it.each<Case>([
    ['is there', seen({ device: device() }), 'ok by device now: present. External power is present.'],
    [
      'is gone, on the battery',
      seen({ device: io({ PWR: false }) }),
      'broken by device now: none. The device has no external power. The device runs on its internal battery (4.10 V) and stops reporting when the battery is empty. → Check the fuse, the permanent feed and the ground of the device. ["openPart","lines"]'
    ],
    [
      'is gone, the battery is not told',
      seen({ device: io({ PWR: false, BAT: undefined }) }),
      'broken by device now: none. The device has no external power. → Check the fuse, the permanent feed and the ground of the device. ["openPart","lines"]'
    ],
    [
      'is gone since a moment that was seen',
      seen({ device: io({ PWR: false }, line('PWR', [299, true], [10, false])) }),
      'broken by device now: none. The device has no external power. The device runs on its internal battery (4.10 V) and stops reporting when the battery is empty. since 09:59:50 → Check the fuse, the permanent feed and the ground of the device. ["openPart","lines"]'
    ],
    [
      'was never there',
      seen({ device: io({ PWR: false }, line('PWR', [299, false])) }),
      'broken by device now: none. The device has no external power. The device runs on its internal battery (4.10 V) and stops reporting when the battery is empty. → Check the fuse, the permanent feed and the ground of the device. ["openPart","lines"]'
    ],
    [
      'went with the key',
      seen({
        device: io({ PWR: false }, line('PWR', [299, true], [10, false]), line('IGN', [299, true], [10, false]))
      }),
      'broken by device now: none. The device has no external power. The device runs on its internal battery (4.10 V) and stops reporting when the battery is empty. since 09:59:50 → Power drops during cranking or with the key: it comes from a switched feed, or the ground is bad. Use the permanent feed. ["openPart","lines"]'
    ],
    [
      'went with the starter',
      seen({
        device: io(
          { PWR: false, IGN: true },
          line('PWR', [299, true], [10, false]),
          line('IGN', [299, false], [20, true]),
          line('TIG', [299, false], [8, true])
        )
      }),
      'broken by device now: none. The device has no external power. The device runs on its internal battery (4.10 V) and stops reporting when the battery is empty. since 09:59:50 → Power drops during cranking: the feed is switched, or the ground is bad. Use the permanent feed and a ground on bare metal. ["openPart","lines"]'
    ],
    [
      'has just gone',
      seen({ device: io({ PWR: false }, line('PWR', [299, true], [1.999, false])) }),
      'unknown by device now: not checked. External power has just dropped.'
    ],
    [
      'went two seconds ago',
      seen({ device: io({ PWR: false }, line('PWR', [299, true], [2, false])) }),
      'broken by device now: none. The device has no external power. The device runs on its internal battery (4.10 V) and stops reporting when the battery is empty. since 09:59:58 → Check the fuse, the permanent feed and the ground of the device. ["openPart","lines"]'
    ],
    [
      'was on when its lines were last recorded',
      seen({ device: io({ PWR: false }, line('PWR', [299, false], [50, true])) }),
      'unknown by device now: not checked. External power has just dropped.'
    ],
    [
      'has no recorded line',
      seen({ device: io({ PWR: false }, line('IGN', [299, false])) }),
      'unknown by device now: not checked. External power has just dropped.'
    ],
    [
      'drops',
      seen({ device: io({}, unsteady) }),
      'broken by device now: unstable. External power dropped 2 times in the last 60 s. → Look for a loose contact in the feed, the fuse holder or the ground. ["openPart","lines"]'
    ],
    [
      'drops, and has just gone again',
      seen({ device: io({ PWR: false }, line('PWR', [299, true], [40, false], [39, true], [1, false])) }),
      'broken by device now: unstable. External power dropped 2 times in the last 60 s. → Look for a loose contact in the feed, the fuse holder or the ground. ["openPart","lines"]'
    ],
    [
      'drops and is gone',
      seen({ device: io({ PWR: false }, line('PWR', [299, true], [40, false], [39, true], [10, false])) }),
      'broken by device now: none. The device has no external power. The device runs on its internal battery (4.10 V) and stops reporting when the battery is empty. since 09:59:50 → Check the fuse, the permanent feed and the ground of the device. ["openPart","lines"]'
    ],
    [
      'dropped once',
      seen({ device: io({}, line('PWR', [299, true], [40, false], [39, true])) }),
      'ok by device now: present. External power is present.'
    ],
    [
      'dropped twice, the first time just in the period',
      seen({ device: io({}, line('PWR', [299, true], [70, false], [60, true], [20, false], [19, true])) }),
      'broken by device now: unstable. External power dropped 2 times in the last 60 s. → Look for a loose contact in the feed, the fuse holder or the ground. ["openPart","lines"]'
    ],
    [
      'dropped twice, the first time before the period',
      seen({ device: io({}, line('PWR', [299, true], [70, false], [60.001, true], [20, false], [19, true])) }),
      'ok by device now: present. External power is present.'
    ],
    [
      'drops with the starter',
      seen({
        device: io(
          {},
          unsteady,
          line('IGN', [299, true]),
          line('TIG', [299, false], [38, true], [30, false], [18, true])
        )
      }),
      'ok by device now: present. External power is present.'
    ],
    [
      'drops with the key',
      seen({ device: io({}, unsteady, line('IGN', [299, false], [40, true], [39, false], [20, true], [19, false])) }),
      'broken by device now: unstable. External power dropped 2 times in the last 60 s. → Power drops during cranking or with the key: it comes from a switched feed, or the ground is bad. Use the permanent feed. ["openPart","lines"]'
    ],
    [
      'dropped with the key on, and the engine may still tell',
      seen({
        device: io(
          {},
          line('PWR', [299, true], [40, false], [39, true], [11, false], [9.999, true]),
          line('IGN', [299, false], [11, true])
        )
      }),
      'ok by device now: present. External power is present.'
    ],
    [
      'dropped with the key on, and the engine did not tell',
      seen({
        device: io(
          {},
          line('PWR', [299, true], [40, false], [39, true], [11, false], [10, true]),
          line('IGN', [299, true])
        )
      }),
      'broken by device now: unstable. External power dropped 2 times in the last 60 s. → Power drops during cranking or with the key: it comes from a switched feed, or the ground is bad. Use the permanent feed. ["openPart","lines"]'
    ],
    [
      'dropped with the key on, which is off now, and the engine may still tell',
      seen({
        device: io(
          {},
          line('PWR', [299, true], [40, false], [39, true], [11, false], [9, true]),
          line('IGN', [299, false], [12, true], [5, false])
        )
      }),
      'ok by device now: present. External power is present.'
    ],
    [
      'dropped with the key off, and the engine may still tell',
      seen({
        device: io(
          {},
          line('PWR', [299, true], [40, false], [39, true], [11, false], [9, true]),
          line('IGN', [299, true], [11, false])
        )
      }),
      'broken by device now: unstable. External power dropped 2 times in the last 60 s. → Power drops during cranking or with the key: it comes from a switched feed, or the ground is bad. Use the permanent feed. ["openPart","lines"]'
    ],
    [
      'is gone with the key on',
      seen({
        device: io(
          { PWR: false },
          line('PWR', [299, true], [40, false], [39, true], [5, false]),
          line('IGN', [299, true])
        )
      }),
      'broken by device now: none. The device has no external power. The device runs on its internal battery (4.10 V) and stops reporting when the battery is empty. since 09:59:55 → Power drops during cranking or with the key: it comes from a switched feed, or the ground is bad. Use the permanent feed. ["openPart","lines"]'
    ],
    [
      'was there for the gateway',
      seen({ gateway: gateway() }),
      'ok by gateway now: present. External power was present in the last report, 10 s ago.'
    ],
    [
      'was there for the gateway, in an old report',
      seen({ gateway: gateway(linesAt(301, { io_pwr: true })) }),
      'unknown by gateway now: not checked. The last report about external power (present) is 5 min 1 s old.'
    ],
    [
      'was there for the gateway, just fresh',
      seen({ gateway: gateway(linesAt(300, { io_pwr: true })) }),
      'ok by gateway now: present. External power was present in the last report, 5 min ago.'
    ],
    [
      'was there by a clock that is ahead',
      seen({ gateway: gateway(linesAt(-60, { io_pwr: true })) }),
      'ok by gateway now: present. External power was present in the last report, 0 s ago.'
    ],
    [
      'was there by a clock too far ahead',
      seen({ gateway: gateway(linesAt(-61, { io_pwr: true })) }),
      'unknown by gateway now: not checked. The last report about external power (present) is 0 s old.'
    ],
    [
      'was there by the clock of the gateway',
      seen({ gateway: gateway({ aheadS: 3_600, ...linesAt(-3_590, { io_pwr: true }) }) }),
      'ok by gateway now: present. External power was present in the last report, 10 s ago.'
    ],
    [
      'was gone for the gateway',
      seen({ gateway: gateway(linesAt(10, { io_pwr: false })) }),
      'broken by gateway now: none. The device had no external power in its last report, 10 s ago. → Check the fuse, the permanent feed and the ground of the device.'
    ],
    [
      'was gone by a clock that is ahead',
      seen({ gateway: gateway(linesAt(-60, { io_pwr: false })) }),
      'broken by gateway now: none. The device had no external power in its last report, 0 s ago. → Check the fuse, the permanent feed and the ground of the device.'
    ],
    [
      'was gone by a clock too far ahead',
      seen({ gateway: gateway({ ...linesAt(-61, { io_pwr: false }), events: kept([event(9_000)]) }) }),
      'unknown by gateway now: not checked. The last report about external power (missing) is 0 s old.'
    ],
    [
      'was gone with the last report',
      seen({ gateway: gateway({ ...linesAt(7_200, { io_pwr: false }), events: kept([event(7_141)]) }) }),
      'broken by gateway now: none. The device had no external power in its last report, 2 h ago. → Check the fuse, the permanent feed and the ground of the device.'
    ],
    [
      'was gone, and reports followed',
      seen({ gateway: gateway({ ...linesAt(7_200, { io_pwr: false }), events: kept([event(7_140)]) }) }),
      'unknown by gateway now: not checked. The last report about external power (missing) is 2 h old.'
    ],
    [
      'is not told by the lines of the gateway',
      seen({ gateway: gateway(linesAt(10, { io_ign: true })) }),
      'unknown by nobody: not checked. External power is unknown: not checked'
    ],
    [
      'has no time at the gateway',
      seen({ gateway: gateway({ lines: kept({ values: { io_pwr: true }, atMs: null, raw: {} }) }) }),
      'unknown by nobody: not checked. External power is unknown: not checked'
    ],
    [
      'is not shown by the gateway',
      seen({ gateway: gateway({ lines: kept(null) }) }),
      'unknown by nobody: not checked. External power is unknown: not checked'
    ],
    ['is not told by anybody', seen({}), 'unknown by nobody: not checked. External power is unknown: not checked'],
    [
      'is not told by the device, and by the gateway',
      seen({ device: io({ PWR: undefined }), gateway: gateway() }),
      'ok by gateway now: present. External power was present in the last report, 10 s ago.'
    ],
    [
      'is not told by the device alone',
      seen({ device: io({ PWR: undefined }) }),
      'unknown by nobody: not checked. External power is unknown: PWR: missing from the answer'
    ]
  ])('%s', (_, evidence, verdict) => {
    expect(judged(judgePower, evidence)).toBe(verdict)
  })
})

describe('SIM', () => {
  const out = { GSM_REG: '0', GPRS_REG: '0', IP: '' }
  it.each<Case>([
    ['ready', seen({ device: device() }), 'ok by device now: ready. The inserted SIM is ready.'],
    [
      'built in and in use',
      seen({ device: modem({ SIM_STATE: 'ABSENT', eSIM_STATE: 'READY', SIM_TYPE: ' embedded ' }) }),
      'ok by device now: ready. The built-in SIM is ready.'
    ],
    [
      'inserted and in use, although the built-in one is ready',
      seen({ device: modem({ ...out, SIM_STATE: 'ABSENT', eSIM_STATE: 'READY', SIM_TYPE: 'external' }) }),
      'broken by device now: none. There is no SIM in the device. The modem reports “ABSENT”. → Take the SIM out, check its contacts and insert it again. If there is none, insert the ordered SIM. ["openPart","network"]'
    ],
    [
      'not named: the one that is ready',
      seen({ device: modem({ SIM_STATE: 'ABSENT', eSIM_STATE: 'READY', SIM_TYPE: undefined }) }),
      'ok by device now: ready. The built-in SIM is ready.'
    ],
    [
      'not named: the inserted one of two that are ready',
      seen({ device: modem({ eSIM_STATE: 'READY', SIM_TYPE: undefined }) }),
      'ok by device now: ready. The inserted SIM is ready.'
    ],
    [
      'not named: the inserted one of two that are not',
      seen({ device: modem({ ...out, SIM_STATE: 'SIM PUK', eSIM_STATE: 'SIM PIN', SIM_TYPE: 'other' }) }),
      'broken by device now: needs PUK. The SIM is locked and needs its PUK. The modem reports “SIM PUK”. → Replace the SIM, or ask the SIM provider to unlock it. ["openPart","network"]'
    ],
    [
      'without a state',
      seen({ device: modem({ SIM_STATE: undefined }) }),
      'unknown by device now: not checked. The SIM state cannot be read: SIM_STATE: missing from the answer'
    ],
    [
      'built in, without a state',
      seen({ device: modem({ SIM_TYPE: 'EMBEDDED' }) }),
      'unknown by device now: not checked. The SIM state cannot be read: eSIM_STATE: missing from the answer'
    ],
    [
      'absent',
      seen({ device: modem({ ...out, SIM_STATE: 'ABSENT ' }) }),
      'broken by device now: none. There is no SIM in the device. The modem reports “ABSENT”. → Take the SIM out, check its contacts and insert it again. If there is none, insert the ordered SIM. ["openPart","network"]'
    ],
    [
      'that needs its PIN',
      seen({ device: modem({ ...out, SIM_STATE: 'SIM PIN' }) }),
      'broken by device now: needs PIN. The SIM needs a PIN. The modem reports “SIM PIN”. → Turn off the PIN of this SIM in a phone, or enter the PIN with the APN on the device’s network page. ["openPart","network"]'
    ],
    [
      'that is blocked',
      seen({ device: modem({ ...out, SIM_STATE: 'BLOCKED' }) }),
      'broken by device now: blocked. The SIM is blocked or defective. The modem reports “BLOCKED”. → Replace the SIM, or ask the SIM provider to unlock it. ["openPart","network"]'
    ],
    [
      'not ready',
      seen({ device: modem({ ...out, SIM_STATE: 'NOT READY' }) }),
      'broken by device now: not ready. The SIM is not ready. The modem reports “NOT READY”. → Take the SIM out, check its contacts and insert it again. If there is none, insert the ordered SIM. ["openPart","network"]'
    ],
    [
      'not ready, right after the start',
      seen({ device: modem({ ...out, SIM_STATE: 'NOT READY' }, started(299)) }),
      'unknown by device now: NOT READY. The modem reports the SIM state “NOT READY”, which is not documented.'
    ],
    [
      'not ready, some time after the start',
      seen({ device: modem({ ...out, SIM_STATE: 'NOT READY' }, started(300)) }),
      'broken by device now: not ready. The SIM is not ready. The modem reports “NOT READY”. → Take the SIM out, check its contacts and insert it again. If there is none, insert the ordered SIM. ["openPart","network"]'
    ],
    [
      'not ready, at an unknown time after the start',
      seen({ device: modem({ ...out, SIM_STATE: 'NOT READY' }, { 'system.info': null }) }),
      'broken by device now: not ready. The SIM is not ready. The modem reports “NOT READY”. → Take the SIM out, check its contacts and insert it again. If there is none, insert the ordered SIM. ["openPart","network"]'
    ],
    [
      'absent, right after the start',
      seen({ device: modem({ ...out, SIM_STATE: 'ABSENT' }, started(10)) }),
      'broken by device now: none. There is no SIM in the device. The modem reports “ABSENT”. → Take the SIM out, check its contacts and insert it again. If there is none, insert the ordered SIM. ["openPart","network"]'
    ],
    [
      'absent by its word, and in a network',
      seen({ device: modem({ SIM_STATE: 'ABSENT' }) }),
      'unknown by device now: ABSENT. The modem reports the SIM state “ABSENT”, which is not documented.'
    ],
    [
      'absent by its word, and roaming',
      seen({ device: modem({ SIM_STATE: 'ABSENT', GSM_REG: '5', GPRS_REG: '5' }) }),
      'unknown by device now: ABSENT. The modem reports the SIM state “ABSENT”, which is not documented.'
    ],
    [
      'absent, with an old address',
      seen({ device: modem({ SIM_STATE: 'ABSENT', GSM_REG: '0', GPRS_REG: '0' }) }),
      'broken by device now: none. There is no SIM in the device. The modem reports “ABSENT”. → Take the SIM out, check its contacts and insert it again. If there is none, insert the ordered SIM. ["openPart","network"]'
    ],
    [
      'absent, in a network without an address',
      seen({ device: modem({ SIM_STATE: 'ABSENT', IP: '' }) }),
      'broken by device now: none. There is no SIM in the device. The modem reports “ABSENT”. → Take the SIM out, check its contacts and insert it again. If there is none, insert the ordered SIM. ["openPart","network"]'
    ],
    [
      'with an unknown word',
      seen({ device: modem({ ...out, SIM_STATE: ' FROBNICATED SINCE LONG ' }) }),
      'unknown by device now: FROBNICATED SIN…. The modem reports the SIM state “FROBNICATED SINCE LONG”, which is not documented.'
    ],
    [
      'with an empty word',
      seen({ device: modem({ ...out, SIM_STATE: ' ' }) }),
      'unknown by device now: -. The modem reports the SIM state “-”, which is not documented.'
    ],
    [
      'proved by events',
      seen({ gateway: gateway() }),
      'ok by gateway now: works. An event arrived 9 s ago, so this link works.'
    ],
    [
      'known to the gateway',
      seen({ gateway: gateway(silent) }),
      'unknown by gateway now: not checked. The gateway knows the SIM (…0017). Only the device can show whether it works.'
    ],
    [
      'not known to the gateway',
      seen({ gateway: gateway({ ...silent, record: kept({ imei, simIds: [], raw: {} }) }) }),
      'unknown by nobody now: not checked. The SIM state is unknown: not checked'
    ],
    [
      'of a device without a record',
      seen({ gateway: gateway({ ...silent, record: kept(null) }) }),
      'unknown by nobody now: not checked. The SIM state is unknown: not checked'
    ],
    [
      'of a device whose record was not read',
      seen({ device: device({ 'modem.information': null }), gateway: gateway({ ...silent, record: null }) }),
      'unknown by nobody: not checked. The SIM state is unknown: not checked'
    ],
    ['of nobody', seen({}), 'unknown by nobody: not checked. The SIM state is unknown: not checked']
  ])('%s', (_, evidence, verdict) => {
    expect(judged(judgeSim, evidence)).toBe(verdict)
  })
})

describe('Registration', () => {
  const out = { GSM_REG: '0', GPRS_REG: '0', IP: '' }
  it.each<Case>([
    [
      'in a network',
      seen({ device: device() }),
      'ok by device now: LTE, −71 dBm. Registered on the mobile network: Test network LTE. Signal −71 dBm.'
    ],
    [
      'roaming',
      seen({ device: modem({ GSM_REG: '5', GPRS_REG: '5' }) }),
      'ok by device now: LTE, −71 dBm. Registered on the mobile network, roaming: Test network LTE. Signal −71 dBm.'
    ],
    [
      'without a name of the network',
      seen({ device: modem({ OPERATOR: undefined, RAT: undefined }) }),
      'ok by device now: −71 dBm. Registered on the mobile network: -. Signal −71 dBm.'
    ],
    [
      'with the kind of network alone',
      seen({ device: modem({ OPERATOR: undefined, RAT: ' LTE-Advanced ', RSSI: undefined }) }),
      'ok by device now: LTE-Ad. Registered on the mobile network: LTE-Advanced.'
    ],
    [
      'with blanks around the name of the network',
      seen({ device: modem({ OPERATOR: ' Test network ' }) }),
      'ok by device now: LTE, −71 dBm. Registered on the mobile network: Test network LTE. Signal −71 dBm.'
    ],
    [
      'without kind and signal',
      seen({ device: modem({ RAT: ' ', RSSI: undefined }) }),
      'ok by device now: registered. Registered on the mobile network: Test network.'
    ],
    [
      'with a signal that means nothing',
      seen({ device: modem({ RSSI: '99' }) }),
      'ok by device now: LTE. Registered on the mobile network: Test network LTE. The modem does not know its signal strength (99).'
    ],
    [
      'in words that are not documented',
      seen({ device: modem({ GSM_REG: 'frob', GPRS_REG: undefined }) }),
      'unknown by device now: not checked. The modem reports the registration as “frob”, “”, which is not documented. Signal −71 dBm.'
    ],
    [
      'for data alone, in words that are not documented',
      seen({ device: modem({ GSM_REG: undefined, GPRS_REG: 'frob', RSSI: undefined }) }),
      'unknown by device now: not checked. The modem reports the registration as “”, “frob”, which is not documented.'
    ],
    [
      'for data alone',
      seen({ device: modem({ GSM_REG: undefined }) }),
      'ok by device now: LTE, −71 dBm. Registered on the mobile network: Test network LTE. Signal −71 dBm.'
    ],
    [
      'for speech alone',
      seen({ device: modem({ GPRS_REG: undefined }) }),
      'ok by device now: LTE, −71 dBm. Registered on the mobile network: Test network LTE. Signal −71 dBm.'
    ],
    [
      'not told',
      seen({ device: modem({ GSM_REG: undefined, GPRS_REG: undefined }) }),
      'unknown by device now: not checked. The registration cannot be read: GSM_REG: missing from the answer'
    ],
    [
      'none',
      seen({ device: modem(out) }),
      'broken by device now: none. The device is not registered on a mobile network. Signal −71 dBm. → Check the mobile antenna and its plug, then the coverage, then whether the SIM is active. ["openPart","network"]'
    ],
    [
      'none, without a signal',
      seen({ device: modem({ ...out, RSSI: undefined }) }),
      'broken by device now: none. The device is not registered on a mobile network. → Check the mobile antenna and its plug, then the coverage, then whether the SIM is active. ["openPart","network"]'
    ],
    [
      'searching',
      seen({ device: modem({ GSM_REG: '2', GPRS_REG: '2', IP: '' }) }),
      'broken by device now: searching. The device finds no mobile network. Signal −71 dBm. → The device finds no network: check the GSM antenna and its plug. ["openPart","network"]'
    ],
    [
      'denied',
      seen({ device: modem({ GSM_REG: '3', GPRS_REG: '3', IP: '' }) }),
      'broken by device now: denied. The mobile network refuses this SIM. Signal −71 dBm. → The network refuses this SIM: it may be blocked or not activated. Check with the SIM provider. ["openPart","network"]'
    ],
    [
      'none, and an address',
      seen({ device: modem({ ...out, IP: '10.64.12.7' }) }),
      'unknown by device now: not checked. The modem reports no network, but has an IP address. The device is changing cells, or the status means something else. Signal −71 dBm.'
    ],
    [
      'denied, and an address',
      seen({ device: modem({ GSM_REG: '3', GPRS_REG: '3' }) }),
      'unknown by device now: not checked. The modem reports the registration as denied, but has an IP address. This is usual for a SIM without voice. Signal −71 dBm.'
    ],
    [
      'none, right after the start',
      seen({ device: modem(out, started(299.6)) }),
      'unknown by device now: not checked. The device started 5 min ago and is still searching for a network. Signal −71 dBm.'
    ],
    [
      'none, some time after the start',
      seen({ device: modem(out, started(300)) }),
      'broken by device now: none. The device is not registered on a mobile network. Signal −71 dBm. → Check the mobile antenna and its plug, then the coverage, then whether the SIM is active. ["openPart","network"]'
    ],
    [
      'none, at an unknown time after the start',
      seen({ device: modem(out, { 'system.info': null }) }),
      'broken by device now: none. The device is not registered on a mobile network. Signal −71 dBm. → Check the mobile antenna and its plug, then the coverage, then whether the SIM is active. ["openPart","network"]'
    ],
    [
      'denied, right after the start',
      seen({ device: modem({ GSM_REG: '3', GPRS_REG: '3', IP: '' }, started(20)) }),
      'broken by device now: denied. The mobile network refuses this SIM. Signal −71 dBm. → The network refuses this SIM: it may be blocked or not activated. Check with the SIM provider. ["openPart","network"]'
    ],
    [
      'proved by events',
      seen({
        gateway: gateway({ events: kept([event(10, { signalDbm: null }), event(20, { signalDbm: -80 }), event(30)]) })
      }),
      'ok by gateway now: −80 dBm. An event arrived 9 s ago, so this link works.'
    ],
    [
      'proved by events without a signal',
      seen({ gateway: gateway({ events: kept([event(10, { signalDbm: null })]) }) }),
      'ok by gateway now: works. An event arrived 9 s ago, so this link works.'
    ],
    [
      'of nobody',
      seen({ gateway: gateway(silent) }),
      'unknown by nobody: not checked. The mobile registration is unknown: not checked'
    ]
  ])('%s', (_, evidence, verdict) => {
    expect(judged(judgeRegistration, evidence)).toBe(verdict)
  })
})

describe('Address', () => {
  const apn = (value: unknown, ordered: string | null = 'fleet.example') =>
    seen({
      device: device({ 'modem.information': { IP: '' }, 'modem.configuration': { APN: value } }),
      expected: { apn: ordered, from: plainMessage('by the order') }
    })
  const ip = (text: string | undefined, others: Parameters<typeof device>[0] = {}) =>
    seen({ device: modem({ IP: text }, others) })
  it.each<Case>([
    ['assigned', ip('10.64.12.7'), 'ok by device now: 10.64.12.7. The network assigned the IP address 10.64.12.7.'],
    [
      'one of two assigned',
      ip('0.0.0.0,  fd00::2'),
      'ok by device now: fd00::2. The network assigned the IP address fd00::2.'
    ],
    [
      'none',
      ip(''),
      'broken by device now: none. Registered on the mobile network, but no IP address assigned. The device uses the APN internet.example. → Compare the APN with this SIM’s contract. ["openPart","network"]'
    ],
    [
      'none in quotes',
      ip(' "" '),
      'broken by device now: none. Registered on the mobile network, but no IP address assigned. The device uses the APN internet.example. → Compare the APN with this SIM’s contract. ["openPart","network"]'
    ],
    [
      'a word for none',
      ip('n/a'),
      'broken by device now: none. Registered on the mobile network, but no IP address assigned. The device uses the APN internet.example. → Compare the APN with this SIM’s contract. ["openPart","network"]'
    ],
    [
      'another word for none',
      ip('NA'),
      'broken by device now: none. Registered on the mobile network, but no IP address assigned. The device uses the APN internet.example. → Compare the APN with this SIM’s contract. ["openPart","network"]'
    ],
    [
      'dashes',
      ip('--'),
      'broken by device now: none. Registered on the mobile network, but no IP address assigned. The device uses the APN internet.example. → Compare the APN with this SIM’s contract. ["openPart","network"]'
    ],
    [
      'a number',
      ip('0'),
      'broken by device now: none. Registered on the mobile network, but no IP address assigned. The device uses the APN internet.example. → Compare the APN with this SIM’s contract. ["openPart","network"]'
    ],
    [
      'that no network assigns',
      ip('169.254.7.1'),
      'broken by device now: none. Registered on the mobile network, but no IP address assigned. The device uses the APN internet.example. → Compare the APN with this SIM’s contract. ["openPart","network"]'
    ],
    [
      'that no network assigns, of the new form',
      ip('FE80::1/64'),
      'broken by device now: none. Registered on the mobile network, but no IP address assigned. The device uses the APN internet.example. → Compare the APN with this SIM’s contract. ["openPart","network"]'
    ],
    [
      'a word with a word for none',
      ip('none yet'),
      'unknown by device now: not checked. The modem reports the address as “none yet”, which is not documented.'
    ],
    [
      'a word that ends like one for none',
      ip('undefinednone'),
      'unknown by device now: not checked. The modem reports the address as “undefinednone”, which is not documented.'
    ],
    [
      'a text that begins with an address',
      ip('1.2.3.4.5 (modem)'),
      'unknown by device now: not checked. The modem reports the address as “1.2.3.4.5 (modem)”, which is not documented.'
    ],
    [
      'a text that ends with an address',
      ip('modem 1.2.3.4.5'),
      'unknown by device now: not checked. The modem reports the address as “modem 1.2.3.4.5”, which is not documented.'
    ],
    [
      'a long text',
      ip(` ${'waiting '.repeat(9)}`),
      'unknown by device now: not checked. The modem reports the address as “waiting waiting waiting waiting waiting waiting waiting wait”, which is not documented.'
    ],
    [
      'not told',
      ip(undefined),
      'unknown by device now: not checked. The IP address cannot be read: IP: missing from the answer'
    ],
    [
      'none, right after the start',
      ip('', started(299.6)),
      'unknown by device now: not checked. The device started 5 min ago and has no IP address yet.'
    ],
    [
      'none, some time after the start',
      ip('', started(300)),
      'broken by device now: none. Registered on the mobile network, but no IP address assigned. The device uses the APN internet.example. → Compare the APN with this SIM’s contract. ["openPart","network"]'
    ],
    [
      'none, at an unknown time after the start',
      ip('', { 'system.info': null }),
      'broken by device now: none. Registered on the mobile network, but no IP address assigned. The device uses the APN internet.example. → Compare the APN with this SIM’s contract. ["openPart","network"]'
    ],
    [
      'none, with the ordered APN',
      apn(' FLEET.example '),
      'broken by device now: none. Registered on the mobile network, but no IP address assigned. The device uses the APN FLEET.example. → Compare the APN with this SIM’s contract. ["openPart","network"]'
    ],
    [
      'none, with the ordered APN, blanks around the order',
      apn('fleet.example', ' fleet.example '),
      'broken by device now: none. Registered on the mobile network, but no IP address assigned. The device uses the APN fleet.example. → Compare the APN with this SIM’s contract. ["openPart","network"]'
    ],
    [
      'none, with another APN',
      apn('other.example'),
      'broken by device now: none. Registered on the mobile network, but no IP address assigned. The device uses the APN other.example. This SIM was ordered with fleet.example. (by the order) → Set the APN to fleet.example. ["setApn","fleet.example"]'
    ],
    [
      'none, without an APN',
      apn(' '),
      'broken by device now: none. Registered on the mobile network, but no IP address assigned. The device has no APN. This SIM was ordered with fleet.example. (by the order) → Set the APN to fleet.example. ["setApn","fleet.example"]'
    ],
    [
      'none, without an APN and an order',
      apn('', null),
      'broken by device now: none. Registered on the mobile network, but no IP address assigned. The device has no APN. → Enter the APN from this SIM’s contract. ["openPart","network"]'
    ],
    [
      'none, with an APN that is not told',
      apn(undefined),
      'broken by device now: none. Registered on the mobile network, but no IP address assigned. → Compare the APN with this SIM’s contract. ["openPart","network"]'
    ],
    [
      'none, with an APN that was not read',
      seen({
        device: device({ 'modem.information': { IP: '' }, 'modem.configuration': null }),
        expected: { apn: 'fleet.example' }
      }),
      'broken by device now: none. Registered on the mobile network, but no IP address assigned. → Compare the APN with this SIM’s contract. ["openPart","network"]'
    ],
    [
      'none, with an APN and no order',
      apn('other.example', null),
      'broken by device now: none. Registered on the mobile network, but no IP address assigned. The device uses the APN other.example. → Compare the APN with this SIM’s contract. ["openPart","network"]'
    ],
    [
      'proved by events',
      seen({ gateway: gateway() }),
      'ok by gateway now: works. An event arrived 9 s ago, so this link works.'
    ],
    [
      'of nobody',
      seen({ gateway: gateway(silent) }),
      'unknown by nobody: not checked. The IP address is unknown: not checked'
    ]
  ])('%s', (_, evidence, verdict) => {
    expect(judged(judgeAddress, evidence)).toBe(verdict)
  })
})

describe('Events at the gateway', () => {
  const none: Partial<GatewayEvidence> = { events: kept<SeenEvent[]>([]), lines: null }
  const from = (agoS: number) => ({ eventsSinceAt: new Date(ms(agoS)).toISOString() })
  const regular = (...agesS: number[]) => kept(agesS.map((agoS) => event(agoS + 1)))
  const keyOn = (atGateway = true) => linesAt(300, { io_pwr: true, io_ign: atGateway })
  const rhythm = (events: GatewayEvidence['events'], isKeyOn = true, more: Partial<GatewayEvidence> = keyOn()) =>
    seen({ device: io({ IGN: isKeyOn }), gateway: gateway({ events, ...more }) })
  const noVehicle = { vehicle: kept(null) }
  const vehicleOf = (other: string | null) => ({
    vehicle: kept({ id: 7, name: 'Unit 0007', plate: null, groups: [1], imei: other })
  })
  const elsewhere = { elsewhere: kept({ id: 8, name: 'Unit 0008', plate: null }) }
  const staff = { user: kept({ name: 'support@example.com', isStaff: true, scopes: null, groups: null }) }
  it.each<Case>([
    ['arrive', seen({ gateway: gateway() }), 'ok by gateway now: 9 s ago. The gateway received a position 9 s ago.'],
    [
      'arrived just in time',
      seen({ gateway: gateway({ events: kept([event(301)]), lines: null }) }),
      'ok by gateway now: 5 min ago. The gateway received a position 5 min ago.'
    ],
    [
      'may pause',
      seen({ gateway: gateway({ events: kept([event(302)]), lines: null }) }),
      'unknown by gateway now: 5 min 1 s ago. The gateway last received data 5 min 1 s ago. This may be a pause between two reports.'
    ],
    [
      'may pause for half an hour',
      seen({ gateway: gateway({ events: kept([event(1_801)]), lines: null }) }),
      'unknown by gateway now: 30 min ago. The gateway last received data 30 min ago. This may be a pause between two reports.'
    ],
    [
      'are silent',
      seen({ rhythm: fewMinutes, gateway: gateway({ events: kept([event(1_802)]), lines: null }) }),
      'broken by gateway now: 30 min 1 s ago. No data from this device for 30 min 1 s. since 09:29:59 → Go to the vehicle with this IMEI. Power, SIM and antenna can only be checked there.'
    ],
    [
      'are silent with the key on',
      seen({ device: io({ IGN: true }), gateway: gateway({ events: kept([event(302)]), lines: null }) }),
      'broken by gateway now: 5 min 1 s ago. No data from this device for 5 min 1 s. The device itself has a network and an IP address. since 09:54:59 → The device is on a network, but no data arrives. Check the APN, and whether the device belongs to this gateway. ["openPart","network"]'
    ],
    [
      'are silent since a parked report',
      seen({
        device: modem({ IP: '' }),
        rhythm: fewMinutes,
        gateway: gateway({ events: kept([event(7_200)]), ...linesAt(7_200, { io_ign: false }) })
      }),
      'broken by gateway now: 2 h ago. No data from this device for 2 h. It was parked and reported every 7 min 30 s until then. since 08:00:01 → Connect to the device first. Its power, SIM and network can only be checked there.'
    ],
    [
      'are silent for over a day since a parked report, with a rhythm that is not known',
      seen({
        device: modem({ IP: '' }),
        gateway: gateway({ events: kept([event(90_000)]), ...linesAt(90_000, { io_ign: false }) })
      }),
      'broken by gateway now: 25 h ago. No data from this device for 25 h. The ignition was off then, and a parked device may report rarely. since 09:00:01 → Connect to the device first. Its power, SIM and network can only be checked there.'
    ],
    [
      'were two hours ago, with a rhythm that is not known',
      seen({ gateway: gateway({ events: kept([event(7_200)]), lines: null }) }),
      'unknown by gateway now: 2 h ago. The gateway last received data 2 h ago. This may be a pause between two reports.'
    ],
    [
      'were two hours ago, of a vehicle that reports each hour while it is parked',
      seen({
        rhythm: { driving: 30, parked: 3_600, unknown: null },
        gateway: gateway({ events: kept([event(7_200)]), ...linesAt(7_200, { io_ign: false }) })
      }),
      'ok by gateway now: 2 h ago. The gateway received a position 2 h ago.'
    ],
    [
      'are silent since a report with the key on',
      seen({
        device: modem({ IP: '' }),
        rhythm: fewMinutes,
        gateway: gateway({ events: kept([event(7_200)]), ...linesAt(7_200, { io_ign: true }) })
      }),
      'broken by gateway now: 2 h ago. No data from this device for 2 h. since 08:00:01 → Connect to the device first. Its power, SIM and network can only be checked there.'
    ],
    [
      'are silent, and the lines are not shown',
      seen({
        rhythm: fewMinutes,
        device: modem({ IP: '' }),
        gateway: gateway({ events: kept([event(7_200)]), lines: kept(null) })
      }),
      'broken by gateway now: 2 h ago. No data from this device for 2 h. since 08:00:01 → Connect to the device first. Its power, SIM and network can only be checked there.'
    ],
    [
      'were not read, and the lines are old',
      seen({ rhythm: fewMinutes, gateway: gateway({ events: null, ...linesAt(7_200, { io_ign: false }) }) }),
      'broken by gateway now: 2 h ago. No data from this device for 2 h. It was parked and reported every 7 min 30 s until then. since 08:00:00 → Go to the vehicle with this IMEI. Power, SIM and antenna can only be checked there.'
    ],
    [
      'were not read, nor was the vehicle',
      seen({ gateway: gateway({ events: null, lines: null, record: null, vehicle: null }) }),
      'unknown by nobody: not checked. The events cannot be read: The gateway has not answered yet.'
    ],
    [
      'of a device in its vehicle, and in no other',
      seen({ gateway: gateway({ ...none, elsewhere: kept(null) }) }),
      'broken by gateway now: none. No data from this device in the last 24 h. → Go to the vehicle with this IMEI. Power, SIM and antenna can only be checked there.'
    ],
    [
      'of a device that its vehicle does not have, nor another',
      seen({ gateway: gateway({ ...none, ...vehicleOf('356938035643809'), elsewhere: kept(null) }) }),
      'unknown by gateway now: not checked. The gateway stores events by vehicle and shows this device in no vehicle.'
    ],
    [
      'of a device whose vehicle was not read, and that is in no other',
      seen({ gateway: gateway({ ...none, vehicle: null, elsewhere: kept(null) }) }),
      'broken by gateway now: none. No data from this device in the last 24 h. → Go to the vehicle with this IMEI. Power, SIM and antenna can only be checked there.'
    ],
    [
      'that were buffered arrive',
      seen({ gateway: gateway({ events: kept([event(10), event(20), event(30, { type: 13 })]) }) }),
      'ok by gateway now: 9 s ago. The gateway received a position 9 s ago. The device is sending events that it buffered while offline.'
    ],
    [
      'that were buffered arrived before',
      seen({ gateway: gateway({ events: kept([event(10), event(20), event(30), event(40, { type: 13 })]) }) }),
      'ok by gateway now: 9 s ago. The gateway received a position 9 s ago.'
    ],
    [
      'stopped',
      rhythm(regular(61, 71, 81, 91, 101)),
      'broken by gateway now: 61 s ago. The device reported every 10 s, but no data has arrived for 61 s. since 09:58:59 → The device is on a network, but no data arrives. Check the APN, and whether the device belongs to this gateway.'
    ],
    [
      'stopped, just',
      rhythm(regular(45.5, 55.5, 65.5, 75.5, 85.5)),
      'broken by gateway now: 46 s ago. The device reported every 10 s, but no data has arrived for 46 s. since 09:59:14 → The device is on a network, but no data arrives. Check the APN, and whether the device belongs to this gateway.'
    ],
    [
      'did not stop yet',
      rhythm(regular(45, 55, 65, 75, 85)),
      'ok by gateway now: 45 s ago. The gateway received a position 45 s ago.'
    ],
    [
      'of a slow rhythm stopped',
      rhythm(regular(121, 151, 181, 211, 241)),
      'broken by gateway now: 2 min 1 s ago. The device reported every 30 s, but no data has arrived for 2 min 1 s. since 09:57:59 → The device is on a network, but no data arrives. Check the APN, and whether the device belongs to this gateway.'
    ],
    [
      'of a slow rhythm did not stop yet',
      rhythm(regular(120, 150, 180, 210, 240)),
      'ok by gateway now: 2 min ago. The gateway received a position 2 min ago.'
    ],
    [
      'came too irregularly',
      rhythm(regular(61, 71, 81, 91, 108)),
      'ok by gateway now: 61 s ago. The gateway received a position 61 s ago.'
    ],
    [
      'came nearly regularly',
      rhythm(regular(65, 75, 85, 95, 111)),
      'broken by gateway now: 65 s ago. The device reported every 16 s, but no data has arrived for 65 s. since 09:58:55 → The device is on a network, but no data arrives. Check the APN, and whether the device belongs to this gateway.'
    ],
    [
      'came irregularly within two seconds',
      rhythm(regular(61, 62, 63, 64, 67)),
      'broken by gateway now: 61 s ago. The device reported every 3 s, but no data has arrived for 61 s. since 09:58:59 → The device is on a network, but no data arrives. Check the APN, and whether the device belongs to this gateway.'
    ],
    [
      'came more irregularly than that',
      rhythm(regular(61, 62, 63, 64, 67.1)),
      'ok by gateway now: 61 s ago. The gateway received a position 61 s ago.'
    ],
    [
      'came at once',
      rhythm(regular(61, 61, 71, 81, 91)),
      'ok by gateway now: 61 s ago. The gateway received a position 61 s ago.'
    ],
    [
      'are too few for a rhythm',
      rhythm(regular(61, 71, 81, 91)),
      'ok by gateway now: 61 s ago. The gateway received a position 61 s ago.'
    ],
    [
      'of more than a rhythm were irregular before',
      rhythm(regular(61, 71, 81, 91, 101, 500)),
      'broken by gateway now: 61 s ago. The device reported every 10 s, but no data has arrived for 61 s. since 09:58:59 → The device is on a network, but no data arrives. Check the APN, and whether the device belongs to this gateway.'
    ],
    [
      'of other kinds make no rhythm',
      rhythm(kept([61, 71, 81, 91, 101].map((agoS) => event(agoS, { type: 11 })))),
      'ok by gateway now: 60 s ago. The gateway received a position 60 s ago.'
    ],
    [
      'without times make no rhythm',
      rhythm(
        kept([61, 71, 81, 91].map((agoS) => event(agoS)).concat(event(101, { arrivedAtMs: null, eventAtMs: null })))
      ),
      'ok by gateway now: 60 s ago. The gateway received a position 60 s ago.'
    ],
    [
      'stopped with the key off here',
      rhythm(regular(61, 71, 81, 91, 101), false),
      'ok by gateway now: 61 s ago. The gateway received a position 61 s ago.'
    ],
    [
      'stopped with the key off there',
      rhythm(regular(61, 71, 81, 91, 101), true, keyOn(false)),
      'ok by gateway now: 61 s ago. The gateway received a position 61 s ago.'
    ],
    [
      'stopped, and the lines are not shown there',
      rhythm(regular(61, 71, 81, 91, 101), true, { lines: kept(null) }),
      'ok by gateway now: 61 s ago. The gateway received a position 61 s ago.'
    ],
    [
      'came at nearly the same moment',
      rhythm(regular(61, 61, 61, 61, 62)),
      'ok by gateway now: 61 s ago. The gateway received a position 61 s ago.'
    ],
    [
      'stopped, and the gateway is away',
      rhythm(regular(61, 71, 81, 91, 101), true, { ...keyOn(), state: 'away' }),
      'ok by gateway now: 61 s ago. The gateway received a position 61 s ago.'
    ],
    [
      'are old, and the gateway is away',
      seen({ gateway: gateway({ state: 'away', events: kept([event(900)]), lines: null }) }),
      'unknown by gateway now: 14 min 59 s ago. The gateway could not be checked: The gateway does not answer. Check the internet connection.'
    ],
    [
      'are fresh, and the gateway is away',
      seen({ gateway: gateway({ state: 'away' }) }),
      'ok by gateway now: 9 s ago. The gateway received a position 9 s ago.'
    ],
    ['were not asked for', seen({ device: device() }), 'unknown by nobody: not checked. The gateway was not checked.'],
    [
      'of a gateway that is away',
      seen({ gateway: gateway({ ...none, state: 'away', why: plainMessage('No network.') }) }),
      'unknown by nobody: not checked. The gateway could not be checked: No network.'
    ],
    [
      'of nobody who is signed in',
      seen({ gateway: gateway({ ...none, state: 'signedOut' }) }),
      'unknown by nobody: not checked. You are signed out of the gateway.'
    ],
    [
      'are not there',
      seen({ gateway: gateway(none) }),
      'broken by gateway now: none. No data from this device in the last 24 h. → Go to the vehicle with this IMEI. Power, SIM and antenna can only be checked there.'
    ],
    [
      'are not there, by a device beside',
      seen({ device: modem({ IP: '' }), gateway: gateway(none) }),
      'broken by gateway now: none. No data from this device in the last 24 h. → Connect to the device first. Its power, SIM and network can only be checked there.'
    ],
    [
      'are not there, and the device has an address',
      seen({ device: device(), gateway: gateway(none) }),
      'broken by gateway now: none. No data from this device in the last 24 h. → The device is on a network, but no data arrives. Check the APN, and whether the device belongs to this gateway. ["openPart","network"]'
    ],
    [
      'are not there in half an hour',
      seen({ gateway: gateway({ ...none, ...from(1_800) }) }),
      'broken by gateway now: none. No data from this device in the last 30 min. → Go to the vehicle with this IMEI. Power, SIM and antenna can only be checked there.'
    ],
    [
      'are not there in a shorter time',
      seen({ gateway: gateway({ ...none, ...from(1_799) }) }),
      'unknown by gateway now: not checked. The gateway received no data from this device in the period that was checked.'
    ],
    [
      'are not there in an unknown time',
      seen({ gateway: gateway({ ...none, eventsSinceAt: null }) }),
      'unknown by gateway now: not checked. The gateway received no data from this device in the period that was checked.'
    ],
    [
      'were not read',
      seen({ gateway: gateway({ events: null, lines: null, record: null }) }),
      'unknown by nobody: not checked. The events cannot be read: The gateway has not answered yet.'
    ],
    [
      'were refused',
      seen({
        gateway: gateway({
          events: null,
          lines: null,
          record: null,
          refused: { events: refusal(401), record: { status: 403, why: plainMessage('No record.') } }
        })
      }),
      'unknown by nobody: not checked. The events cannot be read: No right.'
    ],
    [
      'were not read, and the record was refused',
      seen({
        gateway: gateway({
          events: null,
          lines: null,
          record: null,
          refused: { record: { status: 403, why: plainMessage('No record.') } }
        })
      }),
      'unknown by nobody: not checked. The events cannot be read: No record.'
    ],
    [
      'were not read, as there is no vehicle',
      seen({ gateway: gateway({ events: null, lines: null, record: null, ...noVehicle }) }),
      'unknown by nobody: not checked. The gateway does not show the vehicle, so its device is unknown.'
    ],
    [
      'of a device in no vehicle',
      seen({ gateway: gateway({ ...none, ...noVehicle }) }),
      'unknown by gateway now: not checked. The gateway stores events by vehicle and shows this device in no vehicle.'
    ],
    [
      'of a device in no vehicle are old',
      seen({ gateway: gateway({ ...noVehicle, events: kept([event(7_200)]), lines: null }) }),
      'unknown by gateway now: not checked. The gateway stores events by vehicle and shows this device in no vehicle.'
    ],
    [
      'of a device in no vehicle that was searched for',
      seen({ gateway: gateway({ ...none, ...vehicleOf(null), elsewhere: kept(null) }) }),
      'unknown by gateway now: not checked. The gateway stores events by vehicle and shows this device in no vehicle.'
    ],
    [
      'of a device in another vehicle',
      seen({ gateway: gateway({ ...none, ...vehicleOf('356938035643809'), ...elsewhere }) }),
      'broken by gateway now: none. No data from this device in the last 24 h. → Go to the vehicle with this IMEI. Power, SIM and antenna can only be checked there.'
    ],
    [
      'of a device whose vehicle has none, and no other was searched for',
      seen({ gateway: gateway({ ...none, ...vehicleOf(null) }) }),
      'broken by gateway now: none. No data from this device in the last 24 h. → Go to the vehicle with this IMEI. Power, SIM and antenna can only be checked there.'
    ],
    [
      'of a device whose vehicle was not read',
      seen({ gateway: gateway({ ...none, vehicle: null }) }),
      'broken by gateway now: none. No data from this device in the last 24 h. → Go to the vehicle with this IMEI. Power, SIM and antenna can only be checked there.'
    ],
    [
      'of a vehicle without a device',
      seen({ imei: null, gateway: gateway({ ...none, ...vehicleOf(null) }) }),
      'unknown by gateway now: not checked. The gateway stores events by vehicle and shows this device in no vehicle.'
    ],
    [
      'of a vehicle with a device',
      seen({ rhythm: fewMinutes, imei: null, gateway: gateway({ ...none, events: kept([event(7_200)]) }) }),
      'broken by gateway now: 2 h ago. No data from this device for 2 h. since 08:00:01 → Go to the vehicle with this IMEI. Power, SIM and antenna can only be checked there.'
    ],
    [
      'of no vehicle and no device',
      seen({ imei: null, gateway: gateway({ ...none, ...noVehicle }) }),
      'broken by gateway now: none. No data from this device in the last 24 h. → Go to the vehicle with this IMEI. Power, SIM and antenna can only be checked there.'
    ],
    [
      'that are not shown',
      seen({ gateway: gateway({ ...none, state: 'notShown' }) }),
      'unknown by gateway now: not checked. The gateway shows no data from this device. It never reported, or this user may not see it.'
    ],
    [
      'that are not shown to staff',
      seen({ gateway: gateway({ ...none, ...staff, state: 'notShown' }) }),
      'broken by gateway now: none. No data from this device in the last 24 h. → Go to the vehicle with this IMEI. Power, SIM and antenna can only be checked there.'
    ],
    [
      'of a device without a record',
      seen({ gateway: gateway({ ...none, record: kept(null) }) }),
      'unknown by gateway now: not checked. The gateway shows no data from this device. It never reported, or this user may not see it.'
    ],
    [
      'of a device without a record, for staff',
      seen({ gateway: gateway({ ...none, ...staff, record: kept(null) }) }),
      'broken by gateway now: none. No data from this device in the last 24 h. → Go to the vehicle with this IMEI. Power, SIM and antenna can only be checked there.'
    ],
    [
      'of a device without a record, for an unknown user',
      seen({ gateway: gateway({ ...none, user: null, record: kept(null) }) }),
      'unknown by gateway now: not checked. The gateway shows no data from this device. It never reported, or this user may not see it.'
    ],
    [
      'that do not name their device',
      seen({ gateway: gateway({ lines: null, record: null, events: kept([event(10, { imei: null })]) }) }),
      'unknown by gateway now: not checked. Events of this vehicle arrive, but they do not name their device.'
    ],
    [
      'of long ago that do not name their device',
      seen({ gateway: gateway({ lines: null, record: null, events: kept([event(90_000, { imei: null })]) }) }),
      'unknown by gateway now: not checked. Events of this vehicle arrive, but they do not name their device.'
    ],
    [
      'that do not name their device, after old ones that do',
      seen({ gateway: gateway({ lines: null, events: kept([event(1_801, { imei: null }), event(7_200)]) }) }),
      'unknown by gateway now: 2 h ago. Events of this vehicle arrive, but they do not name their device.'
    ],
    [
      'that do not name their device, as old as those that do',
      seen({
        rhythm: fewMinutes,
        gateway: gateway({ lines: null, events: kept([event(1_802, { imei: null }), event(7_200)]) })
      }),
      'broken by gateway now: 2 h ago. No data from this device for 2 h. since 08:00:01 → Go to the vehicle with this IMEI. Power, SIM and antenna can only be checked there.'
    ],
    [
      'without a time that do not name their device',
      seen({
        rhythm: fewMinutes,
        gateway: gateway({
          lines: null,
          events: kept([event(10, { imei: null, arrivedAtMs: null, eventAtMs: null }), event(7_200)])
        })
      }),
      'broken by gateway now: 2 h ago. No data from this device for 2 h. since 08:00:01 → Go to the vehicle with this IMEI. Power, SIM and antenna can only be checked there.'
    ]
  ])('%s', (_, evidence, verdict) => {
    expect(judged(judgeGatewayEvent, evidence)).toBe(verdict)
  })
})

describe('Position', () => {
  const receiver = (
    extras: object | undefined,
    coords: object | undefined = { latitude: 47.4, longitude: 8.5 },
    others: Parameters<typeof device>[0] = {}
  ) => device({ 'gps.position': { extras, coords }, ...others })
  const events = (...list: SeenEvent[]) => gateway({ events: kept(list) })
  const invalid = { isPositionValid: false }
  const empty = { type: 20, latitude: null, longitude: null, isPositionValid: null }
  const three = [10, 20, 30].map(keepAlive)
  it.each<Case>([
    ['found', seen({ device: device() }), 'ok by device now: 11 satellites. The receiver has a position.'],
    [
      'found, satellites not told',
      seen({ device: receiver({ fix: 2 }) }),
      'ok by device now: present. The receiver has a position.'
    ],
    [
      'none',
      seen({ device: receiver({ fix: 0 }) }),
      'broken by device now: none. The receiver has no position. → Move the vehicle outdoors. Check that the antenna is plugged in and has a clear view of the sky. ["openPart","position"]'
    ],
    [
      'none, with satellites',
      seen({ device: receiver({ fix: -1, satsActive: 1 }) }),
      'broken by device now: none. The receiver has no position. 1 satellite in use. → Move the vehicle outdoors. Check that the antenna is plugged in and has a clear view of the sky. ["openPart","position"]'
    ],
    [
      'none, right after the start',
      seen({ device: receiver({ fix: 0 }, undefined, started(179.6)) }),
      'unknown by device now: not checked. The device started 3 min ago and is still searching for satellites.'
    ],
    [
      'none, some time after the start',
      seen({ device: receiver({ fix: 0 }, undefined, started(180)) }),
      'broken by device now: none. The receiver has no position. → Move the vehicle outdoors. Check that the antenna is plugged in and has a clear view of the sky. ["openPart","position"]'
    ],
    [
      'none, at an unknown time after the start',
      seen({ device: receiver({ fix: 0 }, undefined, { 'system.info': null }) }),
      'broken by device now: none. The receiver has no position. → Move the vehicle outdoors. Check that the antenna is plugged in and has a clear view of the sky. ["openPart","position"]'
    ],
    [
      'at zero',
      seen({ device: receiver({ fix: 3 }, { latitude: 0, longitude: 0 }) }),
      'broken by device now: at zero. The device reports latitude 0, longitude 0, so it has no position. → Move the vehicle outdoors. Check that the antenna is plugged in and has a clear view of the sky. ["openPart","position"]'
    ],
    [
      'on the equator',
      seen({ device: receiver({ fix: 3 }, { latitude: 0, longitude: 8.5 }) }),
      'ok by device now: present. The receiver has a position.'
    ],
    [
      'without a latitude',
      seen({ device: receiver({ fix: 3 }, { longitude: 8.5 }) }),
      'unknown by device now: not checked. The position cannot be read: coords.latitude: missing from the answer'
    ],
    [
      'without a longitude',
      seen({ device: receiver({ fix: 3 }, { latitude: 47.4 }) }),
      'unknown by device now: not checked. The position cannot be read: coords.longitude: missing from the answer'
    ],
    [
      'without coordinates',
      seen({ device: device({ 'gps.position': { extras: { fix: 3 }, coords: undefined } }) }),
      'unknown by device now: not checked. The position cannot be read: coords.latitude: missing from the answer'
    ],
    [
      'without a fix',
      seen({ device: receiver({}) }),
      'unknown by device now: not checked. The position cannot be read: extras.fix: missing from the answer'
    ],
    [
      'without extras',
      seen({ device: receiver(undefined) }),
      'unknown by device now: not checked. The position cannot be read: extras.fix: missing from the answer'
    ],
    ['of nobody', seen({}), 'unknown by nobody: not checked. The position is unknown: not checked'],
    [
      'of a receiver that was not read',
      seen({ device: device({ 'gps.position': null }) }),
      'unknown by nobody: not checked. The position is unknown: not checked'
    ],
    [
      'at the gateway',
      seen({ gateway: gateway() }),
      'ok by gateway now: 11 satellites. A valid position arrived 9 s ago.'
    ],
    [
      'at the gateway, satellites not told',
      seen({ gateway: events(event(10, { satellites: null })) }),
      'ok by gateway now: valid. A valid position arrived 9 s ago.'
    ],
    [
      'at the gateway, while it cannot be asked',
      seen({ gateway: gateway({ state: 'away' }) }),
      'unknown by nobody: not checked. The position is unknown: not checked'
    ],
    [
      'at a gateway whose events were not read',
      seen({ gateway: gateway({ events: null }) }),
      'unknown by nobody: not checked. The position is unknown: not checked'
    ],
    [
      'not valid at the gateway',
      seen({ gateway: events(event(10, invalid), event(20, invalid)) }),
      'broken by gateway now: none. No valid GPS position in the last 2 events. → Move the vehicle outdoors. Check that the antenna is plugged in and has a clear view of the sky.'
    ],
    [
      'empty at the gateway, and valid before',
      seen({ gateway: events(event(10, empty), event(20, empty), event(30)) }),
      'broken by gateway now: none. No GPS position in the last 2 events. since 09:59:40 → Move the vehicle outdoors. Check that the antenna is plugged in and has a clear view of the sky.'
    ],
    [
      'without one in the latest event alone',
      seen({ gateway: events(event(10, invalid), event(20)) }),
      'unknown by gateway now: not checked. The latest event has no position; the earlier ones had one.'
    ],
    [
      'without one in the only event of the receiver',
      seen({ gateway: events(event(10, empty), keepAlive(20)) }),
      'unknown by nobody: not checked. The position is unknown: not checked'
    ],
    [
      'without one in the only event',
      seen({ gateway: events(event(10, empty)) }),
      'broken by gateway now: none. No GPS position in the last event. → Move the vehicle outdoors. Check that the antenna is plugged in and has a clear view of the sky.'
    ],
    [
      'not valid at the gateway, and found by the receiver',
      seen({ device: device(), gateway: events(event(10, invalid), event(20, invalid)) }),
      'ok by device now: 11 satellites. The receiver has a position.'
    ],
    [
      'valid at the gateway, and not found by the receiver',
      seen({ device: receiver({ fix: 0 }), gateway: gateway() }),
      'broken by device now: none. The receiver has no position. → Move the vehicle outdoors. Check that the antenna is plugged in and has a clear view of the sky. ["openPart","position"]'
    ],
    [
      'not found by the receiver, and not arriving',
      seen({ device: receiver({ fix: 0 }), gateway: events(...three) }),
      'broken by device now: none. The receiver has no position. → Move the vehicle outdoors. Check that the antenna is plugged in and has a clear view of the sky. ["openPart","position"]'
    ],
    [
      'not valid at the gateway, beside a keep-alive',
      seen({ gateway: events(event(10, invalid), event(20, invalid), keepAlive(30)) }),
      'broken by gateway now: none. No valid GPS position in the last 2 events. → Move the vehicle outdoors. Check that the antenna is plugged in and has a clear view of the sky.'
    ],
    [
      'not told by duplicates',
      seen({ gateway: events(...[10, 20, 30].map((agoS) => event(agoS, { type: 301 }))) }),
      'unknown by nobody: not checked. The position is unknown: not checked'
    ],
    [
      'valid at the gateway, and not told by the receiver',
      seen({ device: receiver({}), gateway: gateway() }),
      'ok by gateway now: 11 satellites. A valid position arrived 9 s ago.'
    ],
    [
      'not arriving, although the receiver has one',
      seen({ device: device(), gateway: events(...three) }),
      'broken by gateway now: no positions. The device is connected, but sends only keep-alives and no position. → Check the GPS antenna and its plug. If the device itself shows a position, check its reporting configuration.'
    ],
    [
      'not arriving',
      seen({ gateway: events(...three) }),
      'broken by gateway now: no positions. The device is connected, but sends only keep-alives and no position. → Check the GPS antenna and its plug. If the device itself shows a position, check its reporting configuration.'
    ],
    [
      'not arriving in two keep-alives',
      seen({ gateway: events(...three.slice(1)) }),
      'unknown by nobody: not checked. The position is unknown: not checked'
    ],
    [
      'not arriving in old keep-alives',
      seen({ gateway: events(keepAlive(10), keepAlive(20), keepAlive(1_802)) }),
      'unknown by nobody: not checked. The position is unknown: not checked'
    ],
    [
      'not arriving in keep-alives of half an hour',
      seen({ gateway: events(keepAlive(10), keepAlive(20), keepAlive(1_801)) }),
      'broken by gateway now: no positions. The device is connected, but sends only keep-alives and no position. → Check the GPS antenna and its plug. If the device itself shows a position, check its reporting configuration.'
    ],
    [
      'not arriving, keep-alives neither',
      seen({ gateway: gateway({ lines: null, events: kept([301.5, 310, 320].map((agoS) => keepAlive(agoS + 1))) }) }),
      'unknown by nobody: not checked. The position is unknown: not checked'
    ],
    [
      'old, just',
      seen({ gateway: events(...three, event(1_802)) }),
      'unknown by gateway now: not checked. The device is connected. Its last position is 30 min 1 s old; a parked device may report rarely.'
    ],
    [
      'not yet old',
      seen({ gateway: events(...three, event(1_801)) }),
      'ok by gateway now: 11 satellites. A valid position arrived 30 min ago.'
    ],
    [
      'old with the key on there',
      seen({ gateway: gateway({ events: kept([...three, event(7_200)]), ...linesAt(10, { io_ign: true }) }) }),
      'broken by gateway now: no positions. The device is connected and the ignition is on, but no position has arrived for 2 h. since 08:00:00 → Check the GPS antenna and its plug. If the device itself shows a position, check its reporting configuration.'
    ],
    [
      'old with the key on here',
      seen({
        device: device({ 'io.all': { IGN: true }, 'gps.position': null }),
        gateway: events(...three, event(7_200))
      }),
      'broken by gateway now: no positions. The device is connected and the ignition is on, but no position has arrived for 2 h. since 08:00:00 → Check the GPS antenna and its plug. If the device itself shows a position, check its reporting configuration.'
    ],
    [
      'old with the key off here, on there',
      seen({
        device: device({ 'io.all': { IGN: false }, 'gps.position': null }),
        gateway: gateway({ events: kept([...three, event(7_200)]), ...linesAt(10, { io_ign: true }) })
      }),
      'unknown by gateway now: not checked. The device is connected. Its last position is 2 h old; a parked device may report rarely.'
    ],
    [
      'old, the key not told',
      seen({ gateway: gateway({ events: kept([...three, event(7_200)]), lines: null }) }),
      'unknown by gateway now: not checked. The device is connected. Its last position is 2 h old; a parked device may report rarely.'
    ],
    [
      'old, the key not told by lines that are not shown',
      seen({ gateway: gateway({ events: kept([...three, event(7_200)]), lines: kept(null) }) }),
      'unknown by gateway now: not checked. The device is connected. Its last position is 2 h old; a parked device may report rarely.'
    ],
    [
      'of an unknown time',
      seen({ gateway: events(...three, event(10, { arrivedAtMs: null, eventAtMs: null })) }),
      'unknown by nobody: not checked. The position is unknown: not checked'
    ]
  ])('%s', (_, evidence, verdict) => {
    expect(judged(judgeFix, evidence)).toBe(verdict)
  })
})

describe('Vehicle', () => {
  const of = (other: string | null, more: Partial<GatewayEvidence> = {}, plate: string | null = null) =>
    gateway({ vehicle: kept({ id: 7, name: 'Unit 0007 with a long name', plate, groups: [1], imei: other }), ...more })
  const other = '356938035643809'
  const elsewhere = { elsewhere: kept({ id: 8, name: 'Unit 0008', plate: 'AB 8' }) }
  const stay = (device: string, fromAt: string | null, untilAt: string | null) => ({ imei: device, fromAt, untilAt })
  const stays = {
    stays: [
      stay('861234500000001', '2026-11-19T10:00:00.000Z', '2026-11-20T08:00:00.000Z'),
      stay(other, '2026-11-20T09:00:00.000Z', null)
    ]
  }
  const nowhere = { vehicle: kept(null), events: kept<SeenEvent[]>([]) }
  const staff = { user: kept({ name: 'support@example.com', isStaff: true, scopes: null, groups: null }) }
  const cases: [string, Evidence, string, boolean][] = [
    [
      'with this device',
      seen({ gateway: of(imei) }),
      'ok by gateway now: Unit 0007 with …. Unit 0007 with a long name has this device.',
      false
    ],
    [
      'with this device, and a plate',
      seen({ gateway: of(imei, {}, 'AB 7') }),
      'ok by gateway now: Unit 0007 with …. Unit 0007 with a long name, AB 7 has this device.',
      false
    ],
    [
      'with any device, where none is meant',
      seen({ imei: null, gateway: of(other) }),
      'ok by gateway now: Unit 0007 with …. Unit 0007 with a long name has this device.',
      false
    ],
    [
      'with another device',
      seen({ gateway: of(other) }),
      'broken by gateway now: another device. At the gateway Unit 0007 with a long name has another device (…643809). → Check that this is the right vehicle. If it is, your gateway administrator must assign this device to it. ["openVehicle",7]',
      true
    ],
    [
      'with another device since a known time, and this one elsewhere',
      seen({ gateway: of(other, { ...elsewhere, ...stays }) }),
      'broken by gateway now: another device. At the gateway Unit 0007 with a long name has another device (…643809). At the gateway this device is in Unit 0008, AB 8. since 09:00:00 → Check that this is the right vehicle. If it is, your gateway administrator must assign this device to it. ["openVehicle",7]',
      true
    ],
    [
      'with another device than the one that answers',
      seen({ device: device(), gateway: of(other) }),
      'broken by both now: another device. At the gateway Unit 0007 with a long name has another device (…643809). → Check that this is the right vehicle. If it is, your gateway administrator must assign this device to it. ["openVehicle",7]',
      true
    ],
    [
      'with another device than the one that is away',
      seen({ device: device({}, { state: 'away' }), gateway: of(other) }),
      'broken by gateway now: another device. At the gateway Unit 0007 with a long name has another device (…643809). → Check that this is the right vehicle. If it is, your gateway administrator must assign this device to it. ["openVehicle",7]',
      true
    ],
    [
      'without a device',
      seen({ gateway: of(null) }),
      'broken by gateway now: none. At the gateway Unit 0007 with a long name has no device. → Assign the device to the vehicle at the gateway, or ask your gateway administrator. ["linkVehicle",7,"867698040023056"]',
      false
    ],
    [
      'without a device, of which none is meant',
      seen({ imei: null, gateway: of(null) }),
      'broken by gateway now: none. At the gateway Unit 0007 with a long name has no device. → Assign the device to the vehicle at the gateway, or ask your gateway administrator.',
      false
    ],
    [
      'without a device since a known time',
      seen({ gateway: of(null, stays) }),
      'broken by gateway now: none. At the gateway Unit 0007 with a long name has no device. Its last device ends in 000001. since 08:00:00 → Assign the device to the vehicle at the gateway, or ask your gateway administrator. ["linkVehicle",7,"867698040023056"]',
      false
    ],
    [
      'without a device since an unknown time',
      seen({ gateway: of(null, { stays: [stay(other, null, null)] }) }),
      'broken by gateway now: none. At the gateway Unit 0007 with a long name has no device. Its last device ends in 643809. → Assign the device to the vehicle at the gateway, or ask your gateway administrator. ["linkVehicle",7,"867698040023056"]',
      false
    ],
    [
      'without a device, and this one elsewhere',
      seen({ gateway: of(null, { ...elsewhere, ...stays }) }),
      'broken by gateway now: none. At the gateway this device is in Unit 0008, AB 8, not in Unit 0007 with a long name. Its last device ends in 000001. → Check that this is the right vehicle. If it is, your gateway administrator must assign this device to it. ["linkVehicle",7,"867698040023056"]',
      true
    ],
    [
      'without a device, and this one nowhere',
      seen({ gateway: of(null, { elsewhere: kept(null) }) }),
      'broken by gateway now: none. At the gateway Unit 0007 with a long name has no device. → Assign the device to the vehicle at the gateway, or ask your gateway administrator. ["linkVehicle",7,"867698040023056"]',
      false
    ],
    [
      'of no device at all',
      seen({ gateway: gateway(nowhere) }),
      'broken by gateway now: none. The gateway shows this device, but no vehicle with it. → Ask your gateway administrator to assign this device to the vehicle.',
      false
    ],
    [
      'of no device at all, for staff',
      seen({ gateway: gateway({ ...nowhere, ...staff }) }),
      'broken by gateway now: none. At the gateway this device is in no vehicle. → Ask your gateway administrator to assign this device to the vehicle.',
      false
    ],
    [
      'of a device without a record',
      seen({ gateway: gateway({ ...nowhere, record: kept(null) }) }),
      'unknown by gateway now: not checked. The gateway does not show which vehicle has this device.',
      false
    ],
    [
      'of a device whose record was not read',
      seen({ gateway: gateway({ ...nowhere, record: null }) }),
      'unknown by gateway now: not checked. The gateway does not show which vehicle has this device.',
      false
    ],
    [
      'of a device without a record, for staff',
      seen({ gateway: gateway({ ...nowhere, ...staff, record: kept(null) }) }),
      'broken by gateway now: none. At the gateway this device is in no vehicle. → Ask your gateway administrator to assign this device to the vehicle.',
      false
    ],
    [
      'of a device without a record, for an unknown user',
      seen({ gateway: gateway({ ...nowhere, user: null, record: null }) }),
      'unknown by gateway now: not checked. The gateway does not show which vehicle has this device.',
      false
    ],
    [
      'that the events name',
      seen({ gateway: gateway({ ...nowhere, ...staff, events: kept([event(10)]) }) }),
      'unknown by gateway now: not checked. The gateway does not show which vehicle has this device.',
      false
    ],
    [
      'that the events do not name',
      seen({ gateway: gateway({ ...nowhere, ...staff, events: kept([event(10, { vehicleId: null })]) }) }),
      'broken by gateway now: none. At the gateway this device is in no vehicle. → Ask your gateway administrator to assign this device to the vehicle.',
      false
    ],
    [
      'that nobody meant',
      seen({ imei: null, gateway: gateway(nowhere) }),
      'unknown by gateway now: not checked. The gateway does not show the vehicle, so its device is unknown.',
      false
    ],
    [
      'that was searched by its name',
      seen({ vehicleText: 'Unit', gateway: gateway(nowhere) }),
      'unknown by gateway now: not checked. The gateway does not show the vehicle, so its device is unknown.',
      false
    ],
    [
      'that was refused',
      seen({ gateway: gateway({ vehicle: null, refused: { vehicle: refusal(403) } }) }),
      'unknown by nobody: not checked. No right.',
      false
    ],
    [
      'that was not read',
      seen({ gateway: gateway({ vehicle: null }) }),
      'unknown by nobody: not checked. The gateway has not answered yet.',
      false
    ],
    [
      'of a gateway that was not asked',
      seen({}),
      'unknown by nobody: not checked. The gateway was not checked.',
      false
    ],
    [
      'of a gateway that is away',
      seen({ gateway: gateway({ state: 'away', vehicle: null }) }),
      'unknown by nobody: not checked. The gateway could not be checked: The gateway does not answer. Check the internet connection.',
      false
    ],
    [
      'of a gateway that is away, and answered before',
      seen({ gateway: of(imei, { state: 'away' }) }),
      'ok by gateway now: Unit 0007 with …. Unit 0007 with a long name has this device.',
      false
    ]
  ]
  it.each(cases)('%s', (_, evidence, verdict, isWrong) => {
    expect(judged(judgeVehicle, evidence)).toBe(verdict)
    expect(isWrongVehicle(viewEvidence(evidence, limits))).toBe(isWrong)
  })
})

describe('Access', () => {
  const user = (scopes: Record<string, string> | null, isStaff = false) => ({
    user: { value: { name: 'support@example.com', isStaff, scopes, groups: [1] }, readAt: '2026-11-20T09:59:00.000Z' }
  })
  const hidden = { vehicle: kept(null) }
  it.each<Case>([
    [
      'to all',
      seen({ gateway: gateway() }),
      'ok by gateway now: support. support@example.com sees the vehicle and its events.'
    ],
    [
      'by another name',
      seen({ gateway: gateway({ user: kept({ name: 'support', isStaff: false, scopes: null, groups: null }) }) }),
      'ok by gateway now: support. support sees the vehicle and its events.'
    ],
    [
      'of an unknown user',
      seen({ gateway: gateway({ user: null }) }),
      'ok by gateway now: valid. - sees the vehicle and its events.'
    ],
    [
      'without events, by a missing right',
      seen({ gateway: gateway({ ...user({ vehicles: 'r' }), refused: { events: refusal(401) } }) }),
      'broken by gateway 2026-11-20T09:59:00.000Z: right missing. support@example.com lacks the right “rawdata”, so this user sees no data. → Ask your gateway administrator for the right “rawdata”. ["askAdministrator","support@example.com","rawdata",null]'
    ],
    [
      'without events, for an unknown reason',
      seen({ gateway: gateway({ refused: { events: refusal(403) } }) }),
      'broken by gateway now: not shown. support@example.com may not read the events of this vehicle (403). → Ask your gateway administrator for the right “rawdata”. ["askAdministrator","support@example.com","rawdata",403]'
    ],
    [
      'without events, for staff',
      seen({ gateway: gateway({ ...user({ vehicles: 'r' }, true), refused: { events: refusal(404) } }) }),
      'broken by gateway 2026-11-20T09:59:00.000Z: not shown. support@example.com may not read the events of this vehicle (404). → Ask your gateway administrator to add the vehicle to one of this user’s groups. ["askAdministrator","support@example.com",null,404]'
    ],
    [
      'without events, of an unknown user',
      seen({ gateway: gateway({ user: null, refused: { events: refusal(404) } }) }),
      'broken by gateway now: not shown. This account may not read the events of this vehicle (404). → Ask your gateway administrator to add the vehicle to one of this user’s groups. ["askAdministrator",null,null,404]'
    ],
    [
      'with rights that are not told',
      seen({ gateway: gateway({ ...user(null), refused: { events: refusal(403) } }) }),
      'broken by gateway 2026-11-20T09:59:00.000Z: not shown. support@example.com may not read the events of this vehicle (403). → Ask your gateway administrator for the right “rawdata”. ["askAdministrator","support@example.com","rawdata",403]'
    ],
    [
      'with an empty list of rights',
      seen({ gateway: gateway({ ...user({}), refused: { events: refusal(403) } }) }),
      'broken by gateway 2026-11-20T09:59:00.000Z: not shown. support@example.com may not read the events of this vehicle (403). → Ask your gateway administrator for the right “rawdata”. ["askAdministrator","support@example.com","rawdata",403]'
    ],
    [
      'to events that failed otherwise',
      seen({ gateway: gateway({ refused: { events: refusal(500) } }) }),
      'ok by gateway now: support. support@example.com sees the vehicle and its events.'
    ],
    [
      'to events that failed without a status',
      seen({ gateway: gateway({ refused: { events: refusal(null) } }) }),
      'ok by gateway now: support. support@example.com sees the vehicle and its events.'
    ],
    [
      'to no vehicle, by a missing right',
      seen({ gateway: gateway({ ...hidden, ...user({ rawdata: 'r' }) }) }),
      'broken by gateway 2026-11-20T09:59:00.000Z: right missing. support@example.com lacks the right “vehicles”, so this user sees no data. → Ask your gateway administrator for the right “vehicles”. ["askAdministrator","support@example.com","vehicles",null]'
    ],
    [
      'to no vehicle, refused',
      seen({ gateway: gateway({ vehicle: null, refused: { vehicle: refusal(403) } }) }),
      'broken by gateway now: not shown. support@example.com may not read vehicles (403). → Ask your gateway administrator for the right “vehicles”. ["askAdministrator","support@example.com","vehicles",403]'
    ],
    [
      'to no vehicle, failed',
      seen({ gateway: gateway({ vehicle: null, refused: { vehicle: refusal(500) } }) }),
      'unknown by gateway now: not checked. No right.'
    ],
    [
      'to no vehicle yet',
      seen({ gateway: gateway({ vehicle: null }) }),
      'unknown by gateway now: not checked. The gateway has not answered yet.'
    ],
    [
      'to no vehicle yet, of an unknown user',
      seen({ gateway: gateway({ vehicle: null, user: null }) }),
      'unknown by gateway: not checked. The gateway has not answered yet.'
    ],
    [
      'to no vehicle of this name',
      seen({ vehicleText: 'Unit 9', gateway: gateway(hidden) }),
      'broken by gateway now: not shown. This user cannot see a vehicle “Unit 9”. Either it does not exist, or it is in none of the user’s groups. → Check the name. If it is right, ask your gateway administrator to add the vehicle to one of this user’s groups.'
    ],
    [
      'to no vehicle of this device',
      seen({ gateway: gateway({ ...hidden, user: null }) }),
      'broken by gateway now: not shown. This user cannot see the device or its vehicle. Either they do not exist, or they are in none of the user’s groups. → Ask your gateway administrator to add the vehicle to one of this user’s groups. ["askAdministrator",null,null,null]'
    ],
    ['that was not asked for', seen({}), 'unknown by nobody: not checked. The gateway was not checked.'],
    [
      'of nobody who is signed in',
      seen({ gateway: gateway({ state: 'signedOut' }) }),
      'unknown by nobody: not checked. You are signed out of the gateway. ["signInGateway"]'
    ],
    [
      'while the gateway is away',
      seen({ gateway: gateway({ state: 'away' }) }),
      'unknown by nobody: not checked. The gateway could not be checked: The gateway does not answer. Check the internet connection.'
    ]
  ])('%s', (_, evidence, verdict) => {
    expect(judged(judgeVisible, evidence)).toBe(verdict)
  })
})

it('the card in use is named without blanks, or not named', () => {
  expect(cardOf({ SIM_ID: ' 89 ', SIM_STATE: 'READY' })).toEqual({ id: '89', state: 'READY', kind: 'external' })
  expect(cardOf({ eSIM_ID: ' 89 ', SIM_TYPE: 'EMBEDDED' })).toEqual({ id: '89', state: undefined, kind: 'embedded' })
  expect(cardOf({ SIM_TYPE: 'EXTERNAL' })).toEqual({ id: undefined, state: undefined, kind: 'external' })
})
