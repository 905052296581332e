import { AppError } from '../../../preload/contract/errors.ts'
import type { Teller } from '../../../preload/contract/events.ts'
import type { MapState, OnlineMap } from '../../../preload/contract/app/maps.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { MapStore } from '../../data/store/maps.ts'
import { createOfflineFile, refusePath, type MapBytes } from './offlineFile.ts'
import { createOnlineTiles, refuseTemplate, type Picture, type Tile } from './onlineTiles.ts'

export interface MapsOptions {
  store: MapStore
  events: Teller
  userAgent: string
  /** Tiles come from nowhere then. */
  isTraining?: boolean | undefined
}

/**
 * The base maps of this data folder: a file on this computer, and tiles from the internet only after a person enabled
 * them.
 */
export type Maps = ReturnType<typeof createMaps>

export function createMaps({ store, events, userAgent, isTraining = false }: MapsOptions) {
  const online = createOnlineTiles(userAgent)
  const kept = store.get()
  let file = kept.path === null ? undefined : createOfflineFile(kept.path)

  function changed(): void {
    events.tell('maps.changed', {})
  }

  return {
    async state(): Promise<Omit<MapState, 'chosenBy'>> {
      return {
        offline: (await file?.show()) ?? null,
        online: { ...store.get().online, ...(isTraining ? { isOn: false } : {}) }
      }
    },
    /** @throws AppError REFUSED if it is not a map file that can be drawn */
    async choose(path: string): Promise<void> {
      const refused = refusePath(path)
      if (refused) throw new AppError('REFUSED', refused)
      const next = createOfflineFile(path)
      const { problem } = await next.show()
      if (problem) throw new AppError('REFUSED', problem)
      file = next
      store.keep({ ...store.get(), path })
      changed()
    },
    forget(): void {
      file = undefined
      store.keep({ ...store.get(), path: null })
      changed()
    },
    /** @throws AppError REFUSED for an address that is not allowed, or without an attribution */
    setOnline(next: OnlineMap): void {
      if (isTraining && next.isOn) throw new AppError('REFUSED', message('training.onlySimulation'))
      const refused = next.template === '' && !next.isOn ? undefined : refuseTemplate(next.template)
      if (refused) throw new AppError('REFUSED', refused)
      if (next.isOn && next.attribution === '') throw new AppError('REFUSED', message('maps.attributionMissing'))
      online.clear()
      store.keep({ ...store.get(), online: next })
      changed()
    },
    async readFile(from: number, length: number): Promise<MapBytes | undefined> {
      try {
        return await file?.read(from, length)
      } catch {
        // The file was removed, which its state reports; here there is nothing to return.
        return undefined
      }
    },
    /** Undefined while online maps are off: nothing is requested then. */
    async picture(tile: Tile): Promise<Picture | undefined> {
      const { isOn, template } = store.get().online
      return isOn && !isTraining ? online.get(template, tile) : undefined
    },
    stop: () => online.clear()
  }
}
