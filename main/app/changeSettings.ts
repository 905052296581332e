import { AppError } from '../../preload/contract/errors.ts'
import { message, type Message } from '../../preload/contract/messages.ts'
import type { Settings } from '../../preload/contract/app/settings.ts'
import { findKeyProblem, type KeyProblem } from '../../preload/app/keys/chosen.ts'
import type { ShortcutId } from '../../preload/app/keys/keyTable.ts'
import type { SettingsStore } from '../data/store/settings.ts'

/** Stores a person's settings; conflicting keys are refused. */
export function changeSettings(settings: SettingsStore, change: Parameters<SettingsStore['change']>[0]): Settings {
  const problem = change.keys && findKeyProblem(change.keys)
  if (problem) throw new AppError('INVALID_REQUEST', sayProblem(problem))
  return settings.change(change)
}

function nameOf(id: ShortcutId): Message {
  return message(`windowKeys.name.${id}`)
}

function sayProblem(problem: KeyProblem): Message {
  switch (problem.kind) {
    case 'unknown':
      return message('windowKeys.problem.unknown')
    case 'fixed':
      return message('windowKeys.problem.fixed', { shortcut: nameOf(problem.id) })
    case 'notOneKey':
      return message('windowKeys.problem.notOneKey')
    case 'begins':
      return message('windowKeys.problem.begins', { key: problem.key.toUpperCase(), other: nameOf(problem.other) })
    case 'taken':
      return message('windowKeys.problem.taken', { key: problem.key.toUpperCase(), other: nameOf(problem.other) })
  }
}
