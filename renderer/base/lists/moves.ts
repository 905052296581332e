/**
 * The place so many further on in a list, at most its last, at least its first. From no place at all it is the first.
 */
export function placeAfter(at: number, by: number, length: number): number {
  return Math.min(length - 1, Math.max(0, at < 0 ? 0 : at + by))
}

/** Moves the focus so many parts further on in a list. */
export function moveFocus(list: EventTarget | null, parts: string, by: number): void {
  const all = list instanceof Element ? [...list.querySelectorAll<HTMLElement>(parts)] : []
  all[
    placeAfter(
      all.findIndex((part) => part.contains(document.activeElement)),
      by,
      all.length
    )
  ]?.focus()
}
