import type { ReservedSpace } from './reservedSpace.ts'

/**
 * `reserve`: full, and the reserved space is in use. `full`, `failing`: the last write failed. `unsure`: unknown.
 * `held`: by another program.
 */
export type DiskStanding = 'usable' | 'reserve' | 'full' | 'failing' | 'unsure' | 'held'

/** What other parts may know about the disk, and wait for. */
export type Disk = Pick<ReturnType<typeof watchDisk>, 'standing' | 'hasFailed' | 'onChange' | 'usable'>

const lookEveryMs = 400
/** A slow disk is tested less often, so that testing does not take all the time. */
const restPerLook = 10

/** Tests a failing disk until it works. `tryToKeep` writes something and throws when that fails. */
export function watchDisk({ reserved, tryToKeep }: { reserved: ReservedSpace; tryToKeep(): void }) {
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
      if (reserved.take()) return stand('usable')
    } else {
      try {
        tryToKeep()
      } catch {
        // The state is unchanged: the caller was told, and the disk is tested again.
      }
    }
    if (standing !== 'usable') lookLater(Math.max(lookEveryMs, (performance.now() - startedMs) * restPerLook))
  }

  if (reserved.isGivenUp()) stand('reserve')
  else timer = setTimeout(() => void reserved.take(), lookEveryMs).unref()

  return {
    standing: (): DiskStanding => standing,
    /** Whether it reported an error since the folder was opened. */
    hasFailed: (): boolean => hasFailed,
    onChange(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Resolves when a write can succeed; rejects with the signal's reason. */
    usable(signal: AbortSignal): Promise<void> {
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
    /** Frees the reserved space. False when there was none. */
    giveRoom(): boolean {
      if (!reserved.giveUp()) return false
      stand('reserve')
      return true
    },
    /** Something was written. */
    kept(): void {
      if (standing !== 'usable' && standing !== 'reserve') stand(reserved.isGivenUp() ? 'reserve' : 'usable')
    },
    /** A write failed. */
    stands(next: 'full' | 'failing' | 'unsure' | 'held'): void {
      if (next === 'failing' || next === 'unsure') hasFailed = true
      stand(next)
    },
    stop(): void {
      clearTimeout(timer)
      listeners.clear()
    }
  }
}
