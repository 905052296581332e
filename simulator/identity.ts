import { createRandom } from './random.ts'

/** Identities of simulated devices: valid in form, obviously made up, and the same for the same seed. */
export interface SimulatedIdentity {
  imei: string
  iccid: string
  imsi: string
  mac: string
}

/** Unit number `index` (0..999) of the run with this seed. */
export function makeIdentity(seed: number, index: number, digitsOfSim: 19 | 20 = 20): SimulatedIdentity {
  const random = createRandom(seed * 7919 + 1)
  const batch = Math.floor(random() * 10000)
  const serial = batch * 1000 + (index % 1000)
  return {
    imei: withCheckDigit(`8612340${String(serial).padStart(7, '0')}`),
    iccid: withCheckDigit(`8900110${String(serial).padStart(digitsOfSim - 8, '0')}`),
    imsi: `00101${String(serial).padStart(10, '0')}`,
    mac: ['02', '5f', ...String(serial).padStart(8, '0').match(/../g)!].join(':')
  }
}

/** Credentials of the simulated devices; the name says that they protect nothing. */
export function makeCredentials(seed: number): { user: string; password: string } {
  const random = createRandom(seed * 104729 + 7)
  return { user: 'trainee', password: `not-a-secret-${String(Math.floor(random() * 10000)).padStart(4, '0')}` }
}

/** The number with its check digit (Luhn), as an IMEI and the number of a SIM end. */
export function withCheckDigit(body: string): string {
  const sum = [...body].reverse().reduce((total, letter, index) => {
    const weighted = index % 2 === 0 ? Number(letter) * 2 : Number(letter)
    return total + (weighted > 9 ? weighted - 9 : weighted)
  }, 0)
  return body + String((10 - (sum % 10)) % 10)
}
