import { onBeforeUnmount, onMounted, watch } from 'vue'
import { call } from '../../base/bridge.ts'
import { useGateway } from '../../base/shell/gateway.store.ts'
import { isReadOnly } from '../../base/ui/readOnly.ts'
import { useAction } from '../../base/ui/useAction.ts'
import { mayDo } from '../site/mayDo.ts'
import { useVehicles } from './vehicles.store.ts'

/** The core decides whether the states are old enough. */
const everyMs = 30_000

/** While the screen is open, the states of all vehicles are read again every few minutes; then it shows them. */
export function useFreshStates(shows: () => void) {
  const store = useVehicles()
  const gateway = useGateway()
  const asking = useAction(async () => void (await call('vehicles.refreshStates', {})))
  let timer: ReturnType<typeof setInterval> | undefined

  function ask(): void {
    const { status } = gateway
    const mayAsk = status?.state === 'reachable' && mayDo(status, 'devices', 'r') && !isReadOnly.value
    if (document.visibilityState === 'visible' && mayAsk && !asking.busy.value) void asking.run()
  }

  watch(() => store.copy?.statesAt, shows)
  onMounted(() => {
    ask()
    timer = setInterval(ask, everyMs)
  })
  onBeforeUnmount(() => clearInterval(timer))
}
