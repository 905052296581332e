import type { Message } from '../../../preload/contract/messages.ts'

/** For `--json`: each message becomes its text, with `{id, values}` beside it as `message` or `<field>Message(s)`. */
export function putTextsBeside(value: unknown, say: (message: Message) => string): unknown {
  if (isMessage(value)) return say(value)
  if (Array.isArray(value)) return value.map((one) => putTextsBeside(one, say))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value)
  const isAlone = fields.filter(([, field]) => isMessage(field)).length === 1
  const shown: [string, unknown][] = []
  for (const [name, field] of fields) {
    shown.push([name, putTextsBeside(field, say)])
    if (isMessage(field)) shown.push([isAlone ? 'message' : `${name}Message`, field])
    else if (Array.isArray(field) && field.length > 0 && field.every(isMessage)) shown.push([`${name}Messages`, field])
  }
  return Object.fromEntries(shown)
}

/**
 * Raw answers of devices and gateways appear beside messages: only an object with exactly the form of a message is a
 * message.
 */
function isMessage(value: unknown): value is Message {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 2) return false
  const { id, values } = value as Partial<Message>
  return (
    typeof id === 'string' &&
    /^[a-z][a-zA-Z]*(\.[a-zA-Z0-9]+)+$/.test(id) &&
    typeof values === 'object' &&
    values !== null &&
    !Array.isArray(values)
  )
}
