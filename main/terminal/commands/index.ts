import type { CommandDefinition, CommandEnd, CommandGroup, CommandValues } from '../command.ts'

const loadDevice = async () => (await import('./device.ts')).runDevice
const loadGateway = async () => (await import('./gateway.ts')).runGateway
const loadJob = async () => (await import('./job.ts')).runJob
const loadTemplates = async () => (await import('./templates.ts')).runTemplates
const loadOperations = async () => (await import('./operations.ts')).runOperations
const loadData = async () => (await import('./data.ts')).runData
const loadTeam = async () => (await import('./team.ts')).runTeam
const loadProfile = async () => (await import('./profile.ts')).runProfile
const loadPolicy = async () => (await import('./policy.ts')).runPolicy
const loadSnapshot = async () => (await import('./snapshot.ts')).runSnapshot

/** Work in the data folder: it takes time with years of jobs. */
const folderS = 120
const requestS = 30
const longS = 900
const hourS = 3_600

/** Every command with its time limit, in the order of the help. */
export const commandGroups: readonly CommandGroup[] = [
  {
    title: 'terminalHelp.groupDevices',
    commands: [
      {
        name: 'discover',
        help: 'terminalHelp.discover',
        end: requestS,
        longer: { option: 'watch', end: 'stopped' },
        load: async () => (await import('./discover.ts')).runDiscover
      },
      { name: 'device HOST read', help: 'terminalHelp.deviceRead', end: requestS, load: loadDevice },
      // An output that is on goes off before the command ends.
      { name: 'device HOST call', help: 'terminalHelp.deviceCall', end: folderS, load: loadDevice },
      { name: 'snapshot', help: 'terminalHelp.snapshot', end: requestS, load: loadSnapshot },
      { name: 'snapshot diff', help: 'terminalHelp.snapshotDiff', end: requestS, load: loadSnapshot },
      { name: 'profile save', help: 'terminalHelp.profileSave', end: folderS, load: loadProfile },
      { name: 'profile apply', help: 'terminalHelp.profileApply', end: longS, load: loadProfile },
      { name: 'profile list', help: 'terminalHelp.profileList', end: folderS, load: loadProfile },
      { name: 'profile show', help: 'terminalHelp.profileShow', end: folderS, load: loadProfile },
      { name: 'profile export', help: 'terminalHelp.profileExport', end: folderS, load: loadProfile },
      { name: 'profile import', help: 'terminalHelp.profileImport', end: folderS, load: loadProfile },
      { name: 'profile remove', help: 'terminalHelp.profileRemove', end: folderS, load: loadProfile }
    ]
  },
  {
    title: 'terminalHelp.groupGateway',
    commands: [
      { name: 'gateway status', help: 'terminalHelp.gatewayStatus', end: requestS, load: loadGateway },
      { name: 'gateway login', help: 'terminalHelp.gatewayLogin', end: requestS, load: loadGateway },
      { name: 'gateway logout', help: 'terminalHelp.gatewayLogout', end: requestS, load: loadGateway },
      {
        name: 'gateway call',
        help: 'terminalHelp.gatewayCall',
        end: requestS,
        longer: { option: 'all', end: hourS },
        load: loadGateway
      },
      { name: 'gateway copy', help: 'terminalHelp.gatewayCopy', end: hourS, load: loadGateway },
      { name: 'operations list', help: 'terminalHelp.operationsList', end: folderS, load: loadOperations },
      { name: 'operations retry', help: 'terminalHelp.operationsRetry', end: folderS, load: loadOperations },
      { name: 'operations drop', help: 'terminalHelp.operationsDrop', end: folderS, load: loadOperations },
      { name: 'operations close', help: 'terminalHelp.operationsClose', end: folderS, load: loadOperations },
      { name: 'operations pause', help: 'terminalHelp.operationsPause', end: folderS, load: loadOperations },
      { name: 'operations resume', help: 'terminalHelp.operationsResume', end: folderS, load: loadOperations },
      {
        name: 'sync',
        help: 'terminalHelp.sync',
        end: longS,
        load: async () => (await import('./operations.ts')).runSync
      }
    ]
  },
  {
    title: 'terminalHelp.groupJobs',
    commands: [
      { name: 'job new', help: 'terminalHelp.jobNew', end: folderS, load: loadJob },
      { name: 'job order', help: 'terminalHelp.jobOrder', end: folderS, load: loadJob },
      { name: 'job run', help: 'terminalHelp.jobRun', end: 'person', load: loadJob },
      {
        name: 'job batch',
        help: 'terminalHelp.jobBatch',
        end: 'person',
        load: async () => (await import('./jobBatch.ts')).runJobBatch
      },
      {
        name: 'job list',
        help: 'terminalHelp.jobList',
        end: folderS,
        load: async () => (await import('./jobList.ts')).runJobList
      },
      { name: 'job show', help: 'terminalHelp.jobShow', end: folderS, load: loadJob },
      { name: 'job report', help: 'terminalHelp.jobReport', end: folderS, load: loadJob },
      { name: 'job verify', help: 'terminalHelp.jobVerify', end: requestS, load: loadJob },
      { name: 'job export', help: 'terminalHelp.jobExport', end: longS, load: loadJob },
      { name: 'job import', help: 'terminalHelp.jobImport', end: longS, load: loadJob },
      { name: 'job take-back', help: 'terminalHelp.jobTakeBack', end: folderS, load: loadJob },
      { name: 'job templates', help: 'terminalHelp.jobTemplates', end: folderS, load: loadJob },
      { name: 'templates list', help: 'terminalHelp.templatesList', end: folderS, load: loadTemplates },
      { name: 'templates check', help: 'terminalHelp.templatesCheck', end: requestS, load: loadTemplates },
      { name: 'templates import', help: 'terminalHelp.templatesImport', end: folderS, load: loadTemplates },
      { name: 'templates export', help: 'terminalHelp.templatesExport', end: folderS, load: loadTemplates },
      { name: 'templates schema', help: 'terminalHelp.templatesSchema', end: requestS, load: loadTemplates }
    ]
  },
  {
    title: 'terminalHelp.groupSupport',
    commands: [
      {
        name: 'diagnose',
        help: 'terminalHelp.diagnose',
        end: 45,
        load: async () => (await import('./diagnose.ts')).runDiagnose
      },
      {
        name: 'bundle',
        help: 'terminalHelp.bundle',
        end: folderS,
        load: async () => (await import('./bundle.ts')).runBundle
      },
      { name: 'open', help: 'terminalHelp.open', end: folderS, load: async () => (await import('./open.ts')).runOpen },
      {
        name: 'explain',
        help: 'terminalHelp.explain',
        end: requestS,
        load: async () => (await import('./explain.ts')).runExplain
      },
      {
        name: 'doctor',
        help: 'terminalHelp.doctor',
        end: folderS,
        load: async () => (await import('./doctor.ts')).runDoctorCommand
      },
      {
        name: 'logs',
        help: 'terminalHelp.logs',
        end: requestS,
        longer: { option: 'follow', end: 'stopped' },
        load: async () => (await import('../runLogs.ts')).runLogs
      },
      { name: 'data check', help: 'terminalHelp.dataCheck', end: longS, load: loadData },
      { name: 'data backup', help: 'terminalHelp.dataBackup', end: longS, load: loadData },
      { name: 'data backups', help: 'terminalHelp.dataBackups', end: requestS, load: loadData },
      { name: 'data restore', help: 'terminalHelp.dataRestore', end: longS, load: loadData }
    ]
  },
  {
    title: 'terminalHelp.groupTeam',
    commands: [
      { name: 'team status', help: 'terminalHelp.teamStatus', end: folderS, load: loadTeam },
      { name: 'team join', help: 'terminalHelp.teamJoin', end: folderS, load: loadTeam },
      { name: 'team leave', help: 'terminalHelp.teamLeave', end: folderS, load: loadTeam },
      { name: 'team push', help: 'terminalHelp.teamPush', end: hourS, load: loadTeam },
      { name: 'team pull', help: 'terminalHelp.teamPull', end: longS, load: loadTeam },
      { name: 'team jobs', help: 'terminalHelp.teamJobs', end: folderS, load: loadTeam },
      { name: 'team hand-over', help: 'terminalHelp.teamHandOver', end: longS, load: loadTeam },
      { name: 'team take-over', help: 'terminalHelp.teamTakeOver', end: longS, load: loadTeam },
      { name: 'team forks', help: 'terminalHelp.teamForks', end: folderS, load: loadTeam },
      { name: 'team settle', help: 'terminalHelp.teamSettle', end: longS, load: loadTeam },
      { name: 'team prepare', help: 'terminalHelp.teamPrepare', end: folderS, load: loadTeam },
      { name: 'team assigned', help: 'terminalHelp.teamAssigned', end: folderS, load: loadTeam },
      { name: 'team withdraw', help: 'terminalHelp.teamWithdraw', end: folderS, load: loadTeam },
      { name: 'team init', help: 'terminalHelp.teamInit', end: folderS, load: loadTeam },
      { name: 'team invite', help: 'terminalHelp.teamInvite', end: folderS, load: loadTeam },
      { name: 'team remove', help: 'terminalHelp.teamRemove', end: folderS, load: loadTeam },
      { name: 'team logins', help: 'terminalHelp.teamLogins', end: folderS, load: loadTeam },
      { name: 'team retention', help: 'terminalHelp.teamRetention', end: hourS, load: loadTeam },
      { name: 'team hold', help: 'terminalHelp.teamHold', end: folderS, load: loadTeam }
    ]
  },
  {
    title: 'terminalHelp.groupFitter',
    commands: [
      {
        name: 'serve',
        help: 'terminalHelp.serve',
        end: 'stopped',
        load: async () => (await import('./serve.ts')).runServe
      },
      {
        name: 'call',
        help: 'terminalHelp.call',
        end: longS,
        load: async () => (await import('./call.ts')).runCall
      },
      {
        name: 'simulate',
        help: 'terminalHelp.simulate',
        end: 'stopped',
        longer: { option: 'jobs', end: hourS },
        load: async () => (await import('./simulate.ts')).runSimulate
      },
      {
        name: 'updates',
        help: 'terminalHelp.updates',
        end: folderS,
        load: async () => (await import('../updates.ts')).runUpdates
      },
      { name: 'policy check', help: 'terminalHelp.policyCheck', end: requestS, load: loadPolicy },
      { name: 'policy show', help: 'terminalHelp.policyShow', end: requestS, load: loadPolicy },
      { name: 'policy schema', help: 'terminalHelp.policySchema', end: requestS, load: loadPolicy },
      {
        name: 'completion',
        help: 'terminalHelp.completion',
        end: requestS,
        load: async () => (await import('./completion.ts')).completionOf(commandGroups)
      }
    ]
  }
]

const commands = commandGroups.flatMap((group) => group.commands)

function commandOf([name = '', second, third]: readonly string[]): CommandDefinition | undefined {
  const words = name === 'device' ? [name, 'HOST', third] : [name, second]
  return commands.find((one) => one.name === words.join(' '))
}

function family(name: string | undefined): CommandDefinition[] {
  return commands.filter((one) => one.name.split(' ')[0] === name)
}

/** The command of a command line; with only a known first word, the first such command, whose help lists the others. */
export function findCommand(words: readonly string[]): CommandDefinition | undefined {
  return commandOf(words) ?? family(words[0])[0]
}

/** The commands to show help for: the one with these words, or all with the same first word. */
export function findCommands(words: readonly string[]): CommandDefinition[] {
  const one = commandOf(words)
  return one ? [one] : family(words[0])
}

export function endOf({ end, longer }: CommandDefinition, values: CommandValues): CommandEnd {
  return longer !== undefined && values[longer.option] !== undefined ? longer.end : end
}
