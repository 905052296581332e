import { openStore } from '../../../main/data/store/index.ts'

/** A data folder in which the first run is over: Fitter begins on its first screen. */
export function endFirstRun(dataFolder: string): void {
  const store = openStore(dataFolder)
  store.settings.change({ firstRun: 'done' })
  store.close()
}
