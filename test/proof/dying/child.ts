import fs from 'node:fs'
import { AppError } from '../../../preload/contract/errors.ts'
import { openTools, type GatewayAccess } from './tools.ts'
import { transactions } from './transactions.ts'

/**
 * A process that does every core transaction once a round, as soon as a line comes on stdin, and says of each what a
 * person would be told: `KEPT <transaction> <round>` or `TOLD <transaction> <round> <code> <sentence>`. What was not
 * kept is tried once more, as a person does.
 */
const [folder = '', first = '1', access = '{}'] = process.argv.slice(2)
const gateway = JSON.parse(access) as GatewayAccess
const tools = openTools(folder, gateway)
// The threads that write files are there before anybody counts what they do.
await fs.promises.stat(folder)
fs.writeSync(1, 'READY\n')
fs.readSync(0, Buffer.alloc(16))
for (let round = Number(first); round < Number(first) + gateway.rounds; round++) {
  for (const index of transactions.keys()) {
    if (!(await attempt(index, round)) && !isThere(index, round)) await attempt(index, round)
  }
}
fs.writeSync(1, 'END\n')
process.kill(process.pid, 'SIGKILL')

async function attempt(index: number, round: number): Promise<boolean> {
  try {
    await transactions[index]?.perform(tools, round)
    fs.writeSync(1, `KEPT ${index} ${round}\n`)
    return true
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    fs.writeSync(1, `TOLD ${index} ${round} ${error.code} ${error.sentence.id}\n`)
    return false
  }
}

/** Whoever is told that it is not known looks before they do it again. */
function isThere(index: number, round: number): boolean {
  try {
    return transactions[index]?.look(tools, round) === 'whole'
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
