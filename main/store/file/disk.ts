import type { Ballast } from './ballast.ts'

/**
 * How the disk with the data takes what is written. `reserve`: it is full, and the room that was kept for that moment is
 * in use. `full`, `failing`: the last that was to be kept was not. `unsure`: nobody knows yet whether it was.
 */
export type DiskStanding = 'usable' | 'reserve' | 'full' | 'failing' | 'unsure'

/** What others may know of the disk, and wait for. */
export interface Disk {
  standing(): DiskStanding
  /** Whether it reported an error since the folder was opened. */
  hasFailed(): boolean
  onChange(listener: () => void): () => void
  /** Resolves when something can be kept; rejects with the signal's reason. */
  usable(signal: AbortSignal): Promise<void>
}

export interface WatchedDisk extends Disk {
  /** Whether the room that was kept for this moment could be given up. */
  giveRoom(): boolean
  /** Something was kept. */
  kept(): void
  stands(standing: 'full' | 'failing' | 'unsure'): void
  stop(): void
}

const lookEveryMs = 400
/** A disk that answers slowly is asked more rarely, so that it does not take all the time there is. */
const restPerLook = 10

/** Looks at a disk that is in trouble until it is not. `tryToKeep` writes something and throws when that fails. */
export function watchDisk({ ballast, tryToKeep }: { ballast: Ballast; tryToKeep(): void }): WatchedDisk {
  const listeners = new Set<() => void>()
  let standing: DiskStanding = 'usable'
  let hasFailed = false
  let timer: NodeJS.Timeout | undefined

  function stand(next: DiskStanding): void {
    const isNew = next !== standing
    standing = next
    if (next !== 'usable') lookLater(lookEveryMs)
    else clearTimeout(timer)
    if (isNew) for (const listener of [...listeners]) listener()
  }

  function lookLater(ms: number): void {
    clearTimeout(timer)
    timer = setTimeout(look, ms).unref()
  }

  function look(): void {
    const startedMs = performance.now()
    if (standing === 'reserve') {
      if (ballast.take()) return stand('usable')
    } else {
      try {
        tryToKeep()
      } catch {
        // It stands as it stood: whoever wanted something kept was told, and it is looked again.
      }
    }
    if (standing !== 'usable') lookLater(Math.max(lookEveryMs, (performance.now() - startedMs) * restPerLook))
  }

  if (ballast.isGivenUp()) stand('reserve')
  else timer = setTimeout(() => void ballast.take(), lookEveryMs).unref()

  return {
    standing: () => standing,
    hasFailed: () => hasFailed,
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    usable(signal) {
      return new Promise((resolve, reject) => {
        const isUsable = (): boolean => standing === 'usable' || standing === 'reserve'
        const look = (): void => {
          if (!signal.aborted && !isUsable()) return
          listeners.delete(look)
          signal.removeEventListener('abort', look)
          if (signal.aborted) reject(signal.reason as Error)
          else resolve()
        }
        listeners.add(look)
        signal.addEventListener('abort', look)
        look()
      })
    },
    giveRoom() {
      if (!ballast.giveUp()) return false
      stand('reserve')
      return true
    },
    kept() {
      if (standing !== 'usable' && standing !== 'reserve') stand(ballast.isGivenUp() ? 'reserve' : 'usable')
    },
    stands(next) {
      if (next !== 'full') hasFailed = true
      stand(next)
    },
    stop() {
      clearTimeout(timer)
      listeners.clear()
    }
  }
}
