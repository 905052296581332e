import type { Job } from '../../../preload/contract/job/jobs.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import { sayVerdict, type ReportVerdict } from '../../job/reports/checkReport.ts'
import { verifyJsonReport } from '../../job/reports/verify.ts'
import type { Core } from '../../app/core.ts'
import { readSealKeys } from '../../data/store/jobs/sealKeys.ts'
import { readAnswers } from '../input/answers.ts'
import type { Command, CommandValues } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { exitCodes } from '../output/exitCodes.ts'
import type { Terminal } from '../output/terminal.ts'
import { requireInput } from '../input/inputs.ts'
import { readBounded } from '../input/readBounded.ts'
import { runChecklist } from '../jobRunner.ts'
import { readOrderFile } from '../input/orderFile.ts'
import { nameOfDevice } from '../nameOfDevice.ts'
import { sayHandedOver } from '../output/sayHandedOver.ts'
import { usageError } from '../output/usage.ts'
import { handOver, takeOver, printTakeOver } from './jobTransfer.ts'
import { writeOut } from '../output/writeOut.ts'
import { vehicleNameOf } from '../../../preload/job/vehicleName.ts'

/** The pictures of a job are in its report. */
const mostReportBytes = 200_000_000

export const runJob: Command = async (context, [verb, ...rest], values) => {
  const [id] = rest
  switch (verb) {
    case 'new':
      return create(context, values)
    case 'run':
      return run(context, requireInput(id, message('terminal.theJob')), values)
    case 'show': {
      const job = (await context.core()).jobs.show(requireInput(id, message('terminal.theJob')))
      context.terminal.result({ ...job, damaged: job.damage !== undefined }, describe(job, context.terminal.text))
      return exitCodes.done
    }
    case 'templates': {
      const templates = (await context.core()).jobs.templates()
      context.terminal.result(
        templates,
        templates
          .map(
            (template) =>
              `${template.id}  ${context.terminal.text(template.name)}: ${context.terminal.text(template.description)}`
          )
          .join('\n')
      )
      return exitCodes.done
    }
    case 'order': {
      const job = requireInput(id, message('terminal.theJob'))
      const { order } = await readOrderFile(requireInput(values.order, '--order FILE'), [values.vehicle], {
        terminal: context.terminal,
        encoding: values.encoding
      })
      const { jobs } = await context.core()
      jobs.changeOrder(job, order)
      context.terminal.result(jobs.show(job), describe(jobs.show(job), context.terminal.text))
      return exitCodes.done
    }
    case 'export':
      return handOver(context, rest, values)
    case 'import':
      return takeOver(context, requireInput(id, message('terminal.theHandover')))
    case 'take-back': {
      const core = await context.core()
      return printTakeOver(
        context,
        await core.transfers.takeBack(
          requireInput(id, message('terminal.theJob')),
          requireInput(values.reason, '--reason TEXT')
        )
      )
    }
    case 'report':
      return report(context, requireInput(id, message('terminal.theJob')), values)
    case 'verify':
      return verify(context, requireInput(id, message('terminal.theReport')), values)
    default:
      throw usageError(
        message('terminal.takes', {
          what: 'job',
          choices: 'new, order, run, batch, list, show, templates, report, verify, export, import, take-back'
        })
      )
  }
}

async function create(context: CommandContext, values: CommandValues): Promise<number> {
  const ordered =
    values.order === undefined
      ? undefined
      : await readOrderFile(values.order, [values.vehicle, values.device], {
          terminal: context.terminal,
          encoding: values.encoding
        })
  const templateId = requireInput(values.template ?? ordered?.template, '--template')
  const host = requireInput(values.device ?? ordered?.device, '--device')
  const { jobs } = await context.core({ profileId: values.profile })
  if (!jobs.templates().some((template) => template.id === templateId)) {
    throw usageError(
      message('terminal.noSuch', {
        kind: 'checklist',
        name: templateId,
        choices: jobs
          .templates()
          .map((template) => template.id)
          .join(', ')
      })
    )
  }
  const { imei, model, address } = await nameOfDevice(context, host)
  const open = values.another === true ? undefined : jobs.openOfDevice(imei)
  if (open) {
    throw new AppError(
      'CONFLICT',
      message('jobs.otherJobOpen', { id: open.id, template: open.template.name, state: open.state })
    )
  }
  const id = jobs.create({
    templateId,
    device: { imei, model, address },
    vehicleText: values.vehicle ?? '',
    customer: values.customer ?? '',
    order: ordered?.order ?? null
  })
  context.terminal.result({ id }, id)
  return exitCodes.done
}

