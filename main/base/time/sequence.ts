/** Work that runs one after the other, in the order of the calls; a failure does not stop the next. */
export function createSequence(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.catch(() => undefined).then(work)
    last = next
    return next
  }
}
