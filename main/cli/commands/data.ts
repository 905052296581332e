import { restoreData } from '../../store/copies.ts'
import type { Command } from '../command.ts'
import { exitCodes } from '../exitCodes.ts'
import { required } from '../inputs.ts'
import { usageError } from '../usage.ts'

export const runData: Command = async (context, [verb, file], values) => {
  const { terminal, common } = context
  switch (verb) {
    case 'check': {
      const { ok, findings } = context.core().store.check()
      terminal.result({ ok, findings }, ok ? 'The data folder is intact.' : findings.join('\n'))
      return ok ? exitCodes.done : exitCodes.dataFolder
    }
    case 'backup': {
      const out = required(values.out, '--out FILE')
      await context.core().store.backup(out)
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
