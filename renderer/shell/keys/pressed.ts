const named: Readonly<Record<string, string>> = { ' ': 'space', Enter: 'enter', Escape: 'escape' }

/** A key press as the table of shortcuts writes it; null for one that no shortcut can have. */
export function pressedKey(event: KeyboardEvent): string | null {
  const name = named[event.key] ?? (isCharacter(event.key) ? event.key.toLowerCase() : null)
  if (name === null) return null
  // On many keyboards a bracket is only to be had with AltGr, which the system tells as Ctrl and Alt.
  if (event.getModifierState('AltGraph')) return name
  if (event.altKey) return null
  if (event.ctrlKey || event.metaKey) return event.shiftKey ? null : `ctrl+${name}`
  // With a sign, Shift is only the way to it: "?" is "?" wherever a keyboard has it.
  return event.shiftKey && (name.length > 1 || /\p{L}/u.test(name)) ? `shift+${name}` : name
}

function isCharacter(key: string): boolean {
  return [...key].length === 1
}

const typed = 'input:not([type="checkbox"]):not([type="radio"]):not([type="button"]), textarea, select, [contenteditable]:not([contenteditable="false"])'
const pressable = 'a[href], button, summary, label, input, [role=button], [role=option], [role=menuitem], [role=tab], [role=slider], [role=switch], [role=separator]'

/** True where a character is text. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(typed) !== null
}

/** True inside of a dialog: what is behind it must not answer. */
export function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role=dialog], [role=alertdialog], dialog') !== null
}

/** True on a control that Enter and the space bar press by themselves. */
export function isPressable(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(pressable) !== null
}
