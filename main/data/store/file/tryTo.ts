/** What a question answers that the system may refuse, or that has no answer any more; undefined then. */
export function tryTo<T>(ask: () => T): T | undefined {
  try {
    return ask()
  } catch {
    // The caller has another way.
    return undefined
  }
}
