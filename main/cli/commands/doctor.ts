import type { Finding } from '../../../preload/contract/app.ts'
import { runDoctor } from '../../app/doctor.ts'
import { openStore } from '../../store/index.ts'
import type { Command } from '../command.ts'
import { exitCodes } from '../exitCodes.ts'

export const runDoctorCommand: Command = async (context) => {
  const { dataFolder } = context.common
  const connections = await context.connections()
  context.terminal.say('Listening for a moment, and asking everything once …')
  connections.discovery.watch()
  const findings = await runDoctor(connections, {
    dataFolder,
    checkData() {
      const store = openStore(dataFolder)
      try {
        return store.check()
      } finally {
        store.close()
      }
    }
  })
  context.terminal.result(
    findings.map(({ name, ok, detail, remedy }) => ({ name, ok, detail, remedy })),
    toText(findings)
  )
  return findings.every((finding) => finding.ok) ? exitCodes.done : exitCodes.attention
}

const groupTitles = { network: 'Network', devices: 'Devices', computer: 'This computer', gateway: 'Gateway' } as const

/** Grouped by what they are about; a remedy stands below its finding. */
function toText(findings: Finding[]): string {
  const parts = (Object.keys(groupTitles) as (keyof typeof groupTitles)[]).flatMap((group) => {
    const own = findings.filter((finding) => (finding.group ?? 'computer') === group)
    const lines = own.map(({ name, ok, detail, remedy }) => `  ${ok ? 'ok ' : 'FIX'}  ${name}: ${detail}${remedy ? `\n       -> ${remedy}` : ''}`)
    return own.length === 0 ? [] : [`${groupTitles[group]}\n${lines.join('\n')}`]
  })
  const broken = findings.filter((finding) => !finding.ok).length
  return `${parts.join('\n')}\n${broken === 0 ? 'Everything that was looked at works.' : `${broken} of ${findings.length} need a look: see FIX.`}`
}
