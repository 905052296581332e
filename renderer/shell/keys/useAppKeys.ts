import { useKeys } from './useKeys.ts'
import { goTo } from '../router.ts'
import { openDialog } from '../dialogs.ts'

/** The shortcuts that work on every screen. */
export function useAppKeys(): void {
  useKeys({
    'app.find': () => openDialog({ what: 'find' }),
    'app.keys': () => openDialog({ what: 'keys' }),
    'app.print': () => window.print(),
    'app.scanLabel': () => openDialog({ what: 'scan' }),
    'app.newJob': () => openDialog({ what: 'newJob', deviceKey: '' }),
    'go.start': () => goTo('start'),
    'go.devices': () => goTo('devices'),
    'go.jobs': () => goTo('jobs'),
    'go.vehicles': () => goTo('vehicles'),
    'go.diagnose': () => goTo('diagnose'),
    'go.team': () => goTo('team'),
    'go.waiting': () => goTo('waiting'),
    'go.settings': () => goTo('settings')
  })
}
