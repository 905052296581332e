import type { Json } from '../../../preload/contract/define.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { formatQuantity, unitOf } from '../../../preload/base/messages/quantities.ts'
import { formatTime } from '../../../preload/base/messages/times.ts'
import type { Texts } from '../../base/messages/texts.ts'

/** "19 Nov 2026, 08:12:04 UTC", in the reader's language and time zone; a text that is no time stays as it is. */
export function formatStamp(iso: string, { settings }: Texts): string {
  return formatTime(iso, 'stamp', settings)
}

/** "0.4 s", "42 s", "1 min 34 s", "2 h 5 min"; a dash if it was not measured. */
export function formatDuration(durationMs: number | null, { settings }: Texts): string {
  return durationMs === null ? '–' : formatQuantity('S', durationMs / 1000, settings)
}

/** Limits as a person reads them: `{passM: 50}` is "apart at most 50 m", or 164 ft in imperial units. */
export function formatLimits(limits: Record<string, Json>, texts: Texts): string {
  return Object.entries(limits)
    .map(([name, value]) => texts.say(limitMessage(name, value, texts)))
    .join('; ')
}

function limitMessage(name: string, value: Json, texts: Texts): Message {
  const id = `limits.${name}`
  if (texts.has(id)) {
    if (typeof value === 'boolean') return { id, values: { [name]: value ? 'yes' : 'no' } }
    if (typeof value === 'number' || typeof value === 'string') return { id, values: { [name]: value } }
  }
  return message('limits.other', readName(name, value, texts))
}

/** A limit without a text in this version: its name in words, and its unit. */
function readName(name: string, value: Json, { settings }: Texts): { name: string; value: string } {
  const ending = typeof value === 'number' ? unitOf(name) : undefined
  // In the name of a limit it says minimum, not minutes.
  const unit = ending === 'Min' ? undefined : ending
  const bare = unit === undefined ? name : name.slice(0, -unit.length)
  const words = bare.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/ [A-Z](?![A-Z])/g, (start) => start.toLowerCase())
  if (unit !== undefined) return { name: words, value: formatQuantity(unit, value as number, settings) }
  return { name: words, value: typeof value === 'string' ? value : JSON.stringify(value) }
}
