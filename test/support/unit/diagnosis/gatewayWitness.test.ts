import { describe, expect, it } from 'vitest'
import { createGatewayWitness, mostSubjects } from '../../../../main/support/diagnosis/gatewayWitness.ts'
import { gatewayParts } from '../../../../preload/contract/support/evidence.ts'
import { findBeside } from '../../../../main/support/diagnosis/findings.ts'
import { event, imei, limits, seen } from '../../../world/data/bundles/diagnosisEvidence.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import type { DiagnosisGateway } from '../../../../main/gateway/client/diagnosisGateway.ts'

/** Shows nothing, and notes of which device the lines were asked. */
function emptyGateway(): { gateway: DiagnosisGateway; asked: string[] } {
  const asked: string[] = []
  const none = () => Promise.resolve(null)
  const gateway: DiagnosisGateway = {
    readUser: () => Promise.resolve({ name: 'user', isStaff: false, scopes: null, groups: null }),
    findCarrier: () => Promise.resolve({ vehicle: null, isSure: true }),
    readVehicle: none,
    readRecord: none,
    readSim: none,
    readEngineBus: none,
    readDistance: none,
    readRestingOn: none,
    readEvents: () => Promise.resolve([]),
    aheadS: () => Promise.resolve(0),
    username: () => Promise.resolve('user'),
    readLines(imei) {
      asked.push(imei)
      return Promise.resolve(null)
    }
  }
  return { gateway, asked }
}

const imeiOf = (n: number) => String(861_200_000_000_000 + n)

it('keeps what a gateway said of so many subjects, and lets go of the one that was asked about longest ago', async () => {
  const { gateway, asked } = emptyGateway()
  const faults: unknown[] = []
  const witness = createGatewayWitness(
    gateway,
    (error) => faults.push(error),
    () => Date.UTC(2026, 10, 20)
  )
  const ask = (n: number) => witness.look({ vehicleId: null, imei: imeiOf(n), simId: undefined }, 60_000)
  for (let n = 0; n < mostSubjects; n++) await ask(n)
  // It was asked about again: now the second one is the oldest.
  await ask(0)
  await ask(mostSubjects)
  expect(asked).toHaveLength(mostSubjects + 1)
  asked.length = 0
  for (const n of [0, 2, mostSubjects]) await ask(n)
  expect(asked).toEqual([])
  await ask(1)
  expect(asked).toEqual([imeiOf(1)])
  expect(faults).toEqual([])
})

it('vehicle, SIM and rights are asked for again while somebody looks, and at once where everything is asked for', async () => {
  let nowMs = Date.UTC(2026, 10, 20)
  const asked: string[] = []
  const note =
    <T>(name: string, value: T) =>
    () => (asked.push(name), Promise.resolve(value))
  const vehicle = { id: 7, name: 'Unit 7', plate: null, groups: null, imei: imeiOf(1) }
  const gateway = {
    ...emptyGateway().gateway,
    readUser: note('user', { name: 'user', isStaff: false, scopes: null, groups: null }),
    readVehicle: note('vehicle', { vehicle, stays: [] }),
    readRecord: note('record', { imei: imeiOf(1), simIds: ['8957'], raw: null }),
    readSim: note('sim', { raw: null })
  }
  const witness = createGatewayWitness(
    gateway,
    (error) => expect.unreachable(String(error)),
    () => nowMs
  )
  const subject = { vehicleId: 7, imei: imeiOf(1), simId: undefined }
  const after = async (ms: number) => {
    asked.length = 0
    nowMs += ms
    await witness.look(subject, 60_000)
    return [...asked].sort()
  }
  expect(await after(0)).toEqual(['record', 'sim', 'user', 'vehicle'])
  expect(await after(11_000)).toEqual([])
  expect(await after(1_000)).toEqual(['vehicle'])
  expect(await after(48_000)).toEqual(['record', 'sim', 'user', 'vehicle'])
  witness.askAgain(subject, gatewayParts)
  expect(await after(1)).toEqual(['record', 'sim', 'user', 'vehicle'])
})

it('a limit of the gateway is no verdict: what was heard stays, it is said in words, and it is asked again when the limit ends', async () => {
  let nowMs = Date.UTC(2026, 10, 20)
  const { gateway, asked } = emptyGateway()
  const sentence = message('gateway.keptForJobs', { waitS: 40 })
  let isLimited = true
  const limited: DiagnosisGateway = {
    ...gateway,
    readUser: () =>
      isLimited
        ? Promise.reject(
            new AppError('RATE_LIMITED', sentence, { retryable: true, fate: 'notSent', retryAtMs: nowMs + 40_000 })
          )
        : gateway.readUser(new AbortController().signal)
  }
  const faults: unknown[] = []
  const witness = createGatewayWitness(
    limited,
    (error) => faults.push(error),
    () => nowMs
  )
  const look = async () => (await witness.look({ vehicleId: null, imei: imeiOf(1), simId: undefined }, 60_000)).evidence
  expect(await look()).toMatchObject({ state: 'asking', why: sentence })
  isLimited = false
  asked.length = 0
  nowMs += 30_000
  expect(await look()).toMatchObject({ state: 'asking', why: sentence })
  expect(asked).toEqual([])
  nowMs += 15_000
  const { state, why } = await look()
  expect([state, why]).toEqual(['notShown', null])
  isLimited = true
  nowMs += 11 * 60_000
  expect((await look()).state).toBe('notShown')
  expect(faults).toEqual([])
})

