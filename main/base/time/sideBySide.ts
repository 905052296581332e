/** Works on all items, up to a number in parallel, in order; ends with the last, or when no more are started. */
export async function sideBySide<Item>(
  items: readonly Item[],
  { most, signal }: { most: number; signal?: AbortSignal },
  work: (item: Item) => Promise<void>
): Promise<void> {
  const waiting = [...items]
  async function next(): Promise<void> {
    for (let item = waiting.shift(); item !== undefined && !signal?.aborted; item = waiting.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, next))
}
