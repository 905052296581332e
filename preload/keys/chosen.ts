import { findShortcut, shortcutRows, type KeyPlace, type Shortcut, type ShortcutId } from './table.ts'

/** Keys that a person gave themselves, by shortcut; empty: that shortcut has none. */
export type ChosenKeys = Readonly<Record<string, string>>

/** What is wrong with a choice of keys. */
export type KeyProblem =
  | { kind: 'unknown'; id: string }
  | { kind: 'fixed'; id: ShortcutId }
  | { kind: 'notOneKey'; id: ShortcutId; key: string }
  | { kind: 'begins'; id: ShortcutId; key: string; other: ShortcutId }
  | { kind: 'taken'; id: ShortcutId; key: string; other: ShortcutId }

/** One character, or a letter with Shift. A capital is not another key: Caps Lock must change nothing. */
const oneKey = /^(?:shift\+\p{Ll}|[^\s\p{C}\p{Lu}])$/u

/** True for a shortcut of one character, which a person can change: it may be in the way of what they speak or type. */
export function canChange(shortcut: Shortcut): boolean {
  return oneKey.test(shortcut.keys)
}

/** True for keys that are characters alone: those that a person can switch off all together. */
export function isLetters(keys: string): boolean {
  return keys.split(' ').every((key) => oneKey.test(key))
}

/** The key of a shortcut with what the person chose; empty when it has none. */
export function keysOf(shortcut: Shortcut, chosen: ChosenKeys): string {
  const own = chosen[shortcut.id]
  return own !== undefined && canChange(shortcut) && (own === '' || oneKey.test(own)) ? own : shortcut.keys
}

/** Charts stand on screens of every kind. */
const isEverywhere = (where: KeyPlace): boolean => where === 'anywhere' || where === 'charts'

/** True where both can be at work at the same time. */
export function canMeet(one: Shortcut, other: Shortcut): boolean {
  return one.where === other.where || isEverywhere(one.where) || isEverywhere(other.where)
}

/** The first thing that is wrong with a choice of keys; null when every key does one thing wherever it is at work. */
export function findKeyProblem(chosen: ChosenKeys): KeyProblem | null {
  for (const [id, key] of Object.entries(chosen)) {
    const shortcut = findShortcut(id)
    if (!shortcut) return { kind: 'unknown', id }
    if (!canChange(shortcut)) return { kind: 'fixed', id: shortcut.id }
    if (key === '') continue
    if (!oneKey.test(key)) return { kind: 'notOneKey', id: shortcut.id, key }
    for (const other of shortcutRows) {
      if (other.id === shortcut.id || !canMeet(shortcut, other)) continue
      const keys = keysOf(other, chosen)
      if (keys === key) return { kind: 'taken', id: shortcut.id, key, other: other.id }
      if (keys.startsWith(`${key} `)) return { kind: 'begins', id: shortcut.id, key, other: other.id }
    }
  }
  return null
}
