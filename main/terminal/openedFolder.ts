import { message, nameMessage, type Message } from '../../preload/contract/messages.ts'
import { openFolder, type Store } from '../data/store/index.ts'
import type { Opening } from '../data/store/file/opening.ts'
import { sayMigration } from './output/progress.ts'
import type { Terminal } from './output/terminal.ts'

/** Opens the data folder of a command in any state, and reports what a person must know. */
export async function openedFolder({
  dataFolder,
  terminal,
  signal
}: {
  dataFolder: string
  terminal: Terminal
  signal: AbortSignal
}): Promise<Store> {
  const store = await openFolder(dataFolder, { signal, progress: sayMigration(terminal) })
  sayOpening(terminal, store.opening)
  if (store.opening.how !== 'readOnly') sayLosses(terminal, store.opening, store.losses())
  return store
}

/** Only the file, not the services over it: a damaged log must not prevent its check. */
export async function withStore<T>(
  { common, terminal, signal }: { common: { dataFolder: string }; terminal: Terminal; signal: AbortSignal },
  work: (store: Store) => T | Promise<T>
): Promise<T> {
  const store = await openedFolder({ dataFolder: common.dataFolder, terminal, signal })
  try {
    return await work(store)
  } finally {
    store.close()
  }
}

/** Every command reports a loss until a person has read it in the window. */
export function sayLosses(terminal: Terminal, opening: Opening, losses: Message[]): void {
  const said = new Set(opening.how === 'salvaged' ? opening.salvaged.losses.map(nameMessage) : [])
  for (const loss of losses) if (!said.has(nameMessage(loss))) terminal.warn(loss)
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
