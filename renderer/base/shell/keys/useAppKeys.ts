import { onBeforeUnmount, onMounted } from 'vue'
import { useKeys } from './useKeys.ts'
import { goTo } from '../router.ts'
import { openDialog } from '../dialogs.ts'

/** A browser prints automatically; in a window of its own the page has to ask for it, by the same key. */
function print(event: KeyboardEvent): void {
  if (
    event.defaultPrevented ||
    !(event.ctrlKey || event.metaKey) ||
    event.shiftKey ||
    event.altKey ||
    event.key.toLowerCase() !== 'p'
  )
    return
  event.preventDefault()
  window.print()
}

/** The shortcuts that work on every screen. */
export function useAppKeys(): void {
  useKeys({
    'app.find': () => openDialog({ what: 'find' }),
    'app.keys': () => openDialog({ what: 'keys' }),
    'app.scanLabel': () => openDialog({ what: 'scan' }),
    'app.newJob': () => openDialog({ what: 'newJob', deviceKey: '' }),
    'go.start': () => goTo('start'),
    'go.devices': () => goTo('devices'),
    'go.jobs': () => goTo('jobs'),
    'go.vehicles': () => goTo('vehicles'),
    'go.diagnose': () => goTo('diagnose'),
    'go.team': () => goTo('team'),
    'go.waiting': () => goTo('waiting'),
    'go.settings': () => goTo('settings'),
    'go.help': () => goTo('help')
  })
  onMounted(() => window.addEventListener('keydown', print))
  onBeforeUnmount(() => window.removeEventListener('keydown', print))
}