async function run(context: CommandContext, id: string, values: CommandValues): Promise<number> {
  const answers = values.answers === undefined ? undefined : readAnswers(values.answers)
  const core = await context.core()
  const { job, code } = await runChecklist(context, core, id, answers)
  context.terminal.result(job, describe(job, context.terminal.text))
  return code
}

async function report(context: CommandContext, id: string, values: CommandValues): Promise<number> {
  const format = requireInput(values.format, '--format')
  if (format !== 'pdf' && format !== 'evidence' && format !== 'csv' && format !== 'json' && format !== 'html')
    throw usageError(message('terminal.takes', { what: '--format', choices: 'pdf, evidence, csv, json, html' }))
  const out = requireInput(values.out, '--out FILE')
  const { language } = context.common
  const core = await context.core()
  const { content, mediaType, unprintable } = await core.report({ jobId: id, format, language, font: values.font })
  if (unprintable !== undefined) context.terminal.warn(message('terminal.unprintable', { characters: unprintable }))
  writeOut(out, content)
  const beside = format === 'pdf' ? await writeBeside(core, { id, out, language, font: values.font }) : {}
  context.terminal.result(
    {
      file: out,
      mediaType,
      bytes: content.length,
      ...beside,
      ...(unprintable === undefined ? {} : { unprintable })
    },
    message('terminal.reportWritten', { file: out })
  )
  return exitCodes.done
}

/** Beside the customer's page: the evidence, and the page that verifies the seal. `report.pdf` has `report.html`. */
async function writeBeside(
  core: Core,
  { id, out, language, font }: { id: string; out: string; language: string | undefined; font: string | undefined }
): Promise<{ evidence: string; page: string }> {
  const name = out.replace(/\.pdf$/i, '')
  const files = { evidence: `${name}-evidence.pdf`, page: `${name}.html` }
  writeOut(files.evidence, (await core.report({ jobId: id, format: 'evidence', language, font })).content)
  writeOut(files.page, (await core.report({ jobId: id, format: 'html', language })).content)
  return files
}

/** The known keys. An unreadable folder does not prevent checking a file. */
function knownKeys(dataFolder: string): string[] | undefined {
  try {
    return readSealKeys(dataFolder)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

/** `--accept` accepts its own level and everything that proves more. */
const accepted: Record<string, readonly ReportVerdict[]> = {
  unknown: ['knownKey', 'unknownKey'],
  hashes: ['knownKey', 'unknownKey', 'hashesOnly'],
  unsigned: ['knownKey', 'unknownKey', 'hashesOnly', 'notSealed']
}

function verify(context: CommandContext, file: string, { accept }: CommandValues): number {
  if (accept !== undefined && !Object.hasOwn(accepted, accept))
    throw usageError(message('terminal.takes', { what: '--accept', choices: Object.keys(accepted).join(', ') }))
  const result = verifyJsonReport(readBounded(file, mostReportBytes), {
    knownKeys: knownKeys(context.common.dataFolder)
  })
  context.terminal.result(result, [sayVerdict(result), ...result.findings].map(context.terminal.text).join('\n'))
  const isGood = accept === undefined ? result.verdict === 'knownKey' : accepted[accept]?.includes(result.verdict)
  return isGood ? exitCodes.done : exitCodes.attention
}

const marks: Record<Job['steps'][number]['state'], string> = {
  waiting: '○',
  running: '◌',
  pass: '✔',
  received: '↓',
  warn: '▲',
  fail: '✖',
  unreadable: '?',
  waived: '⊘',
  deferred: '◷',
  notApplicable: '–'
}

function describe(job: Job, text: Terminal['text']): string {
  const steps = job.steps.map((step) => {
    const witness = step.witness.length > 0 ? ` [${step.witness.join(', ')}]` : ''
    return `  ${marks[step.state]} ${text(step.title)}: ${text(message('terminal.stepState', { state: step.state }))}${step.summary ? `, ${text(step.summary)}` : ''}${witness}`
  })
  const vehicle = text(
    message('terminal.jobVehicle', {
      device: `${job.device.model} ${job.device.imei}`,
      vehicle: vehicleNameOf(job) || '-'
    })
  )
  const damage = job.damage ? [`  ${text(message('damage.mark'))}: ${text(job.damage.why)}`] : []
  return [
    `${text(job.template.name)} ${job.id}: ${job.state}`,
    ...damage,
    ...(job.handedOver ? [`  ${text(sayHandedOver(job.handedOver))}`] : []),
    `  ${vehicle}`,
    ...steps
  ].join('\n')
}
