import { IntlMessageFormat } from 'intl-messageformat'
import { writtenWords, type Message, type MessageValue } from '../../contract/messages.ts'
import { placeholdersOf, type Placeholder } from './placeholders.ts'
import { formatNumber, formatQuantity, unitOf } from './quantities.ts'
import { localeOf, type ReaderSettings } from './settings.ts'
import { formatTime, timeOptions } from './times.ts'

interface Compiled {
  format: IntlMessageFormat
  placeholders: Map<string, Placeholder>
}

/** Makes the text of messages for one reader. `find` returns the text of an id in the reader's language. */
export function createFormatter(
  settings: ReaderSettings,
  find: (id: string) => string | undefined
): (message: Message) => string {
  const { language, timeZone } = settings
  const day = timeOptions('day', timeZone)
  const styles = {
    date: { short: day, medium: day },
    time: { short: timeOptions('time', timeZone), medium: timeOptions('timeWithSeconds', timeZone) }
  }
  const compiled = new Map<string, Compiled>()
  const lists = new Intl.ListFormat(localeOf(language), { type: 'conjunction' })

  function compile(id: string): Compiled | undefined {
    const text = find(id)
    if (text === undefined) return undefined
    const format = new IntlMessageFormat(text, localeOf(language), styles, { ignoreTag: true })
    const made = { format, placeholders: placeholdersOf(format.getAst()) }
    compiled.set(id, made)
    return made
  }

  function print(name: string, value: MessageValue): string {
    if (Array.isArray(value)) return lists.format(value.map((part) => (typeof part === 'string' ? part : say(part))))
    if (typeof value === 'object') return say(value)
    if (typeof value === 'string') return printText(name, value)
    const unit = unitOf(name)
    return unit === undefined ? formatNumber(value, language) : formatQuantity(unit, value, settings)
  }

  function printText(name: string, value: string): string {
    if (/[a-z0-9]At$/.test(name)) return formatTime(value, 'dayAndTime', settings)
    // A day has no time zone.
    if (/[a-z0-9]On$/.test(name)) return formatTime(value, 'day', { language, timeZone: 'UTC' })
    return value
  }

  function say(message: Message): string {
    const written = writtenWords(message, language)
    if (written !== undefined) return written
    const text = compiled.get(message.id) ?? compile(message.id)
    if (!text) return foreign(message)
    const given: Record<string, string | number | Date> = {}
    for (const [name, { use }] of text.placeholders) {
      const value = message.values[name]
      const fitting = value === undefined ? undefined : fit(name, value, use)
      // From another version of Fitter: show what is known of it.
      if (fitting === undefined) return foreign(message)
      given[name] = fitting
    }
    return String(text.format.format(given))
  }

  function fit(name: string, value: MessageValue, use: Placeholder['use']): string | number | Date | undefined {
    if (use === 'printed') return print(name, value)
    if (use === 'choice') return typeof value === 'string' ? value : undefined
    if (use === 'number') return typeof value === 'number' ? value : undefined
    const moment = typeof value === 'string' ? new Date(value) : undefined
    return moment && !Number.isNaN(moment.getTime()) ? moment : undefined
  }

  function foreign({ id, values }: Message): string {
    const parts = Object.entries(values).map(([name, value]) => `${name}: ${print(name, value)}`)
    return parts.length === 0 ? id : `${id} (${parts.join(', ')})`
  }

  return say
}
