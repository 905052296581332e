import type { Message, MessageValue } from '../../../preload/contract/messages.ts'

/** Characters that control a terminal or hide the direction of a text: C0, C1, invisible and bidirectional marks. */
const steering = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

function escape(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}

/** A text from outside (a name, an answer) as one harmless line. */
export function showLine(text: string): string {
  return text.replace(steering, escape)
}

/** The same for a text whose line breaks are our own. */
export function showLines(text: string): string {
  return text.split('\n').map(showLine).join('\n')
}

/** JSON escapes only characters below the space; the other control characters are escaped here. */
export function showJson(json: string): string {
  return json.replace(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join('')
  )
}

/** A message whose values cannot change the sentence around them. */
export function withShownValues({ id, values }: Message): Message {
  return { id, values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shownValue(value)])) }
}

function shownValue(value: MessageValue): MessageValue {
  if (typeof value === 'string') return showLine(value)
  if (typeof value === 'number') return value
  if (Array.isArray(value)) return value.map((one) => (typeof one === 'string' ? showLine(one) : withShownValues(one)))
  return withShownValues(value)
}
