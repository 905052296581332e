import { restoreData } from '../../store/copies.ts'
import { openStore, type Store } from '../../store/index.ts'
import type { Command } from '../command.ts'
import { exitCodes } from '../exitCodes.ts'
import { required } from '../inputs.ts'
import { usageError } from '../usage.ts'

export const runData: Command = async (context, [verb, file], values) => {
  const { terminal, common } = context
  switch (verb) {
    case 'check': {
      const { ok, findings } = await withStore(common.dataFolder, (store) => store.check())
      terminal.result({ ok, findings }, ok ? 'The data folder is intact.' : findings.join('\n'))
      return ok ? exitCodes.done : exitCodes.dataFolder
    }
    case 'backup': {
      const out = required(values.out, '--out FILE')
      await withStore(common.dataFolder, (store) => store.backup(out))
      terminal.result({ file: out }, `Backup written to ${out}.`)
      return exitCodes.done
    }
    case 'restore': {
      const { kept } = restoreData(common.dataFolder, required(file, 'The backup file'), new Date())
      terminal.result({ restored: true, kept }, `Restored.${kept ? ` What was there before is kept as ${kept}.` : ''}`)
      return exitCodes.done
    }
    default:
      throw usageError('data takes check, backup or restore.')
  }
}

/** Only the file, not what is built on it: a damaged log must not keep anybody from looking it over. */
async function withStore<T>(folder: string, work: (store: Store) => T | Promise<T>): Promise<T> {
  const store = openStore(folder)
  try {
    return await work(store)
  } finally {
    store.close()
  }
}
