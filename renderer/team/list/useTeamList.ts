import { computed, ref, watch, shallowRef } from 'vue'
import { t } from '../../base/texts.ts'
import { useAction } from '../../base/ui/useAction.ts'
import { linesOf, type TeamLine } from './rows.ts'
import { periodOf } from '../../base/shell/teamQuestion.ts'
import { useTeam } from '../../base/shell/team.store.ts'
import { useTeamCounts } from '../useTeamCounts.ts'
import { useTeamNews } from '../useTeamNews.ts'
import { useTeamPages } from './useTeamPages.ts'
import type { Assigned } from '../../../preload/contract/team/teamAssigned.ts'
import { call } from '../../base/bridge.ts'

const pauseMs = 150
/** The next page of a group is loaded before its end becomes visible. */
const aheadLines = 20

/** The team's list: the search, its rows, the selection, and updates from the others' work. */
export function useTeamList({
  begun,
  found,
  toldOf
}: {
  begun: () => void
  found: () => void
  toldOf: (ids: ReadonlySet<string> | null) => void
}) {
  const team = useTeam()
  const pages = useTeamPages()
  const counting = useTeamCounts()
  const prepared = useTeamAssigned()
  const seen = ref<[number, number]>([0, 0])
  let timer: ReturnType<typeof setTimeout> | undefined

  /** Nobody works on them yet: they match by their content, not by their holder. */
  const assigned = computed(() => {
    const { group, search, technician, customer } = team.question
    if (group !== 'all' || search.trim() !== '' || technician !== '') return []
    return prepared.rows.value.filter(
      (one) => one.begun === null && one.withdrawn === null && (customer === '' || one.customer === customer)
    )
  })
  const lines = computed(() =>
    linesOf({
      sections: pages.sections.value,
      assigned: assigned.value,
      countOf: (name) =>
        team.question.customer !== '' || name === 'found'
          ? null
          : name === 'ended' && periodOf(team.question) !== 'today'
            ? null
            : (counting.counts.value?.[name] ?? null)
    })
  )
  const loading = useAction(() => pages.load(team.question))
  const further = useAction((name: Parameters<typeof pages.more>[0]) => pages.more(name))

  /** The last search wins: a search during a request starts another request. */
  async function find(): Promise<void> {
    const wanted = team.question
    begun()
    await loading.run()
    if (team.question !== wanted) return find()
    if (loading.error.value === null) found()
  }

  async function loadAll(): Promise<void> {
    counting.technician.value = team.question.technician
    await find()
    await counting.count()
    await prepared.load()
  }

  watch(
    () => team.question,
    (next, before) => {
      clearTimeout(timer)
      timer = setTimeout(() => void find(), next.search === before.search ? 0 : pauseMs)
      if (next.technician === before.technician) return
      counting.technician.value = next.technician
      void counting.count()
    }
  )

  function see(first: number, last: number): void {
    seen.value = [first, last]
    for (const { name, next } of pages.sections.value) {
      const end = lines.value.findLastIndex((line) => line.kind === 'job' && line.section === name)
      if (next !== null && first <= end && end - last < aheadLines && !further.busy.value) return void further.run(name)
    }
  }

  useTeamNews(async (ids) => {
    toldOf(ids)
    counting.countSoon()
    if (ids !== null) return pages.take(ids)
    await pages.refresh()
    await prepared.load()
  })

  const place = (line: TeamLine | undefined): number | null => (line?.kind === 'job' ? line.place : null)
  const shown = computed(() => {
    const inSight = lines.value.slice(seen.value[0], seen.value[1] + 1).flatMap((line) => place(line) ?? [])
    const [from, to] = [inSight[0], inSight.at(-1)]
    if (from === undefined || to === undefined) return ''
    return pages.isMore.value
      ? t('windowTeamScreen.rangeMore', { from, to })
      : t('common.fromToToOfAll', { from, to, all: pages.count.value })
  })

  return { pages, counting, lines, loading, further, shown, see, loadAll, find }
}

/** All prepared jobs of the team, soonest first; without the team log, the local copy. */
function useTeamAssigned() {
  const rows = shallowRef<Assigned[]>([])
  const loading = useAction(async () => {
    rows.value = (await call('team.assigned', { whose: 'all', limit: 500 })).assigned
  })
  return { rows, load: () => loading.run(), error: loading.error }
}
