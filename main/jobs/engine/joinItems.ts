import type { OrderItem } from '../../../preload/contract/jobs/steps/index.ts'

/** Several ordered items of a kind for one step: their lists and tables are one, what else they say is the first one's. */
export function joinItems(items: readonly OrderItem[]): OrderItem {
  const [first, ...rest] = items.map(withWires) as [OrderItem, ...OrderItem[]]
  if (rest.length === 0) return first
  // A name and an instruction of one of them would speak for all.
  const { name: _name, instruction: _instruction, ...joined } = rest.reduce<Record<string, unknown>>((all, item) => join(all, { ...item }), { ...first })
  return joined as unknown as OrderItem
}

function join(all: Record<string, unknown>, more: Record<string, unknown>): Record<string, unknown> {
  const sum = { ...more, ...all }
  for (const [name, value] of Object.entries(more)) {
    const present = all[name]
    if (Array.isArray(present) && Array.isArray(value)) sum[name] = [...present, ...value.filter((one) => !present.includes(one))]
    else if (name === 'wires') sum[name] = { ...(value as object), ...(present as object | undefined) }
  }
  return sum
}

/** An input goes by the name of its item, and is operated as that says. */
function withWires(item: OrderItem): OrderItem {
  const { name, instruction } = item
  if (item.kind !== 'inputs' || !item.inputs || name === undefined) return item
  const own = { name, ...(instruction === undefined ? {} : { instruction }) }
  return { ...item, wires: { ...Object.fromEntries(item.inputs.map((line) => [line, own])), ...item.wires } }
}
