import type { Finding } from '../../../preload/contract/app/app.ts'
import { message } from '../../../preload/contract/messages.ts'
import { quicklyChecked, runDoctor } from '../../app/doctor.ts'
import { readUpdates } from '../../app/openUpdates.ts'
import { sayLedger } from '../../outputs/sayLedger.ts'
import type { Store } from '../../store/index.ts'
import type { Command } from '../command.ts'
import { exitCodes } from '../output/exitCodes.ts'
import { openedFolder } from '../openedFolder.ts'
import type { Terminal } from '../output/terminal.ts'

export const runDoctorCommand: Command = async (context) => {
  const { dataFolder } = context.common
  const connections = await context.connections()
  const { text } = context.terminal
  context.terminal.say(message('terminal.doctorStarts'))
  connections.discovery.watch()
  // Settings are read before the data folder is checked, because it can be opened only once at a time.
  await connections.gateway.status()
  async function inStore<T>(look: (store: Store) => T): Promise<Awaited<T>> {
    const store = await openedFolder({ dataFolder: context.common.dataFolder, terminal: context.terminal, signal: context.signal })
    try {
      return await look(store)
    } finally {
      store.close()
    }
  }
  const findings = await runDoctor(connections, {
    dataFolder,
    isTerminal: true,
    checkData: () => inStore((store) => store.check({ newest: quicklyChecked, signal: context.signal })),
    updates: readUpdates(dataFolder),
    mayBeOn: () => inStore((store) => sayLedger(store.outputLedger.open()))
  })
  context.terminal.result(
    findings.map(({ name, ok, detail, remedy }) => ({ name, ok, detail, remedy: remedy ?? '' })),
    toText(findings, text)
  )
  return findings.every((finding) => finding.ok) ? exitCodes.done : exitCodes.attention
}

const groups = ['network', 'devices', 'computer', 'gateway'] as const

/** Grouped by topic; a remedy follows its finding. */
function toText(findings: Finding[], text: Terminal['text']): string {
  const fix = text(message('terminal.doctorFix'))
  const parts = groups.flatMap((group) => {
    const own = findings.filter((finding) => (finding.group ?? 'computer') === group)
    const lines = own.map(({ name, ok, detail, remedy }) => `  ${ok ? 'ok ' : fix}  ${text(name)}: ${text(detail)}${remedy ? `\n       -> ${text(remedy)}` : ''}`)
    return own.length === 0 ? [] : [`${text(message('terminal.doctorGroup', { group }))}\n${lines.join('\n')}`]
  })
  const broken = findings.filter((finding) => !finding.ok).length
  return `${parts.join('\n')}\n${text(broken === 0 ? message('common.allChecksPassed') : message('terminal.doctorBroken', { broken, total: findings.length }))}`
}
