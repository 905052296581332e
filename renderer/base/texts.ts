import type { MessageId, MessageValue, ValuesOf } from '../../preload/contract/messages.ts'
import { say } from './say.ts'

/** The ids of what this page itself says. */
export type TextKey = Extract<MessageId, `window${string}` | `common.${string}`>
type NamesOf<Key extends TextKey> = Key extends TextKey ? keyof ValuesOf<Key> : never
type Given<Key extends TextKey> = [NamesOf<Key>] extends [never] ? [] : [values: ValuesOf<Key>]

/** A text of this page in the person's language and units, its values filled in. */
export function t<Key extends TextKey>(key: Key, ...[values]: Given<Key>): string {
  return say({ id: key, values: { ...(values as Record<string, MessageValue> | undefined) } })
}
