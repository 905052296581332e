import { watch } from 'vue'
import { useAction } from '../../base/ui/useAction.ts'
import { usePause } from '../../base/ui/usePause.ts'
import { mayDo } from '../site/mayDo.ts'
import { useGateway } from '../../base/shell/gateway.store.ts'
import { useVehicles } from './vehicles.store.ts'
import { presentMs } from '../../base/ui/time/presentTime.ts'

/** Rows that a person only scrolls past are not requested. */
const restMs = 400
const keptMs = 60_000
const atOnce = 100
/** Calls reserved for a person's own requests. */
const callsToSpare = 8

/** Requests the reporting status of the visible vehicles, in one call for all, while the gateway's limit allows. */
export function useStandings(inSight: () => readonly number[]) {
  const store = useVehicles()
  const gateway = useGateway()
  const soon = usePause(restMs)
  const asking = useAction((ids: number[]) => store.askStandings(ids))
  /** What came into view while others were asked for is asked for after them. */
  let isMissed = false

  function isOld(id: number): boolean {
    const known = store.standings.get(id)
    return !known || presentMs() - Date.parse(known.readAt) > keptMs
  }

  async function ask(): Promise<void> {
    isMissed = asking.busy.value
    const { status } = gateway
    // A gateway that answers with errors is asked again: nothing else checks whether it has recovered.
    const isAway =
      status === null ||
      status.user === null ||
      (status.state === 'unreachable' && status.hindrance !== 'failing') ||
      status.state === 'signedOut'
    if (isAway || isMissed || !mayDo(status, 'devices', 'r') || gateway.callsLeft < callsToSpare) return
    const ids = inSight().filter(isOld).slice(0, atOnce)
    if (ids.length === 0) return
    await asking.run(ids)
    if (isMissed) soon(() => void ask())
  }

  watch(
    () => inSight().join(),
    () => soon(() => void ask()),
    { immediate: true }
  )
  return { error: asking.error }
}
