const named: Readonly<Record<string, string>> = { ' ': 'space', Enter: 'enter', Escape: 'escape' }

/** A key press in the notation of the shortcut table; null for a key that no shortcut can have. */
export function pressedKey(event: KeyboardEvent): string | null {
  const name = named[event.key] ?? (isCharacter(event.key) ? event.key.toLowerCase() : null)
  if (name === null) return null
  // On many keyboards a bracket needs AltGr, which the system reports as Ctrl and Alt.
  if (event.getModifierState('AltGraph')) return name
  if (event.altKey) return null
  if (event.ctrlKey || event.metaKey) return event.shiftKey ? null : `ctrl+${name}`
  // For a punctuation mark, Shift is ignored: "?" is "?" wherever a keyboard has that key.
  return event.shiftKey && (name.length > 1 || /\p{L}/u.test(name)) ? `shift+${name}` : name
}

function isCharacter(key: string): boolean {
  return [...key].length === 1
}

const typed =
  'input:not([type="checkbox"]):not([type="radio"]):not([type="button"]), textarea, select, [contenteditable]:not([contenteditable="false"])'
const pressable =
  'a[href], button, summary, label, input, [role=button], [role=option], [role=menuitem], [role=tab], [role=slider], [role=switch], [role=separator]'

/** True where typed characters are text. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(typed) !== null
}

/** True inside a dialog: the screen behind must not react. A dialog that is the screen itself, only larger, does. */
export function isInDialog(target: EventTarget | null): boolean {
  const dialog = target instanceof Element ? target.closest('[role=dialog], [role=alertdialog], dialog') : null
  return dialog !== null && !dialog.matches('.keeps-keys')
}

/** True on a control that already reacts to Enter and the space bar. */
export function isPressable(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(pressable) !== null
}
