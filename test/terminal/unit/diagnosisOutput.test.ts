import { expect, it } from 'vitest'
import { sayDiagnosis } from '../../../main/terminal/output/diagnosisOutput.ts'
import { brokenAtAddress, calm, clockBehind, nobodyCanSay } from '../../world/window/fakes/fakeDiagnosis.ts'

const doubt = { ...clockBehind, id: 'simDiffers', tone: 'fail' as const }
const ids = (verdicts: Parameters<typeof sayDiagnosis>[0]) => sayDiagnosis(verdicts).map(({ id }) => id)

it('a doubt about who this is comes first in a bundle, with its remedy, then the broken link and the rest', () => {
  const verdicts = {
    ...brokenAtAddress,
    headline: { finding: doubt.id },
    findings: [doubt, { ...clockBehind, sentence: { id: 'findings.busSilent' as const, values: {} } }]
  }
  expect(ids(verdicts)).toEqual([
    doubt.sentence.id,
    'terminalBundle.remedy',
    'terminalBundle.brokenAt',
    'terminalBundle.remedy',
    'terminalBundle.beside'
  ])
})

it('says that nothing is broken only where every link was judged and nothing was found', () => {
  expect(ids(calm)).toEqual(['terminalBundle.whole'])
  expect(ids(nobodyCanSay)).toEqual(['terminalDiagnose.notAll'])
  expect(ids({ ...calm, tone: 'warn', headline: { finding: clockBehind.id }, findings: [clockBehind] })).toEqual([
    clockBehind.sentence.id,
    'terminalBundle.remedy'
  ])
})
