import type { Job } from '../../../preload/contract/job/jobs.ts'
import { asMessage, message, type Message } from '../../../preload/contract/messages.ts'
import type { Verdicts } from '../../../preload/contract/support/diagnosis.ts'
import type { Snapshot } from '../../../preload/contract/support/snapshots.ts'
import { openBundle } from '../../support/diagnosis/bundles/openBundle.ts'
import type { Bundle } from '../../support/diagnosis/bundles/opened.ts'
import { seenIn, snapshotsIn } from '../../support/diagnosis/bundles/evidenceIn.ts'
import { diagnose } from '../../support/diagnosis/diagnosis.ts'
import { compareSnapshots } from '../../support/diagnosis/snapshots/compare.ts'
import type { Command } from '../command.ts'
import { standardMeasures } from '../diagnosisMeasures.ts'
import { sayDiagnosis } from '../output/diagnosisOutput.ts'
import { exitCodes } from '../output/exitCodes.ts'
import { requireInput } from '../input/inputs.ts'
import type { Terminal } from '../output/terminal.ts'
import { usageError } from '../output/usage.ts'

/** `open FILE`: the contents of a support bundle. Needs neither a data folder nor a connection. */
export const runOpen: Command = async ({ terminal, signal }, rest) => {
  const file = requireInput(rest[0], message('terminalBundle.theFile'))
  if (rest.length > 1) throw usageError(message('terminalBundle.oneFile'))
  const bundle = await openBundle(file, { signal })
  try {
    const { manifest, job, versions, device, vehicle, evidence, selfTest } = bundle
    const { parts, ...head } = manifest
    const snapshots = await bundle.snapshots()
    const verdicts = await verdictsOf(bundle)
    const changes = changesIn(await snapshotsIn(bundle))
    terminal.result(
      {
        job,
        snapshots,
        versions,
        ...head,
        device,
        vehicle,
        evidence,
        diagnosis: verdicts && {
          headline: verdicts.headline,
          brokenAt: verdicts.brokenAt,
          chain: verdicts.chain,
          findings: verdicts.findings
        },
        changes,
        selfTest,
        parts,
        timeline: terminal.isJson ? await bundle.timeline() : []
      },
      terminal.isJson ? '' : await summaryOf(bundle, { verdicts, changes, snapshots: snapshots.length }, terminal.text)
    )
  } finally {
    await bundle.close()
  }
  return exitCodes.done
}

/** In the order for support: the subject, who wrote it and when, and its state. */
async function summaryOf(
  { manifest, versions, job, selfTest, ...bundle }: Bundle,
  { verdicts, changes, snapshots }: { verdicts: Verdicts | null; changes: Message[]; snapshots: number },
  text: Terminal['text']
): Promise<string> {
  const { subject, writtenAt, fitter, by, isTraining, masked, holds, parts } = manifest
  const lines: Message[] = [
    message('terminalBundle.about', {
      vehicle: subject.vehicleName ?? '-',
      imei: subject.imei ?? '-',
      model: subject.model ?? '-'
    }),
    message('terminalBundle.writer', {
      writtenAt,
      by: by === '' ? '-' : by,
      version: fitter,
      system: `${versions.system} ${versions.release}`,
      node: versions.node
    }),
    ...(isTraining ? [message('terminalBundle.training')] : []),
    ...(job ? jobLines(job) : []),
    ...sayDiagnosis(verdicts),
    ...changes,
    ...selfTest
      .filter(({ ok, notTested }) => !ok && !notTested)
      .map(({ name, detail }) => message('terminalBundle.selfTest', { name, detail })),
    message('terminalBundle.holds', {
      parts: parts.length,
      snapshots,
      photos: bundle.photos.length,
      faults: (await bundle.faults()).length
    }),
    message('terminalBundle.masked', {
      secrets: masked.secrets,
      photos: holds.photos ? 'in' : 'out',
      positions: holds.positions ? 'in' : 'out',
      names: holds.names ? 'in' : 'out'
    })
  ]
  return lines.map(text).join('\n')
}

async function verdictsOf(bundle: Bundle): Promise<Verdicts | null> {
  const seen = await seenIn(bundle, standardMeasures())
  return seen && diagnose(seen.evidence, seen.measures)
}

/** From the first snapshot of the job to the last. */
function changesIn(snapshots: readonly Snapshot[]): Message[] {
  const [before, after] = [snapshots[0], snapshots.at(-1)]
  if (!before || !after || before === after) return []
  return compareSnapshots({ before, after }).sentences.map((sentence) =>
    message('terminalBundle.changed', { takenAt: before.takenAt, sentence })
  )
}

function jobLines(job: Job): Message[] {
  const open = job.steps.filter(({ state }) => state === 'fail' || state === 'unreadable' || state === 'warn')
  return [
    message('terminalBundle.job', {
      template: job.template.name,
      state: job.state,
      id: job.id,
      technician: job.technician || '-',
      customer: job.customer || '-',
      updatedAt: job.updatedAt
    }),
    ...(job.damage ? [message('terminalBundle.damage', { why: job.damage.why })] : []),
    ...open.map(({ title, state, summary }) =>
      message('terminalBundle.step', {
        title: asMessage(title),
        state,
        summary: summary === null ? '-' : asMessage(summary)
      })
    )
  ]
}
