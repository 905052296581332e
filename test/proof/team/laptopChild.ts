import fs from 'node:fs'
import { openProofLaptop, type LaptopFolder } from './laptops.ts'

/**
 * A laptop that works and pushes until it is killed. It says `KEPT <job> <hash>` when an entry is on its disk, and
 * `THERE` when the server has acknowledged all that was kept.
 */
const [order = '{}', seed = '1'] = process.argv.slice(2)
const laptop = openProofLaptop({ ...(JSON.parse(order) as LaptopFolder), seed: Number(seed) })
const say = (line: string): void => void fs.writeSync(1, `${line}\n`)
for (let round = 0; ; round++) {
  for (const { jobId, hashes } of await laptop.work(3)) for (const hash of hashes) say(`KEPT ${jobId} ${hash}`)
  if (round === 0) say('PUSHING')
  await laptop.push()
  say('THERE')
}
