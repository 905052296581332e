import { AppError } from '../../../preload/contract/errors.ts'
import type { HandlersOf } from '../../../preload/contract/index.ts'
import type { MapState } from '../../../preload/contract/app/maps.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { Maps } from './maps.ts'

/** The system's dialog for a map file, if the front end has one; undefined if the person chose no file. */
export type PickMapFile = () => Promise<string | undefined>

/** The calls about base maps. If there is a dialog, a path from the page is never used. */
export function createMapHandlers(maps: Maps, pick: PickMapFile | undefined): HandlersOf<'maps'> {
  const state = async (): Promise<MapState> => ({ ...(await maps.state()), chosenBy: pick ? 'dialog' : 'path' })
  return {
    'maps.state': state,
    'maps.pickFile': async () => {
      if (!pick) throw new AppError('REFUSED', message('maps.noDialog'))
      const path = await pick()
      if (path !== undefined) await maps.choose(path)
      return state()
    },
    'maps.chooseFile': async ({ path }) => {
      if (pick) throw new AppError('REFUSED', message('maps.onlyDialog'))
      await maps.choose(path)
      return state()
    },
    'maps.forgetFile': () => {
      maps.forget()
      return state()
    },
    'maps.setOnline': (online) => {
      maps.setOnline(online)
      return state()
    }
  }
}
