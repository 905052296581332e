import { expect, test } from 'vitest'
import { createGatewayWitness, type WitnessPort } from '../../../main/workspace/gatewayWitness.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'

const imei = '867698040023056'

function open() {
  const asked: string[] = []
  let nowMs = 1_000_000
  let isAway = false
  function answer<T>(what: string, value: T): Promise<T> {
    asked.push(what)
    return isAway ? Promise.reject(new AppError('UNREACHABLE', plainMessage('Nothing answers.'), { retryable: true })) : Promise.resolve(value)
  }
  const port: WitnessPort = {
    findDevice: () => answer('device', { imei, simIds: ['8957000000000000001'], raw: null }),
    findSim: () => answer('sim', null),
    findVehicleOfDevice: () => answer('vehicle', { id: 7, name: 'Unit 0007', plate: null }),
    readLines: () => answer('lines', { values: new Map(), atMs: nowMs, ageS: 0, raw: null }),
    readEvents: () => answer('events', []),
    readDistance: () => answer('distance', 1_000)
  }
  const witness = createGatewayWitness(port, () => nowMs)
  return {
    witness,
    look: () => witness.look(imei, '8957000000000000001', (error) => expect(error).toBeUndefined()),
    go: (ms: number) => (nowMs += ms),
    setAway: (away: boolean) => (isAway = away),
    /** What was asked since the last time. */
    asked: () => asked.splice(0)
  }
}

test('a gateway is asked for what changes every 15 s, and for what seldom does every 10 min, however often somebody looks', async () => {
  const { look, go, asked } = open()
  expect((await look()).gateway.state).toBe('answers')
  expect(asked()).toEqual(['device', 'lines', 'vehicle', 'events', 'distance'])
  for (let times = 0; times < 4; times++) {
    go(3_000)
    await look()
  }
  expect(asked()).toEqual([])
  go(3_000)
  await look()
  expect(asked()).toEqual(['lines', 'events'])
  go(600_000)
  await look()
  expect(asked()).toEqual(['device', 'lines', 'vehicle', 'events', 'distance'])
})

test('a gateway that does not answer is left alone for 30 s, and what it said stays', async () => {
  const { look, go, asked, setAway } = open()
  await look()
  setAway(true)
  go(15_000)
  const away = await look()
  expect(away.gateway).toEqual({ state: 'away', why: plainMessage('Nothing answers.') })
  expect(away.vehicle?.value?.name).toBe('Unit 0007')
  asked()
  go(29_000)
  await look()
  expect(asked()).toEqual([])
  setAway(false)
  go(1_000)
  expect((await look()).gateway.state).toBe('answers')
})

test('what another gateway said is forgotten', async () => {
  const { look, asked, witness } = open()
  await look()
  asked()
  witness.forget()
  await look()
  expect(asked()).toContain('device')
})
