import { message } from '../../preload/contract/messages.ts'
import { openFolder, type Store } from '../store/index.ts'
import type { Opening } from '../store/opening.ts'
import { sayMigration } from './progress.ts'
import type { Terminal } from './terminal.ts'

/** Opens the data folder of a command, whatever state its file is in, and says what a person has to know of it. */
export async function openedFolder({ dataFolder, terminal, signal }: { dataFolder: string; terminal: Terminal; signal: AbortSignal }): Promise<Store> {
  const store = await openFolder(dataFolder, { signal, progress: sayMigration(terminal) })
  sayOpening(terminal, store.opening)
  return store
}

export function sayOpening(terminal: Terminal, opening: Opening): void {
  switch (opening.how) {
    case 'asIs':
      return
    case 'mended':
      return terminal.warn(message('damage.mended', { name: opening.aside }))
    case 'salvaged':
      return opening.salvaged.losses.forEach((loss) => terminal.warn(loss))
    case 'begunAnew':
      return terminal.warn(message('damage.begunAnew', { name: opening.aside }))
    case 'readOnly':
      return terminal.warn(opening.sentence)
  }
}