describe('Events with a wrong date that arrive now are found, whatever the date is', () => {
  const nowMs = Date.parse('2026-11-20T10:00:00Z')
  const weekMs = 7 * 86_400_000

  it.each<[string, number, string]>([
    ['1,024 weeks back', nowMs - 1_024 * weekMs, 'eventsRolled'],
    ['2,048 weeks back', nowMs - 2_048 * weekMs, 'eventsRolled'],
    ['1,024 weeks ahead', nowMs + 1_024 * weekMs, 'eventsRolled'],
    ['1970', 86_400_000, 'eventsMisdated'],
    ['the GPS epoch', nowMs - 315_964_782_000, 'eventsByGpsEpoch'],
    ['2000', Date.parse('2000-01-01'), 'eventsMisdated'],
    ['2004', Date.parse('2004-02-29'), 'eventsMisdated'],
    ['2005', Date.parse('2005-06-01'), 'eventsMisdated'],
    ['2019', Date.parse('2019-04-07'), 'eventsMisdated'],
    ['2027', Date.parse('2027-03-01'), 'eventsMisdated'],
    ['2038', Date.parse('2038-01-19'), 'eventsMisdated'],
    ['32 days back', nowMs - 32 * 86_400_000, 'eventsMisdated']
  ])('%s', async (_name, dateMs, finding) => {
    const dated = [10, 70, 130].map((agoS) => event(agoS, { eventAtMs: dateMs - agoS * 1000, raw: { id: agoS } }))
    const vehicle = { id: 7, name: 'Unit 0007', plate: null, groups: null, imei }
    const witness = createGatewayWitness(
      {
        ...emptyGateway().gateway,
        readVehicle: () => Promise.resolve({ vehicle, stays: [] }),
        readRecord: () => Promise.resolve({ imei, simIds: [], raw: null }),
        // By the time of the event, as the simulated gateway.
        readEvents: ({ fromMs, toMs, tail }) =>
          Promise.resolve(
            dated.filter(({ eventAtMs }) => (eventAtMs ?? 0) >= fromMs && (eventAtMs ?? 0) <= toMs).slice(0, tail)
          )
      },
      (error) => expect.unreachable(String(error)),
      () => nowMs
    )
    const { evidence } = await witness.look({ vehicleId: 7, imei, simId: undefined }, 60_000)
    expect(findBeside(seen({ gateway: evidence }), limits).map(({ id }) => id)).toEqual([finding])
  })

  it('a gateway that refuses to search years still shows the rest', async () => {
    const vehicle = { id: 7, name: 'Unit 0007', plate: null, groups: null, imei }
    const witness = createGatewayWitness(
      {
        ...emptyGateway().gateway,
        readVehicle: () => Promise.resolve({ vehicle, stays: [] }),
        readEvents: ({ fromMs, toMs }) =>
          toMs - fromMs > 5 * 365 * 86_400_000 && fromMs > 0 && toMs <= nowMs
            ? Promise.reject(new AppError('TIMEOUT', message('gateway.away'), { retryable: true }))
            : Promise.resolve(fromMs < nowMs - 86_400_000 && toMs > nowMs - 7 * 86_400_000 ? [event(3 * 86_400)] : [])
      },
      (error) => expect.unreachable(String(error)),
      () => nowMs
    )
    const { evidence } = await witness.look({ vehicleId: 7, imei, simId: undefined }, 60_000)
    expect([evidence.state, evidence.events?.value.length]).toEqual(['answers', 1])
  })
})

it.each<[string, boolean, number, boolean]>([
  ['on and rests', true, 0, true],
  ['on and drives', true, 60, false],
  ['off', false, 0, false]
])('the day of an ignition is read only while it is %s', async (_name, isOn, speedKmh, isRead) => {
  const vehicle = { id: 7, name: 'Unit 0007', plate: null, groups: null, imei }
  const nowMs = Date.parse('2026-11-20T10:00:00Z')
  const witness = createGatewayWitness(
    {
      ...emptyGateway().gateway,
      readVehicle: () => Promise.resolve({ vehicle, stays: [] }),
      readLines: () => Promise.resolve({ values: { io_ign: isOn }, atMs: nowMs, raw: {} }),
      readEvents: () => Promise.resolve([event(10, { speedKmh })]),
      readRestingOn: () => Promise.resolve(nowMs - 86_000_000)
    },
    (error) => expect.unreachable(String(error)),
    () => nowMs
  )
  const { evidence } = await witness.look({ vehicleId: 7, imei, simId: undefined }, 60_000)
  expect(evidence.restingOn?.value ?? null).toBe(isRead ? nowMs - 86_000_000 : null)
})
