import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { CallOutput, HandlersOf } from '../../../preload/contract/index.ts'
import type { Connections } from '../../gateway/accounts/connections.ts'
import { signIn } from '../../gateway/accounts/signIn.ts'
import type { WorkspaceDevices } from './devices.ts'

export function createWorkspaceHandlers(
  { workspace, lines, limits, signals, track }: WorkspaceDevices,
  { connections, compare }: { connections: Connections; compare(key: string): Promise<CallOutput<'workspace.compare'>> }
): HandlersOf<'workspace'> {
  return {
    'workspace.read': (input, signal) => workspace.read(input, signal),
    'workspace.compare': ({ key }) => compare(key),
    'workspace.limits': () => limits(),
    'workspace.closeView': ({ view }) => workspace.closeView(view),
    'workspace.link': ({ key }, signal) => workspace.link(key, signal),
    'workspace.change': (input, signal) => workspace.change(input, signal),
    'workspace.scanWifi': (input, signal) => workspace.scanWifi(input, signal),
    'workspace.checkUpdate': (input, signal) => workspace.checkUpdate(input, signal),
    'workspace.exec': (input, signal) => workspace.exec(input, signal),
    'workspace.history': (input) => workspace.history(input),
    'workspace.signals': (input) => signals(input),
    'workspace.track': (input) => track(input),
    'workspace.lines': ({ key, since }) => lines.story(key, since),
    'workspace.watchOutput': ({ key, out }) => lines.watch(key, out),
    'workspace.armOutput': ({ key, out }) => lines.arm(key, out),
    'workspace.switchOff': ({ key, out }) => lines.switchOff(key, out),
    'workspace.checkEcuList': (input) => workspace.checkEcuList(input),
    'workspace.ecuPresets': () => workspace.ecuPresets(),
    'workspace.startRun': (input) => workspace.startRun(input),
    'workspace.runs': () => ({ runs: workspace.runs() }),
    'workspace.stopRun': ({ id }) => workspace.stopRun(id),
    'workspace.continueRun': ({ id, alsoUnknown }) => workspace.continueRun(id, alsoUnknown),
    'workspace.requiredApps': () => ({ names: workspace.requiredApps() }),
    'workspace.setRequiredApps': ({ names }) => ({ names: workspace.setRequiredApps(names) }),
    'workspace.signInState': ({ key }) => connections.signInState(connections.seen(key)),
    'workspace.keepDefaults': (credentials) => connections.devices.keepDefaults(credentials),
    'workspace.forgetDefaults': () => connections.devices.forgetDefaults(),
    'workspace.tryDefaults': async ({ key }, signal) => {
      const credentials = await connections.devices.defaults()
      if (!credentials) throw new AppError('NOT_FOUND', message('workspace.noDefaults'))
      return signIn(connections, connections.seen(key), credentials, false, signal)
    }
  }
}
