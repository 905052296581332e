import { loaders } from 'virtual:fitter-catalogues'
import { call } from '../../base/bridge.ts'

/** The language that most often is wanted; the settings say which one it is. */
export const likelyLanguage = navigator.language.startsWith('es') ? 'es' : 'en'

/**
 * Asks at once for all that the first screen cannot be drawn without. Why one of them cannot be had is told by the page
 * itself.
 */
export function askFirst() {
  const quietly = <Answer>(asked: Promise<Answer>): Promise<Answer | undefined> => asked.catch(() => undefined)
  return {
    settings: quietly(call('settings.get', {})),
    info: quietly(call('app.info', {})),
    opening: quietly(call('app.opening', {}))
  }
}

// The page imports this file first: its other modules are evaluated while the answers are on their way.
void loaders[likelyLanguage]?.first().catch(() => undefined)
/** Nothing where the bridge is not there yet. */
export const askedEarly = window.fitter && askFirst()
