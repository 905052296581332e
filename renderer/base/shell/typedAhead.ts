let typed = ''

function collect(event: KeyboardEvent): void {
  if (event.ctrlKey || event.altKey || event.metaKey) return
  if (event.key === 'Backspace') typed = typed.slice(0, -1)
  else if ([...event.key].length === 1) typed += event.key
  else return
  event.preventDefault()
  event.stopImmediatePropagation()
}

/** Collects what is typed between Ctrl K and the focus of the search field: no letter is lost or becomes a shortcut. */
export function beginTypingAhead(): void {
  typed = ''
  window.addEventListener('keydown', collect, true)
}

/** The collected text. */
export function endTypingAhead(): string {
  window.removeEventListener('keydown', collect, true)
  const text = typed
  typed = ''
  return text
}
