import type { Finding } from '../../../preload/contract/app/app.ts'
import { stateOf, type FindingState } from '../../../preload/support/activity/findingState.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { TeamWork } from '../../../preload/contract/team/team.ts'
import { quicklyChecked, runDoctor } from '../../app/doctor.ts'
import { readUpdates } from '../../app/openUpdates.ts'
import { findSettingOrigins } from '../../app/settingOrigins.ts'
import { sayLedger } from '../../job/outputs/sayLedger.ts'
import type { Team } from '../../team/team.ts'
import type { Command } from '../command.ts'
import { exitCodes } from '../output/exitCodes.ts'
import { withStore } from '../openedFolder.ts'
import { withTeam } from '../withTeam.ts'
import type { Terminal } from '../output/terminal.ts'

/** `fitter doctor`: the system check; `--settings`: where each setting comes from. */
export const runDoctorCommand: Command = async (context, _rest, values) => {
  const { dataFolder } = context.common
  const connections = await context.connections()
  const { text } = context.terminal
  const policy = await context.companyPolicy()
  if (!values.settings) {
    context.terminal.say(message('terminal.doctorStarts'))
    connections.discovery.watch()
  }
  // Settings are read before the data folder is checked, because it can be opened only once at a time.
  await connections.gateway.status()
  if (values.settings) {
    const settings = await withStore(context, (store) =>
      findSettingOrigins({ store, policy: policy ?? noPolicy, given: context.common })
    )
    context.terminal.result(
      settings,
      settings
        .map(({ name, value, from, line }) =>
          text(message('terminal.settingFrom', { name, value, from, line: line ?? 0 }))
        )
        .join('\n')
    )
    return exitCodes.done
  }
  const findings = await runDoctor(connections, {
    dataFolder,
    isTerminal: true,
    checkData: () => withStore(context, (store) => store.check({ newest: quicklyChecked, signal: context.signal })),
    updates: readUpdates(dataFolder),
    mayBeOn: () => withStore(context, (store) => sayLedger(store.outputLedger.open())),
    team: () => withTeam(context, statusOf)
  })
  context.terminal.result(
    findings.map(({ name, ok, detail, remedy, part, ...finding }) => ({
      name,
      ok,
      detail,
      remedy: remedy ?? '',
      part,
      state: stateOf({ ok, ...finding })
    })),
    toText(findings, text)
  )
  return findings.every((finding) => finding.ok) ? exitCodes.done : exitCodes.attention
}

const noPolicy = { values: {}, lines: new Map() }

/** A command sends nothing automatically, so nothing failed yet. */
function statusOf(team: Pick<Team, 'status'>): TeamWork {
  return { ...team.status(), isPushing: false, problem: null, nextAt: null }
}

const groups = ['network', 'devices', 'computer', 'gateway'] as const

/** Grouped by topic; a remedy follows its finding. What was not checked is not "ok". */
function toText(findings: Finding[], text: Terminal['text']): string {
  const marks = {
    works: 'ok ',
    notTested: '?? ',
    blocked: text(message('terminal.doctorFix')),
    check: text(message('terminal.doctorFix')),
    waiting: text(message('terminal.doctorFix'))
  }
  const parts = groups.flatMap((group) => {
    const own = findings.filter((finding) => (finding.group ?? 'computer') === group)
    const lines = own.map(
      (finding) =>
        `  ${marks[stateOf(finding)]}  ${text(finding.name)}: ${text(finding.detail)}${finding.remedy ? `\n       -> ${text(finding.remedy)}` : ''}`
    )
    return own.length === 0 ? [] : [`${text(message('terminal.doctorGroup', { group }))}\n${lines.join('\n')}`]
  })
  const count = (state: FindingState): number => findings.filter((finding) => stateOf(finding) === state).length
  const unsure = count('notTested')
  const broken = findings.filter((finding) => !finding.ok).length
  const told =
    broken > 0
      ? message('terminal.doctorBroken', { broken, total: findings.length })
      : unsure > 0
        ? message('terminal.doctorUnsure', { works: count('works'), unsure })
        : message('common.allChecksPassed')
  return `${parts.join('\n')}\n${text(told)}`
}
