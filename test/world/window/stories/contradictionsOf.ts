import type { Diagnosis } from '../../../../preload/contract/support/diagnosis.ts'

/** What one diagnosis says against itself, in headline, links, rows and sentences; empty where it says one thing. */
export function contradictionsOf(look: Diagnosis): string[] {
  const { chain, facts, findings, headline, brokenAt, since, at, proof = [] } = look
  const link = headline && 'link' in headline ? headline.link : null
  const row = (name: string) => facts.find(({ fact }) => fact === name)
  const words = (name: string) => [row(name)?.device?.message.id, row(name)?.gateway?.message.id]
  const says = [...chain, ...findings].flatMap(({ sentence, remedy }) => [sentence.id, remedy?.id])
  const broken = chain.filter(({ state }) => state === 'broken')
  const doubt = findings.find((one) => headline && 'finding' in headline && one.id === headline.finding)
  const wrong: [boolean, string][] = [
    [brokenAt !== (broken[0]?.link ?? null), 'the first broken link is another one'],
    [link !== null && link !== brokenAt, 'the headline is not the first broken link'],
    [broken.length > 0 && look.tone !== 'fail', 'a link is broken, and the tone is not red'],
    [broken.some(({ remedy }) => remedy === null), 'a broken link without a remedy'],
    [chain.some(({ state }) => state === 'notReached'), 'a link is not judged'],
    [since !== null && since > at, 'since when is in the future'],
    [
      since !== (doubt ?? chain.find((step) => step.link === link))?.sinceAt && headline !== null,
      'since when is not that of the headline'
    ],
    [
      broken.some((step) => step.link === 'fix') && words('validFix').includes('facts.fix'),
      'a valid fix without a place'
    ],
    [
      findings.some(({ id }) => /^(late|events(Ahead|Rolled|ByGpsEpoch|Misdated))$/.test(id)) &&
        row('clock')?.gateway?.message.id === 'facts.onTime',
      'events are late, and the clock is on time'
    ],
    [says.includes('findings.wereLate') && says.includes('chain.gatewayEvent.heard'), 'none has arrived, and one has'],
    [
      broken.some((step) => step.link === 'address') && says.includes('chain.apn.delivers'),
      'an APN delivers without an address'
    ],
    [says.includes('vehicle.assign'), 'a step of a job that is none'],
    [proof.some((name) => row(name) === undefined), 'a proof that is no row'],
    [
      link === 'power' && facts.some(({ fact }) => fact === 'power') && proof[0] !== 'power',
      'the row of the headline is not the first'
    ],
    [
      row('power')?.device?.value === false && chain.some((step) => step.link === 'power' && step.state === 'ok'),
      'no power in the table, and power in the chain'
    ]
  ]
  return wrong.flatMap(([is, what]) => (is ? [what] : []))
}
