/** Of a `focusout`: the focus left the element that listens, with everything in it. */
export function hasLeft({ currentTarget, relatedTarget }: FocusEvent): boolean {
  return !(currentTarget instanceof Node && relatedTarget instanceof Node && currentTarget.contains(relatedTarget))
}
