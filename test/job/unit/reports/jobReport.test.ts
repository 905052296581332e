import { describe, expect, it } from 'vitest'
import { isTrainingFolder, trainingFolderIn } from '../../../../main/app/dataFolder.ts'
import { makeReport, type ReportSource } from '../../../../main/job/reports/jobReport.ts'
import { verifyJsonReport } from '../../../../main/job/reports/verify.ts'
import { makePassedJob } from '../../../world/data/sampleJob.ts'

const { job, entries } = makePassedJob()
const source = (change: Partial<ReportSource> = {}): ReportSource => ({
  jobs: { show: () => job, journal: () => entries },
  reader: { language: 'en', units: 'metric', timeZone: 'UTC' },
  appVersion: '0.1.0',
  isTraining: false,
  redact: (text) => text,
  ...change
})

describe('the report of a job', () => {
  it('is in the language of the person, unless another one is asked for', async () => {
    const own = await makeReport(source(), { jobId: job.id, format: 'json' })
    const other = await makeReport(source(), { jobId: job.id, format: 'json', language: 'es' })
    const read = ({ content }: { content: Uint8Array }) => JSON.parse(Buffer.from(content).toString('utf8'))
    expect([read(own).language, read(other).language]).toEqual(['en', 'es'])
    expect(read(other).texts.verdict).toBe('Correcto: se confirmó cada paso que corresponde.')
    // What is sealed is data: the same in every language.
    expect(read(other).job).toEqual(read(own).job)
    expect(verifyJsonReport(other.content)).toMatchObject({ ok: true })
  })

  it('names the characters that its PDF cannot show, and a report that shows all of them names none', async () => {
    const withCustomer = (customer: string) =>
      source({ jobs: { show: () => ({ ...job, customer }), journal: () => entries } })
    expect((await makeReport(withCustomer('\u{13000} Acme'), { jobId: job.id, format: 'pdf' })).unprintable).toBe(
      '\u{13000}'
    )
    expect(await makeReport(withCustomer('Łódź שלום'), { jobId: job.id, format: 'pdf' })).not.toHaveProperty(
      'unprintable'
    )
    expect(await makeReport(withCustomer('\u{13000} Acme'), { jobId: job.id, format: 'json' })).not.toHaveProperty(
      'unprintable'
    )
  })

  it('is printed with the font that the person chose, unless another one is asked for', async () => {
    const fonts: (string | undefined)[] = []
    const own = source({
      font: '/fonts/own.ttf',
      makePdf: ({ chosenFont }) => (fonts.push(chosenFont), Promise.resolve(new Uint8Array()))
    })
    await makeReport(own, { jobId: job.id, format: 'pdf' })
    await makeReport(own, { jobId: job.id, format: 'pdf', font: '/fonts/other.ttf' })
    expect(fonts).toEqual(['/fonts/own.ttf', '/fonts/other.ttf'])
  })

  it('of practice cannot be taken for one of work, by its name either', async () => {
    const names = await Promise.all(
      (['pdf', 'csv', 'json'] as const).map(
        async (format) => (await makeReport(source({ isTraining: true }), { jobId: job.id, format })).fileName
      )
    )
    for (const name of names) expect(name).toMatch(/^fitter-training-356307042441013-2026-11-19-/)
    expect(
      (await makeReport(source({ isTraining: true }), { jobId: job.id, format: 'csv', language: 'es' })).fileName
    ).toMatch(/^fitter-practica-/)
    expect((await makeReport(source(), { jobId: job.id, format: 'csv' })).fileName).toMatch(/^fitter-3563/)
  })

  it('is of practice whichever front end opens the folder of the training workplace', () => {
    expect(isTrainingFolder(trainingFolderIn('/home/technician/data'))).toBe(true)
    expect(isTrainingFolder('/home/technician/data')).toBe(false)
  })

  it('can be made of nothing but its five forms', async () => {
    await expect(makeReport(source(), { jobId: job.id, format: 'docx' as 'pdf' })).rejects.toMatchObject({
      code: 'INVALID_REQUEST'
    })
  })
})
