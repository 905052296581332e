import { computed, ref, shallowRef, watch } from 'vue'
import type { Fact } from '../../../preload/contract/support/facts.ts'
import { relationOf, relationOrder, type FactFilter } from './marks.ts'

/**
 * The rows of the table in a stable order: what proves the headline, then differences at the top with the time of their first appearance, everything
 * else in place, new rows at the end. Sorted again only after the first answers of both witnesses, and when the person
 * chooses a filter.
 */
export function useRowOrder(
  facts: () => readonly Fact[],
  isSettled: () => boolean,
  {
    at,
    proof = () => [],
    isChanged
  }: { at: () => string | null; proof?: () => readonly Fact['fact'][]; isChanged: (fact: Fact) => boolean }
) {
  /** When each difference was first observed, by this computer's clock. */
  const since = shallowRef<ReadonlyMap<Fact['fact'], string>>(new Map())
  const filter = ref<FactFilter>('all')
  const order = shallowRef<readonly Fact['fact'][]>([])
  const isIn = (fact: Fact) =>
    filter.value === 'all' || (filter.value === 'installed' ? isChanged(fact) : relationOf(fact) === filter.value)

  function sort(): void {
    // What differs, then what changed since the installation.
    const rank = (fact: Fact) =>
      relationOrder.indexOf(relationOf(fact)) +
      (isChanged(fact) && relationOf(fact) !== 'differ' ? -100 : relationOf(fact) === 'differ' ? -200 : 0)
    order.value = facts()
      .filter(isIn)
      .map((fact, index) => ({ fact, index }))
      .sort((a, b) => rank(a.fact) - rank(b.fact) || a.index - b.index)
      .map(({ fact }) => fact.fact)
  }

  // Only once: later both witnesses are asked and answer repeatedly.
  let wasSettled = isSettled()
  watch(isSettled, (now) => {
    if (!now || wasSettled) return
    wasSettled = true
    sort()
  })
  watch(
    facts,
    (now) => {
      const seenAt = at()
      const differing = now
        .filter((fact) => relationOf(fact) === 'differ')
        .map(({ fact }): [Fact['fact'], string] => [fact, since.value.get(fact) ?? seenAt ?? ''])
      since.value = new Map(differing.filter(([, from]) => from !== ''))
      if (!wasSettled || order.value.length === 0) return sort()
      const known = new Set(order.value)
      const fresh = now.filter((fact) => isIn(fact) && !known.has(fact.fact)).map(({ fact }) => fact)
      if (fresh.length > 0) order.value = [...order.value, ...fresh]
    },
    { immediate: true }
  )

  const counts = computed(() => {
    const found: Record<FactFilter, number> = {
      all: facts().length,
      differ: 0,
      old: 0,
      deviceOnly: 0,
      gatewayOnly: 0,
      agree: 0,
      installed: facts().filter(isChanged).length
    }
    for (const fact of facts()) found[relationOf(fact)] += 1
    return found
  })
  const rows = computed(() => {
    const byName = new Map(facts().map((fact) => [fact.fact, fact]))
    const all = order.value.flatMap((name) => byName.get(name) ?? [])
    const differs = (fact: Fact) => relationOf(fact) === 'differ'
    const proves = proof().flatMap((name) => all.find(({ fact }) => fact === name) ?? [])
    const rest = all.filter((fact) => !proves.includes(fact))
    return [...proves, ...rest.filter(differs), ...rest.filter((fact) => !differs(fact))]
  })
  function choose(next: FactFilter): void {
    filter.value = next
    sort()
  }
  return { filter, counts, rows, since, choose }
}
