import { computed, ref, shallowRef } from 'vue'
import { isLetters, keysOf, type ChosenKeys } from '../../../../preload/app/keys/chosen.ts'
import { findShortcut, shortcutRows, type Shortcut, type ShortcutId } from '../../../../preload/app/keys/keyTable.ts'

/** The keys that the person chose, filled from the settings. */
export const chosenKeys = shallowRef<ChosenKeys>({})
/** False: single characters are no shortcuts. Ctrl, Enter, the space bar and Escape still work. */
export const lettersOn = ref(true)

function bindingOf(shortcut: Shortcut): string {
  const keys = keysOf(shortcut, chosenKeys.value)
  return !lettersOn.value && isLetters(keys) ? '' : keys
}

const bindings = computed(() => new Map(shortcutRows.map((shortcut) => [shortcut.id, bindingOf(shortcut)])))

/** The current keys of a shortcut; empty without any. */
export function boundKeys(id: ShortcutId): string {
  return bindings.value.get(id) ?? ''
}

/** What a shortcut may do and where, as the table says. */
export function shortcutOf(id: ShortcutId): Shortcut {
  const shortcut = findShortcut(id)
  if (!shortcut) throw new Error(`No shortcut ${id}`)
  return shortcut
}
