import { message, type Message } from '../../../preload/contract/messages.ts'
import { sayLedger } from '../../job/outputs/sayLedger.ts'
import { restoreData } from '../../data/store/backups/copies.ts'
import { backupsFolderIn, listGenerations } from '../../data/store/backups/generations.ts'
import type { WorkOptions } from '../../data/store/file/inWorker.ts'
import type { Command } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { withStore } from '../openedFolder.ts'
import { exitCodes } from '../output/exitCodes.ts'
import { requireInput } from '../input/inputs.ts'
import { sayOften } from '../output/progress.ts'
import { usageError } from '../output/usage.ts'

export const runData: Command = async (context, [verb, file], values) => {
  const { terminal, common } = context
  switch (verb) {
    case 'check': {
      const { ok, findings, orphans } = await withStore(context, (store) =>
        store.check(watched(context, (done, all) => message('store.checking', { done, all })))
      )
      const sentences = [
        ...(ok ? [message('store.intact')] : findings),
        ...(orphans ? [message('store.orphans', { n: orphans.files, sizeBytes: orphans.sizeBytes })] : [])
      ]
      terminal.result(
        { ok, findings, ...(orphans ? { orphans } : {}) },
        sentences.map((one) => terminal.text(one)).join('\n')
      )
      return ok ? exitCodes.done : exitCodes.dataFolder
    }
    case 'backup': {
      const out = requireInput(values.out, '--out FILE')
      await withStore(context, (store) =>
        store.backup(
          out,
          watched(context, (done, all) => message('store.copying', { percentPercent: Math.floor((100 * done) / all) }))
        )
      )
      terminal.result({ file: out }, message('store.backupWritten', { file: out }))
      return exitCodes.done
    }
    case 'backups': {
      const copies = listGenerations(backupsFolderIn(common.dataFolder)).map(
        ({ file: name, madeAt, sizeBytes, mark }) => ({
          file: name,
          madeAt,
          sizeBytes,
          jobs: mark?.jobs ?? null,
          ok: mark?.findings === 0
        })
      )
      const line = ({ file: name, madeAt, sizeBytes, jobs, ok }: (typeof copies)[number]) =>
        terminal.text(
          jobs === null
            ? message('backups.unreadable', { madeAt, file: name })
            : message('backups.line', { madeAt, n: jobs, sizeBytes, state: ok ? 'good' : 'damaged', file: name })
        )
      terminal.result(copies, copies.length === 0 ? message('backups.none') : copies.map(line).join('\n'))
      return exitCodes.done
    }
    case 'restore': {
      const { kept, findings, outputs } = await restoreData(
        common.dataFolder,
        requireInput(file, message('terminal.theBackup')),
        new Date(),
        watched(context, (done, all) => message('store.checking', { done, all }))
      )
      const sentences = [
        kept === null ? message('store.restored') : message('store.restoredAndKept', { file: kept }),
        ...findings
      ]
      terminal.result(
        { restored: true, kept, ...(findings.length > 0 ? { findings } : {}) },
        sentences.map((one) => terminal.text(one)).join('\n')
      )
      const mayBeOn = sayLedger(outputs)
      if (mayBeOn) terminal.warn(mayBeOn)
      return findings.length > 0 ? exitCodes.attention : exitCodes.done
    }
    default:
      throw usageError(message('terminal.takes', { what: 'data', choices: 'check, backup, backups, restore' }))
  }
}

function watched(context: CommandContext, text: (done: number, total: number) => Message): WorkOptions {
  return { signal: context.signal, progress: sayOften(context.terminal, text) }
}
