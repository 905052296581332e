import fs from 'node:fs'
import type { Job } from '../../../preload/contract/jobs.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { parseDeviceName } from '../../../preload/contract/imei.ts'
import { putTextsBeside } from '../../messages/json.ts'
import { createTexts } from '../../messages/texts.ts'
import { verifyJsonReport } from '../../reports/json.ts'
import { readAnswers } from '../answers.ts'
import type { Command, CommandValues } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { exitCodes } from '../exitCodes.ts'
import { required } from '../inputs.ts'
import { runChecklist } from '../jobRunner.ts'
import { openDevice } from '../openDevice.ts'
import { usageError } from '../usage.ts'
import { writeOut } from '../writeOut.ts'

export const runJob: Command = async (context, [verb, id], values) => {
  switch (verb) {
    case 'new':
      return create(context, values)
    case 'run':
      return run(context, required(id, 'The id of the job'), values)
    case 'show': {
      const job = (await context.core()).jobs.show(required(id, 'The id of the job'))
      context.terminal.result(job, describe(job, (message) => context.terminal.text(message)))
      return exitCodes.done
    }
    case 'templates': {
      const templates = (await context.core()).jobs.templates()
      context.terminal.result(templates, templates.map((template) => `${template.id}  ${context.terminal.text(template.name)}: ${context.terminal.text(template.description)}`).join('\n'))
      return exitCodes.done
    }
    case 'report':
      return report(context, required(id, 'The id of the job'), values)
    case 'verify':
      return verify(context, required(id, 'The report file'))
    default:
      throw usageError('job takes new, run, list, show, templates, report or verify.')
  }
}

async function create(context: CommandContext, values: CommandValues): Promise<number> {
  const templateId = required(values.template, '--template')
  const host = required(values.device, '--device')
  const { jobs } = await context.core({ profileId: values.profile })
  if (!jobs.templates().some((template) => template.id === templateId)) {
    throw usageError(`There is no checklist "${templateId}": ${jobs.templates().map((template) => template.id).join(', ')}.`)
  }
  const opened = await openDevice(context, host)
  const { value } = await opened.client.system.info({ signal: context.signal, timeoutMs: context.common.timeoutMs })
  const name = value.hostname === undefined ? undefined : parseDeviceName(value.hostname)
  if (!name) {
    throw new AppError(
      'UNREADABLE',
      `${host} calls itself "${value.hostname ?? 'nothing'}": that is no <model>-<IMEI> with a valid check digit. Do not work on it.`
    )
  }
  if (opened.imei !== null && opened.imei !== name.imei) {
    throw new AppError('WRONG_DEVICE', `At ${host} answers ${value.hostname}. Choose the right device.`)
  }
  const open = values.another === true ? undefined : jobs.openOfDevice(name.imei)
  if (open) {
    throw new AppError('CONFLICT', message('jobs.otherJobOpen', { id: open.id, template: open.template.name, state: open.state }))
  }
  const id = jobs.create({
    templateId,
    device: { ...name, address: opened.address },
    vehicleText: values.vehicle ?? '',
    customer: values.customer ?? ''
  })
  context.terminal.result({ id }, id)
  return exitCodes.done
}

async function run(context: CommandContext, id: string, values: CommandValues): Promise<number> {
  const answers = values.answers === undefined ? undefined : readAnswers(values.answers)
  const core = await context.core()
  const { job, code } = await runChecklist(context, core, id, answers)
  context.terminal.result(job, describe(job, (message) => context.terminal.text(message)))
  return code
}

async function report(context: CommandContext, id: string, values: CommandValues): Promise<number> {
  const format = required(values.format, '--format')
  if (format !== 'pdf' && format !== 'csv' && format !== 'json') throw usageError('--format takes pdf, csv or json.')
  const out = required(values.out, '--out FILE')
  const { language } = values
  if (language !== undefined && language !== 'en' && language !== 'es') throw usageError('--language takes en or es.')
  const { content, mediaType } = await (await context.core()).report({ jobId: id, format, language })
  writeOut(out, content)
  context.terminal.result({ file: out, mediaType, bytes: content.length }, `Report written to ${out}.`)
  return exitCodes.done
}

function verify(context: CommandContext, file: string): number {
  let text: Uint8Array
  try {
    text = fs.readFileSync(file)
  } catch (error) {
    throw new AppError('INVALID_REQUEST', `${file} cannot be read. Check the name.`, { cause: error })
  }
  const result = verifyJsonReport(text)
  const { say } = createTexts()
  context.terminal.result(putTextsBeside(result, say), [...(result.ok ? [message('report.check.whole')] : []), ...result.findings].map(say).join('\n'))
  return result.ok ? exitCodes.done : exitCodes.attention
}

const marks: Record<Job['steps'][number]['state'], string> = {
  waiting: '○',
  running: '◌',
  pass: '✔',
  warn: '▲',
  fail: '✖',
  unreadable: '?',
  waived: '⊘',
  deferred: '◷',
  notApplicable: '–'
}

function describe(job: Job, say: (message: Message | null) => string): string {
  const steps = job.steps.map((step) => {
    const witness = step.witness.length > 0 ? ` [${step.witness.join(', ')}]` : ''
    return `  ${marks[step.state]} ${say(step.title)}: ${step.state}${step.summary ? `, ${say(step.summary)}` : ''}${witness}`
  })
  return [`${say(job.template.name)} ${job.id}: ${job.state}`, `  ${job.device.model} ${job.device.imei}, vehicle ${job.vehicle?.name ?? '-'}`, ...steps].join('\n')
}
