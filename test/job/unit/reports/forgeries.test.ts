import { beforeAll, describe, expect, it } from 'vitest'
import { verifyJsonReport } from '../../../../main/job/reports/verify.ts'
import { createTexts } from '../../../../main/base/messages/texts.ts'
import { makeSealPage } from '../../../../main/job/reports/sealPage.ts'
import { fingerprintOf } from '../../../../main/data/store/jobs/signature.ts'
import {
  askBoth,
  makeOriginals,
  own,
  pageScript,
  replaceText,
  write,
  type ForgedDocument,
  type Originals
} from '../../../world/data/forgeries.ts'
import { forgeries, saidInTheAnswer, spellings } from '../../../world/data/forgeryKinds.ts'
import { proveForgeries } from '../../../proof/forgeries.ts'

let originals: Originals
beforeAll(async () => {
  originals = await makeOriginals()
})
const known = { knownKeys: [own.publicKey] }

describe('A report of Fitter', () => {
  it.each([
    'whole',
    'redacted',
    'elsewhere',
    'earlier',
    'pictures',
    'pictureElsewhere',
    'practice',
    'moved',
    'other'
  ] as const)('verifies with its key, in command and page: %s', async (original) => {
    expect(verifyJsonReport(originals[original], known)).toMatchObject({ ok: true, verdict: 'knownKey' })
    expect(await pageScript.check(originals[original])).toMatchObject({
      verdict: 'unknownKey',
      seal: { fingerprint: fingerprintOf(own.publicKey) }
    })
  })
})

describe('What a report shows less of, or its seal does not cover, is said by command and page', () => {
  it.each(saidInTheAnswer)('%s (%s)', async (_name, original, change, remark) => {
    const document = JSON.parse(originals[original]) as ForgedDocument
    await change(document)
    const text = write(document)
    const check = verifyJsonReport(text, known)
    expect(check).toMatchObject({ ok: true, verdict: 'knownKey' })
    expect(check.findings.map(({ id }) => id)).toContain(remark)
    const { page, command } = await askBoth(text, 'es')
    expect(page).toEqual(command)
  })

  it('also by whom a value was blacked out', async () => {
    const sentence = async (original: keyof Originals) =>
      (await askBoth(originals[original])).page.sentences.find((one) => one.includes('blacked out'))
    expect(await sentence('redacted')).toMatch(/^The computer that sealed the job blacked out values in log entry 4\./)
    expect(await sentence('elsewhere')).toMatch(
      /^Another computer than the one that sealed the job blacked out values in log entry 4\./
    )
  })
})

describe('A forged report is refused in command and page', () => {
  it.each(forgeries)('%s (%s)', async (_name, original, change, verdict = 'changed') => {
    const document = JSON.parse(originals[original]) as ForgedDocument
    await change(document)
    const text = write(document)
    expect(text).not.toBe(originals[original])
    expect(verifyJsonReport(text, known).verdict).toBe(verdict)
    const { page, command } = await askBoth(text)
    expect(page.verdict).toBe(verdict)
    expect(page).toEqual(command)
  })

  it.each(spellings)('%s', async (_name, change) => {
    for (const original of ['whole', 'elsewhere'] as const) {
      const text = change(originals[original])
      expect(verifyJsonReport(text, known).verdict).toBe('changed')
      const { page, command } = await askBoth(text)
      expect(page.verdict).toBe('changed')
      expect(page).toEqual(command)
    }
  })

  it('a fact of the job that its log does not have, which the page does not show either', () => {
    const text = replaceText(originals.elsewhere, '"vehicleText":', '"note": "Fitted twice",\n    "vehicleText":')
    expect(verifyJsonReport(text, known)).toMatchObject({
      verdict: 'changed',
      findings: [{ id: 'report.check.jobDiffers', values: { field: 'note' } }]
    })
  })

  it.each([
    ['its script', (html: string) => html.replace('<script>', "<script>document.title = 'The seal is valid';")],
    ['its words', (html: string) => html.replace('"sealPage.broken":"', '"sealPage.broken":"The seal is valid ')],
    ['what stands above it', (html: string) => html.replace('<main>', '<main><h1>The seal is valid</h1>')],
    ['its end', (html: string) => `${html}<script>document.title = ''</script>\n`],
    ['its policy', (html: string) => html.replace("default-src 'none'", "default-src 'self'")],
    [
      'a second report in it',
      (html: string) =>
        html.replace(
          '<script type="application/json" id="report">',
          '<script type="application/json" id="report">\n{}</script>\n<script type="application/json">'
        )
    ]
  ])('a page that was replaced: %s', (_name, change) => {
    const html = makeSealPage(originals.whole, createTexts({ language: 'en', timeZone: 'UTC' }), false)
    expect(verifyJsonReport(html, known).verdict).toBe('knownKey')
    const forged = change(html)
    expect(forged).not.toBe(html)
    expect(verifyJsonReport(forged, known).verdict).toBe('changed')
  })

  it('whatever a script changes at random', { timeout: 180_000 }, async () => {
    expect(await proveForgeries(20, 7)).toMatchObject({ tried: 20, accepted: [], differing: [] })
  })
})
