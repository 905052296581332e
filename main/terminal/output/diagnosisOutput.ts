import type { ChainStep, Finding, Verdicts } from '../../../preload/contract/support/diagnosis.ts'
import type { Evidence } from '../../../preload/contract/support/evidence.ts'
import type { Fact } from '../../../preload/contract/support/facts.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { exitCodes } from './exitCodes.ts'
import type { Terminal } from './terminal.ts'

/** Prints the diagnosis of evidence from any source, and returns the exit code. */
export function tellDiagnosis(terminal: Terminal, evidence: Evidence, verdicts: Verdicts): number {
  terminal.result(asJson(terminal, evidence, verdicts), asText(terminal, evidence, verdicts))
  return verdicts.tone === 'fail' ? exitCodes.attention : exitCodes.done
}

/** The diagnosis of a bundle, line by line: the headline with its remedy, then the broken link, then the rest. */
export function sayDiagnosis(verdicts: Verdicts | null): Message[] {
  if (!verdicts) return [message('terminalBundle.nothingSeen')]
  const { headline, brokenAt, chain, findings, tone } = verdicts
  const first = headline && 'finding' in headline ? headline.finding : null
  const withRemedy = (sentence: Message, remedy: Message | null) => [
    sentence,
    ...(remedy ? [message('terminalBundle.remedy', { remedy })] : [])
  ]
  const leading = findings
    .filter(({ id }) => id === first)
    .flatMap(({ sentence, remedy }) => withRemedy(sentence, remedy))
  const broken = chain
    .filter(({ link }) => link === brokenAt)
    .flatMap(({ link, sentence, remedy }) =>
      withRemedy(
        message('terminalBundle.brokenAt', { link: message('terminalDiagnose.link', { link }), sentence }),
        remedy
      )
    )
  const calm = headline ? [] : [message(tone === 'unknown' ? 'terminalDiagnose.notAll' : 'terminalBundle.whole')]
  return [
    ...leading,
    ...broken,
    ...calm,
    ...findings.filter(({ id }) => id !== first).map(({ sentence }) => message('terminalBundle.beside', { sentence }))
  ]
}

function asJson(
  { text }: Terminal,
  { at, imei, device, gateway, vehicleText }: Evidence,
  { tone, since, headline, brokenAt, chain, facts, findings, proof }: Verdicts
): unknown {
  const vehicle = gateway?.vehicle?.value
  return {
    tone,
    since,
    headline,
    brokenAt,
    proof,
    // A sentence has its data in `message`; those of the remedy and of details are in `more`.
    chain: chain.map(({ link, state, sentence, remedy, witness, readAt, sinceAt, detail, source, action }) => ({
      link,
      state,
      sentence,
      remedy: remedy && text(remedy),
      witness,
      readAt,
      sinceAt,
      action,
      more: { remedy, detail, source }
    })),
    facts: facts.map(({ fact, device: here, gateway: there, verdict, tolerance, apart, message: words }) => ({
      fact,
      device: saidOf(here),
      gateway: saidOf(there),
      verdict,
      tolerance: tolerance && { value: tolerance.value, unit: tolerance.unit },
      apart,
      text: words
    })),
    findings: findings.map(({ id, tone: grave, sentence, remedy, witness, readAt, sinceAt }) => ({
      id,
      tone: grave,
      sentence,
      remedy: remedy && text(remedy),
      witness,
      readAt,
      sinceAt,
      more: { remedy }
    })),
    at,
    imei,
    vehicle: vehicle ? { id: vehicle.id, name: vehicle.name, plate: vehicle.plate } : null,
    vehicleText,
    device: device && { state: device.state, host: device.host, why: device.why },
    gateway: gateway && { state: gateway.state, aheadS: gateway.aheadS, why: gateway.why }
  }
}

function saidOf(said: Fact['device']) {
  return said && { value: said.value, unit: said.unit, ageS: said.ageS, readAt: said.readAt, text: said.message }
}

const marks: Readonly<Record<ChainStep['state'], string>> = { ok: 'ok', broken: 'X', unknown: '?', notReached: '-' }

function asText(
  terminal: Terminal,
  evidence: Evidence,
  { tone, since, headline: first, chain, facts, findings, proof = [] }: Verdicts
): string {
  const { text } = terminal
  const vehicle = evidence.gateway?.vehicle?.value
  const head = [vehicle?.name, vehicle?.plate, evidence.imei, evidence.device?.host].filter(Boolean).join(', ')
  const names = chain.map(({ link }) => text(message('terminalDiagnose.link', { link })))
  const widest = Math.max(...names.map(({ length }) => length))
  const links = chain.map((step, index) => linkText(step, names[index]?.padEnd(widest) ?? ''))
  const headline = [
    text(wordsOf()),
    ...(since === null ? [] : [text(message('terminalDiagnose.since', { sinceAt: since }))])
  ].join(' ')
  return [head, headline, '', ...links, ...besideText(), ...factsText()].join('\n')

  function wordsOf() {
    if (first && 'link' in first)
      return message('terminalDiagnose.brokenAt', { link: message('terminalDiagnose.link', { link: first.link }) })
    const finding = first && findings.find(({ id }) => id === first.finding)
    if (finding) return finding.sentence
    return message(tone === 'unknown' ? 'terminalDiagnose.notAll' : 'terminalDiagnose.whole')
  }

  function linkText({ state, sentence, detail, remedy, witness }: ChainStep, name: string): string {
    const by = witness === null ? '' : `  (${text(message('terminalDiagnose.witness', { witness }))})`
    const more = [detail && text(detail), remedy && `-> ${text(remedy)}`].filter((line) => line !== null)
    const indent = `\n     ${' '.repeat(widest)}  `
    return `  ${(marks[state] ?? '').padEnd(2)} ${name}  ${text(sentence)}${by}${more.map((line) => `${indent}${line}`).join('')}`
  }

  function besideText(): string[] {
    if (findings.length === 0) return []
    return [
      '',
      text(message('terminalDiagnose.beside')),
      ...findings.map(
        ({ sentence, remedy }: Finding) => `  !  ${text(sentence)}${remedy ? `\n     -> ${text(remedy)}` : ''}`
      )
    ]
  }

  function factsText(): string[] {
    if (facts.length === 0) return []
    const said = (one: Fact['device']) => (one ? text(one.message) : '-')
    // What proves the headline comes first.
    const rank = ({ fact }: Fact) => proof.indexOf(fact)
    const inOrder = [
      ...facts.filter(({ fact }) => proof.includes(fact)).sort((a, b) => rank(a) - rank(b)),
      ...facts.filter(({ fact }) => !proof.includes(fact))
    ]
    const rows = [
      ['fact', 'device', 'gateway', 'verdict'].map((column) => text(message('terminalDiagnose.column', { column }))),
      ...inOrder.map((fact) => [
        text(message('terminalDiagnose.fact', { fact: fact.fact })),
        said(fact.device),
        said(fact.gateway),
        text(fact.message)
      ])
    ]
    const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
    return [
      '',
      ...rows.map(
        (row) =>
          `  ${row
            .map((cell, column) => cell.padEnd(widths[column] ?? 0))
            .join('  ')
            .trimEnd()}`
      )
    ]
  }
}
