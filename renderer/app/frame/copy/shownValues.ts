/** A value as it is on the screen, with its unit, and what it is the value of. */
export interface ShownValue {
  label: string
  text: string
}

const cells = 'td, [role="cell"], [role="gridcell"]'
const values = `dd, ${cells}, .value, .says`
const anyValue = `${values}, .num, .mono`
const rows = 'tr, [role="row"], a.list-row, li'
const parts = 'dl, table, section, aside, [role="group"], [role="region"], dialog, main'
const unsaid = '.hidden, svg, button, .caps, [aria-hidden="true"]'
const mostValues = 12
const mostCharacters = 400

function read(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? ''
  if (!(node instanceof Element) || node.matches(unsaid)) return ''
  return [...node.childNodes].map(read).join(node.matches('dl, ul, ol, tr') ? ' ' : '')
}

/** The text of an element on one line; empty when nothing is known. */
export function readText(element: Element): string {
  // From outside: a value that is itself hidden, or a button, is none.
  const text = [...element.childNodes].map(read).join('').replace(/\s+/g, ' ').trim()
  return text.length > mostCharacters || /^[–—-]?$/.test(text) ? '' : text
}

function labelOf(element: Element): string {
  if (element.matches('dd')) {
    let at = element.previousElementSibling
    while (at && !at.matches('dt')) at = at.previousElementSibling
    return at ? readText(at) : ''
  }
  if (element.matches('td')) {
    const heads = element.closest('table')?.querySelectorAll('thead th') ?? []
    const head = heads[[...(element.parentElement?.children ?? [])].indexOf(element)]
    return head ? readText(head) : ''
  }
  const label = element.parentElement?.querySelector('.label')
  return label ? readText(label) : ''
}

/** The value at a place of the screen; null where there is none. */
export function valueAt(target: EventTarget | null): ShownValue | null {
  const element =
    target instanceof Element && !target.closest('input, textarea, select') ? target.closest(anyValue) : null
  const text = element ? readText(element) : ''
  return element && text !== '' ? { label: labelOf(element), text } : null
}

/** The cells of the row at a place, as a spreadsheet takes them; null outside of a table. */
export function rowAt(target: EventTarget | null): string | null {
  const row = target instanceof Element ? target.closest(rows) : null
  if (!row) return null
  const texts = [...row.querySelectorAll(`th, ${cells}`)].map(readText).filter((text) => text !== '')
  return texts.length > 1 ? texts.join('\t') : readText(row) || null
}

/** The values around a place, nearest part first: for a person who has no pointer to put on one of them. */
export function valuesAround(target: Element): ShownValue[] {
  for (
    let part = target.closest(`${rows}, ${parts}`);
    part;
    part = part.parentElement?.closest(`${rows}, ${parts}`) ?? null
  ) {
    const found = [...part.querySelectorAll(values)].filter(
      (element) => element.querySelector(values) === null && element.checkVisibility?.() !== false
    )
    const shown = found
      .map((element) => ({ label: labelOf(element), text: readText(element) }))
      .filter(({ text }) => text !== '')
    if (shown.length > 0) return shown.slice(0, mostValues)
  }
  return []
}
