import { benchEvents } from './diagnosis/events.ts'

/**
 * npm run bench -- diagnosis [--quick] [events]: the events explorer with 100,000 events of one vehicle in Chromium, beside a
 * bare list of the same rows; `--quick`: 20,000.
 */
const isQuick = process.argv.includes('--quick')
const chosen = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const isWanted = (part: string) => chosen.length === 0 || chosen.includes(part)
const say = (text: string) => process.stdout.write(`${text}\n`)

if (isWanted('events')) await benchEvents({ events: isQuick ? 20_000 : 100_000, rounds: isQuick ? 1 : 3, say })
