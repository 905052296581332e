import type { Job } from '../../../preload/contract/jobs.ts'
import { asMessage, message, type Message } from '../../../preload/contract/messages.ts'
import { openBundle } from '../../diagnosis/bundles/openBundle.ts'
import type { Bundle } from '../../diagnosis/bundles/opened.ts'
import type { Command } from '../command.ts'
import { exitCodes } from '../exitCodes.ts'
import { required } from '../inputs.ts'
import type { Terminal } from '../terminal.ts'
import { usageError } from '../usage.ts'

/** `open FILE`: what a support bundle says. It needs neither a data folder nor anybody who answers. */
export const runOpen: Command = async ({ terminal, signal }, rest) => {
  const file = required(rest[0], message('terminalBundle.theFile'))
  if (rest.length > 1) throw usageError(message('terminalBundle.oneFile'))
  const bundle = await openBundle(file, { signal })
  try {
    const { manifest, job, versions, device, vehicle, evidence, selfTest } = bundle
    const { parts, ...head } = manifest
    const snapshots = await bundle.snapshots()
    terminal.result(
      { job, snapshots, versions, ...head, device, vehicle, evidence, selfTest, parts, timeline: terminal.isJson ? await bundle.timeline() : [] },
      terminal.isJson ? '' : await summaryOf(bundle, snapshots.length, terminal.text)
    )
  } finally {
    await bundle.close()
  }
  return exitCodes.done
}

/** As somebody wants it who has to find out what is wrong: what it is about, who wrote it when, and how it stands. */
async function summaryOf({ manifest, versions, job, selfTest, ...bundle }: Bundle, snapshots: number, text: Terminal['text']): Promise<string> {
  const { subject, writtenAt, fitter, by, isTraining, masked, holds, parts } = manifest
  const lines: Message[] = [
    message('terminalBundle.about', { vehicle: subject.vehicleName ?? '-', imei: subject.imei ?? '-', model: subject.model ?? '-' }),
    message('terminalBundle.writer', { writtenAt, by: by === '' ? '-' : by, version: fitter, system: `${versions.system} ${versions.release}`, node: versions.node }),
    ...(isTraining ? [message('terminalBundle.training')] : []),
    ...(job ? jobLines(job) : []),
    ...selfTest.filter(({ ok, notTested }) => !ok && !notTested).map(({ name, detail }) => message('terminalBundle.selfTest', { name, detail })),
    message('terminalBundle.holds', { parts: parts.length, snapshots, photos: bundle.photos.length, faults: (await bundle.faults()).length }),
    message('terminalBundle.masked', { secrets: masked.secrets, photos: holds.photos ? 'in' : 'out', positions: holds.positions ? 'in' : 'out', names: holds.names ? 'in' : 'out' })
  ]
  return lines.map(text).join('\n')
}

function jobLines(job: Job): Message[] {
  const open = job.steps.filter(({ state }) => state === 'fail' || state === 'unreadable' || state === 'warn')
  return [
    message('terminalBundle.job', { template: job.template.name, state: job.state, id: job.id, technician: job.technician || '-', customer: job.customer || '-', updatedAt: job.updatedAt }),
    ...(job.damage ? [message('terminalBundle.damage', { why: job.damage.why })] : []),
    ...open.map(({ title, state, summary }) => message('terminalBundle.step', { title: asMessage(title), state, summary: summary === null ? '-' : asMessage(summary) }))
  ]
}
