import { onBeforeUnmount, onMounted } from 'vue'

const charts: symbol[] = []
let current: symbol | undefined

/** Of several charts on a screen the keys belong to the one that was pointed at or focused last; at first to the first. */
export function useCurrentChart(): { isCurrent(): boolean; makeCurrent(): void } {
  const mine = Symbol('chart')
  onMounted(() => charts.push(mine))
  onBeforeUnmount(() => {
    charts.splice(charts.indexOf(mine), 1)
    if (current === mine) current = undefined
  })
  return {
    isCurrent: () => (current ?? charts[0]) === mine,
    makeCurrent() {
      current = mine
    }
  }
}
