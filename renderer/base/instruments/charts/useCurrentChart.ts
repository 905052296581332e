import { onBeforeUnmount, onMounted } from 'vue'

const charts: symbol[] = []
let current: symbol | undefined

/** With several charts on a screen, the keys apply to the one pointed at or focused last; initially the first. */
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
