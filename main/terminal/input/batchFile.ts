import { z } from 'zod'
import { answersFile, type AnswersFile } from '../../../preload/contract/job/jobs.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { OrderLine } from '../../../preload/contract/job/orders.ts'
import { checkAnswers, readAnswersJson } from './answers.ts'
import { readOrderLines, type OrderFileOptions } from './orderFile.ts'
import { usageError } from '../output/usage.ts'

/** Answers of a batch: common ones, and those of single devices, by the text of the column `device` or the IMEI. */
const devicesOfAnswers = z.record(z.string(), z.unknown())

export type BatchLine = OrderLine & { place: number }

/**
 * The lines of a batch, with the checklist of the command line as a default. Throws INVALID_REQUEST with the first
 * finding.
 */
export async function readBatch(
  file: string,
  { template, known, ...options }: OrderFileOptions & { template: string | undefined; known: readonly string[] }
): Promise<BatchLine[]> {
  const orders = await readOrderLines(file, options)
  if (orders.length === 0) throw usageError(message('orders.none', { file }))
  return orders.map((order, index) => {
    const line = order.line ?? index + 1
    const chosen = order.template || template
    if (order.device === '') throw usageError(message('terminalBatch.noDevice', { file, line }))
    if (!chosen) throw usageError(message('terminalBatch.noTemplate', { file, line }))
    if (!known.includes(chosen))
      throw usageError(message('terminal.noSuch', { kind: 'checklist', name: chosen, choices: known.join(', ') }))
    return { ...order, template: chosen, line, place: index + 1 }
  })
}

/** Answers of a line: its own take precedence over the common ones. */
export function readBatchAnswers(file: string): (line: BatchLine, imei: string) => AnswersFile {
  const { devices: given, ...forAll } = readAnswersJson(file)
  const devices = devicesOfAnswers.safeParse(given ?? {})
  if (!devices.success)
    throw usageError(
      message('terminal.answersForm', { field: 'devices', problem: devices.error.issues[0]?.message ?? '' })
    )
  const all = checkAnswers(forAll)
  const own = new Map(Object.entries(devices.data).map(([name, answers]) => [name, checkAnswers(answers)]))
  return ({ device }, imei) => {
    const mine = own.get(imei) ?? own.get(device)
    return answersFile.parse({ ...all, ...mine, steps: { ...all.steps, ...mine?.steps } })
  }
}
