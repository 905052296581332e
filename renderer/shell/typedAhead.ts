let typed = ''

function collect(event: KeyboardEvent): void {
  if (event.ctrlKey || event.altKey || event.metaKey) return
  if (event.key === 'Backspace') typed = typed.slice(0, -1)
  else if ([...event.key].length === 1) typed += event.key
  else return
  event.preventDefault()
  event.stopImmediatePropagation()
}

/** Keeps what is typed between Ctrl K and the field that is to take it: no letter is lost, and none is a shortcut. */
export function beginTypingAhead(): void {
  typed = ''
  window.addEventListener('keydown', collect, true)
}

/** What was typed meanwhile. */
export function endTypingAhead(): string {
  window.removeEventListener('keydown', collect, true)
  const text = typed
  typed = ''
  return text
}
