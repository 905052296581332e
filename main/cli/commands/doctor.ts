import { runDoctor } from '../../doctor.ts'
import { openStore } from '../../store/index.ts'
import type { Command } from '../command.ts'
import { exitCodes } from '../exitCodes.ts'

export const runDoctorCommand: Command = async (context) => {
  const { dataFolder } = context.common
  const reach = context.reach()
  reach.discovery.watch()
  const findings = await runDoctor(reach, {
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
  const plain = findings.map(({ name, ok, detail, remedy }) => `${ok ? 'ok  ' : 'FIX '} ${name}: ${detail}${remedy ? `\n       ${remedy}` : ''}`).join('\n')
  context.terminal.result(findings, plain)
  return findings.every((finding) => finding.ok) ? exitCodes.done : exitCodes.attention
}
