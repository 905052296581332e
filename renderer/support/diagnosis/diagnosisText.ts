import type { Diagnosis } from '../../../preload/contract/support/diagnosis.ts'
import type { Fact, SaidFact } from '../../../preload/contract/support/facts.ts'
import { csvFile, type CsvValue } from '../../../preload/base/messages/csvFile.ts'
import { numberInFile } from '../../../preload/base/messages/numberInFile.ts'
import { formatWhen } from '../../base/format.ts'
import { say } from '../../base/say.ts'
import { t } from '../../base/texts.ts'

const stateOf = (verdict: Fact['verdict']) => t(`windowDiagnosis.verdict.${verdict}`)

/** A diagnosis as text, for a message to a colleague. */
export function diagnosisText(look: Diagnosis, heading: string): string {
  const chain = look.chain.map((step) => {
    const words = [say(step.sentence), say(step.detail), say(step.remedy)].filter(Boolean).join(' ')
    return `${t(`windowDiagnosis.link.${step.link}`)} (${t(`windowDiagnosis.state.${step.state}`)})${step.state === 'notReached' ? '' : `: ${words}`}`
  })
  const findings = look.findings.map(({ sentence, remedy }) => [say(sentence), say(remedy)].filter(Boolean).join(' '))
  const facts = look.facts.map(
    ({ fact, device, gateway, message }) =>
      `${t(`windowDiagnosis.fact.${fact}`)}: ${sideText(device)} | ${sideText(gateway)} | ${say(message)}`
  )
  const parts = [
    [heading, formatWhen(look.at), look.subject.imei ?? ''].filter(Boolean),
    chain,
    findings.length > 0 ? [t('windowDiagnosing.also'), ...findings] : [],
    [
      `${t('windowDiagnosis.facts.fact')}: ${t('windowDiagnosis.facts.device')} | ${t('windowDiagnosis.facts.gateway')} | ${t('common.result')}`,
      ...facts
    ]
  ]
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`
}

function sideText(said: SaidFact | null): string {
  if (!said) return '–'
  return said.readAt === null ? say(said.message) : `${say(said.message)} (${said.readAt})`
}

/** The table as a file: values as displayed, and as numbers with their unit and time. */
export function factsCsv(facts: readonly Fact[]): string {
  const sides = (['device', 'gateway'] as const).flatMap((who) => [
    t(`windowDiagnosis.facts.${who}`),
    `${who}.value`,
    `${who}.unit`,
    `${who}.readAt`
  ])
  const head = [t('windowDiagnosis.facts.fact'), ...sides, t('common.result'), 'verdict', 'tolerance', 'tolerance.unit']
  const rows = facts.map((fact) => [
    t(`windowDiagnosis.fact.${fact.fact}`),
    ...cellsOf(fact.device),
    ...cellsOf(fact.gateway),
    say(fact.message),
    stateOf(fact.verdict),
    fact.tolerance?.value ?? '',
    fact.tolerance?.unit ?? ''
  ])
  return csvFile([head, ...rows])
}

function cellsOf(said: SaidFact | null): CsvValue[] {
  if (!said) return ['', '', '', '']
  const { value } = said
  return [
    say(said.message),
    typeof value === 'object' ? `${numberInFile(value.latitude)} ${numberInFile(value.longitude)}` : value,
    said.unit ?? '',
    said.readAt ?? ''
  ]
}
