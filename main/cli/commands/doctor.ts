import type { Finding } from '../../../preload/contract/app.ts'
import type { Message } from '../../../preload/contract/messages.ts'
import { quicklyChecked, runDoctor } from '../../app/doctor.ts'
import { sayLedger } from '../../outputs/sayLedger.ts'
import { openStore, type Store } from '../../store/index.ts'
import { putTextsBeside } from '../../messages/json.ts'
import { createTexts } from '../../messages/texts.ts'
import type { Command } from '../command.ts'
import { exitCodes } from '../exitCodes.ts'
import { sayMigration } from '../progress.ts'

export const runDoctorCommand: Command = async (context) => {
  const { dataFolder } = context.common
  const connections = await context.connections()
  const { say } = createTexts()
  context.terminal.say('Listening for a moment, and asking everything once …')
  connections.discovery.watch()
  async function inStore<T>(look: (store: Store) => T): Promise<Awaited<T>> {
    const store = openStore(dataFolder, sayMigration(context.terminal))
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
    mayBeOn: () => inStore((store) => sayLedger(store.outputLedger.open()))
  })
  context.terminal.result(
    findings.map(({ name, ok, detail, remedy }) => putTextsBeside({ name, ok, detail, remedy: remedy ?? '' }, say)),
    toText(findings, say)
  )
  return findings.every((finding) => finding.ok) ? exitCodes.done : exitCodes.attention
}

const groupTitles = { network: 'Network', devices: 'Devices', computer: 'This computer', gateway: 'Gateway' } as const

/** Grouped by what they are about; a remedy stands below its finding. */
function toText(findings: Finding[], say: (message: Message) => string): string {
  const parts = (Object.keys(groupTitles) as (keyof typeof groupTitles)[]).flatMap((group) => {
    const own = findings.filter((finding) => (finding.group ?? 'computer') === group)
    const lines = own.map(({ name, ok, detail, remedy }) => `  ${ok ? 'ok ' : 'FIX'}  ${say(name)}: ${say(detail)}${remedy ? `\n       -> ${say(remedy)}` : ''}`)
    return own.length === 0 ? [] : [`${groupTitles[group]}\n${lines.join('\n')}`]
  })
  const broken = findings.filter((finding) => !finding.ok).length
  return `${parts.join('\n')}\n${broken === 0 ? 'Everything that was looked at works.' : `${broken} of ${findings.length} need a look: see FIX.`}`
}
