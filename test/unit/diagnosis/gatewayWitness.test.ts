import { expect, it } from 'vitest'
import { createGatewayWitness, mostSubjects } from '../../../main/diagnosis/gatewayWitness.ts'
import type { DiagnosisGateway } from '../../../main/gateway/diagnosisGateway.ts'

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
    readEvents: () => Promise.resolve([]),
    aheadS: () => Promise.resolve(0),
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
  const witness = createGatewayWitness(gateway, (error) => faults.push(error), () => Date.UTC(2026, 10, 20))
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
