import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { logLevels, logTopics, type LogEntry } from '../../preload/contract/app/activity.ts'
import { message } from '../../preload/contract/messages.ts'
import { isWithin } from '../support/activity/activity.ts'
import { logFolderName, readLogFolder } from '../support/activity/logFile.ts'
import type { Command } from './command.ts'
import { readWhole } from './input/inputs.ts'
import { exitCodes } from './output/exitCodes.ts'
import { usageError } from './output/usage.ts'

const lookEveryMs = 500

/** `fitter logs`: the log of a data folder, which stays closed; a window may be writing it. */
export const runLogs: Command = async ({ common, terminal, signal }, _rest, values) => {
  const level = logLevels.find((one) => one === (values.level ?? 'debug'))
  const topic = logTopics.find((one) => one === values.topic)
  if (level === undefined)
    throw usageError(message('terminal.takes', { what: '--level', choices: logLevels.join(', ') }))
  if (values.topic !== undefined && topic === undefined)
    throw usageError(message('terminal.takes', { what: '--topic', choices: logTopics.join(', ') }))
  const limit = readWhole(values.limit, { what: '--limit', least: 1, most: 1_000_000, usual: 200 })
  const folder = path.join(common.dataFolder, logFolderName)
  let last = 0

  async function tell(most: number): Promise<void> {
    const entries = (await readLogFolder(folder)).filter(({ n }) => n > last)
    const wanted = entries.filter(
      (entry) => isWithin(entry.level, level ?? 'debug') && (topic === undefined || entry.topic === topic)
    )
    for (const entry of wanted.slice(-most)) terminal.result(entry, toText(entry))
    last = entries.at(-1)?.n ?? last
  }

  function toText({ at, level: of, topic: about, text, detail }: LogEntry): string {
    return `${at}  ${of.padEnd(7)}  ${about.padEnd(7)}  ${terminal.text(text)}${detail === null ? '' : `  ${terminal.text(detail)}`}`
  }

  await tell(limit)
  if (last === 0) terminal.say(message('terminal.noLog', { folder }))
  while (values.follow && !signal.aborted) {
    await wait(lookEveryMs, undefined, { signal }).catch(() => undefined)
    await tell(Infinity)
  }
  return exitCodes.done
}
