import type { UpdateReason } from '../../preload/contract/app/updates.ts'
import { AppError } from '../../preload/contract/errors.ts'
import { message, type Message } from '../../preload/contract/messages.ts'
import { readUpdates } from '../app/openUpdates.ts'
import { sayUpdates } from '../app/sayUpdates.ts'
import { readUpdateReasons } from '../app/updateReasons.ts'
import type { Command } from './command.ts'
import { openedFolder } from './openedFolder.ts'
import { exitCodes } from './output/exitCodes.ts'

/** `fitter updates`: what is known about new versions. It looks for none and installs none. */
export const runUpdates: Command = async ({ common, terminal, signal }) => {
  const state = readUpdates(common.dataFolder)
  const reasons: UpdateReason[] = []
  let unknown: Message | null = null
  try {
    const store = await openedFolder({ dataFolder: common.dataFolder, terminal, signal })
    reasons.push(...readUpdateReasons(store))
    store.close()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    unknown = error.sentence
  }
  const lines = [
    message('updates.installed', { version: state.installed, channel: state.channel }),
    sayUpdates(state),
    ...(state.policy?.version ? [message('updates.pin', { version: state.policy.version })] : []),
    ...(state.previous ? [message('updates.kept', state.previous)] : []),
    ...reasons.map(({ title }) => message('updates.waits', { why: title })),
    ...(unknown ? [message('updates.reasonsUnknown', { why: unknown })] : [])
  ]
  const { installed, channel, notByItself, latest, checkedAt, policy, previous } = state
  terminal.result(
    { installed, channel, notByItself, latest, checkedAt, policy, previous, reasons, reasonsUnknown: unknown },
    lines.map((line) => terminal.text(line)).join('\n')
  )
  return exitCodes.done
}
