import { jobState } from '../../../preload/contract/jobs.ts'
import type { Command } from '../command.ts'
import { exitCodes } from '../exitCodes.ts'
import { usageError } from '../usage.ts'

export const runJobList: Command = async (context, _rest, values) => {
  const state = values.state === undefined ? undefined : jobState.safeParse(values.state)
  if (state && !state.success) throw usageError(`--state takes ${jobState.options.join(', ')}.`)
  const jobs = (await context.core()).jobs.list({ state: state?.data, search: values.search })
  const shown = jobs.map((job) => ({ ...job, template: job.template.id }))
  const plain = jobs.map((job) => `${job.id}  ${job.state}  ${job.template.name}  ${job.device.model} ${job.device.imei}  ${job.vehicle?.name ?? '-'}  ${job.updatedAt}`).join('\n') || 'No jobs.'
  context.terminal.result(shown, plain)
  return exitCodes.done
}
