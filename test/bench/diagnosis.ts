import { benchBundle } from './diagnosis/bundle.ts'
import { benchEvents } from './diagnosis/events.ts'
import { benchFinding } from './diagnosis/finding.ts'

/**
 * npm run bench -- diagnosis [--quick] [bundle] [events] [finding]: a support bundle of 50 MB is opened, beside a bare
 * unpacking of it; the events explorer with 100,000 events of one vehicle in Chromium, beside a bare list of the same
 * rows; how soon the broken link of a vehicle is named, beside a bare reading of its device; `--quick`: less.
 */
const isQuick = process.argv.includes('--quick')
const chosen = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const isWanted = (part: string) => chosen.length === 0 || chosen.includes(part)
const say = (text: string) => process.stdout.write(`${text}\n`)

if (isWanted('events')) await benchEvents({ events: isQuick ? 20_000 : 100_000, rounds: isQuick ? 1 : 3, say })
if (isWanted('bundle')) await benchBundle({ megabytes: isQuick ? 10 : 50, rounds: isQuick ? 3 : 5, say })
if (isWanted('finding')) await benchFinding({ rounds: isQuick ? 1 : 5, say })
