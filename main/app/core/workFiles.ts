import path from 'node:path'
import { createBundles } from '../../support/diagnosis/bundles/bundles.ts'
import type { BundleSources } from '../../support/diagnosis/bundles/sources.ts'
import { createTransferFiles } from '../../job/jobs/handover/transferFiles.ts'
import { createTransfers } from '../../job/jobs/handover/transfers.ts'
import { createJobExports } from '../../job/reports/jobExports.ts'
import {
  makeReport,
  sourceOfCopy,
  type CopiedJob,
  type ReportSource,
  type ReportWish
} from '../../job/reports/jobReport.ts'
import { createReportFont } from '../../job/reports/reportFont.ts'
import { createWorkNumbers } from '../../job/reports/workNumbers.ts'
import { bundleSubjectOf, createBundleSources, type BundleSourceParts } from '../bundleSources.ts'
import { isTrainingFolder } from '../dataFolder.ts'
import { version } from '../version.ts'
import type { DeviceWork } from './deviceWork.ts'
import type { CoreOptions, Foundation } from './foundation.ts'
import type { GatewayRecords } from './gatewayRecords.ts'
import type { GatewayWork } from './gatewayWork.ts'
import { readerOf } from '../../../preload/base/messages/settings.ts'

export interface WorkFilesParts
  extends
    Pick<BundleSourceParts, 'team'>,
    Pick<DeviceWork, 'jobs' | 'outputs' | 'diagnosis' | 'measures' | 'snapshots'>,
    Pick<GatewayWork, 'operations'>,
    Pick<GatewayRecords, 'vehicles'> {
  options: CoreOptions
}

/** Files for others: reports, tables, support bundles, and hand-over files. */
export function buildWorkFiles(
  { store, connections, events, sealKey, technician }: Foundation,
  { options, jobs, outputs, diagnosis, measures, snapshots, operations, vehicles, team }: WorkFilesParts
) {
  const { dataFolder, reportFault } = options
  let bundleAnswers: BundleSources['answers'] = () => Promise.resolve([])

  const reportFont = createReportFont(store.reportFont)

  function reportSource(): ReportSource {
    const reader = readerOf(store.settings.get())
    return {
      jobs,
      readPicture: (sha256) => store.attachments.read(sha256),
      sign: (text) => sealKey.sign(text),
      reader,
      font: reportFont.path(),
      appVersion: version,
      isTraining: isTrainingFolder(dataFolder),
      redact: (text) => connections.redactor.text(text),
      isDiverged: (jobId) => store.teamForks.stoppedBy(jobId)?.id === 'team.fork'
    }
  }

  const transfers = createTransfers({
    log: store.jobs,
    isThroughTeam: (id) => store.teamHolding.offer(id) !== undefined,
    handovers: store.handovers,
    attachments: store.attachments,
    snapshots: {
      ofJob: (jobId, sha256) => snapshots.named(jobId, sha256),
      refusal: (text, jobId) => snapshots.refusal(text, jobId),
      adopt: (text, jobId) => snapshots.adopt(text, jobId)
    },
    operations,
    jobs,
    together: (work) => store.together(work),
    technician,
    folderMark: () => store.teamPush.folderMark(),
    isTraining: isTrainingFolder(dataFolder),
    clockDifferenceMs: () => connections.gateway.clockDifferenceMs()
  })
  const bundleParts = {
    store,
    jobs,
    operations,
    connections,
    vehicles,
    outputs,
    diagnosis,
    measures,
    team,
    dataFolder,
    isWindow: options.background ?? false,
    answers: (...asked: Parameters<BundleSources['answers']>) => bundleAnswers(...asked)
  }
  return {
    reportFont,
    /** The report of a job in one of its forms, without secrets. */
    report: (wish: ReportWish) => makeReport(reportSource(), wish),
    reportOfCopy: (copy: CopiedJob, wish: Omit<ReportWish, 'jobId'>) =>
      makeReport(sourceOfCopy(reportSource(), copy), { jobId: copy.job.id, ...wish }),
    exports: createJobExports({
      folder: path.join(dataFolder, 'fitter.exports'),
      page: (request) => jobs.list(request),
      facets: (filter) => store.jobFacets(filter),
      source: reportSource,
      events,
      reportFault
    }),
    numbers: createWorkNumbers({ store, reader: () => reportSource().reader, reportFault }),
    transfers,
    /** The same for the window, which transfers files in pieces. */
    transferFiles: createTransferFiles({ folder: transferFolder(dataFolder), transfers }),
    bundles: createBundles({
      folder: path.join(dataFolder, 'fitter.bundles'),
      sources: createBundleSources(bundleParts),
      subjectOf: (about) => bundleSubjectOf(about, bundleParts),
      events,
      reportFault
    }),
    /** From now on bundles contain recorded answers for screens; the parameter asks for them. */
    answerBundlesWith(ask: BundleSources['answers']): void {
      bundleAnswers = ask
    }
  }
}

export type WorkFiles = ReturnType<typeof buildWorkFiles>

export function transferFolder(dataFolder: string): string {
  return path.join(dataFolder, 'fitter.transfers')
}
