import { findShortcut, shortcutRows, type KeyPlace, type Shortcut, type ShortcutId } from './keyTable.ts'

/** Shortcuts that a person changed, by id; empty: no key. */
export type ChosenKeys = Readonly<Record<string, string>>

export type KeyProblem =
  | { kind: 'unknown'; id: string }
  | { kind: 'fixed'; id: ShortcutId }
  | { kind: 'notOneKey'; id: ShortcutId; key: string }
  | { kind: 'begins'; id: ShortcutId; key: string; other: ShortcutId }
  | { kind: 'taken'; id: ShortcutId; key: string; other: ShortcutId }

/** One character, or a letter with Shift. A capital letter is the same key, so that Caps Lock changes nothing. */
const oneKey = /^(?:shift\+\p{Ll}|[^\s\p{C}\p{Lu}])$/u

/**
 * True for a shortcut of one character. A person can change it, because it may conflict with speech input or typing.
 */
export function canChange(shortcut: Shortcut): boolean {
  return oneKey.test(shortcut.keys)
}

/** True for shortcuts of single characters: a person can switch all of them off. */
export function isLetters(keys: string): boolean {
  return keys.split(' ').every((key) => oneKey.test(key))
}

/** The key of a shortcut, as changed by the person; empty when it has none. */
export function keysOf(shortcut: Shortcut, chosen: ChosenKeys): string {
  const own = chosen[shortcut.id]
  return own !== undefined && canChange(shortcut) && (own === '' || oneKey.test(own)) ? own : shortcut.keys
}

/** Charts are on screens of every kind except the office, which is a list. */
function isWithin(where: KeyPlace, other: KeyPlace): boolean {
  return where === 'anywhere' || (where === 'charts' && other !== 'office') || (where === 'office' && other === 'lists')
}

export function canMeet(one: Shortcut, other: Shortcut): boolean {
  return one.where === other.where || isWithin(one.where, other.where) || isWithin(other.where, one.where)
}

/** The first conflict in the chosen keys; null when every key has one meaning wherever it is active. */
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
