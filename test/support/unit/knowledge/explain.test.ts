import { expect, test } from 'vitest'
import { explainCode, findTerms, nearestTerms } from '../../../../main/support/knowledge/explain.ts'
import { explained } from '../../../../main/support/knowledge/handlers.ts'
import { openKnowledge } from '../../../../main/support/knowledge/terms.ts'

const knowledge = openKnowledge()
const idsOf = (code: string, within = ''): string[] => explainCode(knowledge, code, within).map(({ id }) => id)

test.for([
  ['HDOP', ['device.gps.hdop', 'gateway.rawdata.hdop']],
  ['extras.hdop', ['device.gps.hdop']],
  [' "sim_state" ', ['device.modem.SIM_STATE']],
  ['update in  progress', ['device.updates.inProgress']],
  ['type 13', ['gateway.eventTypes.t13']],
  ['HTTP 404', ['gateway.status.s404']],
  ['flag t', ['gateway.ecu.T']],
  ['tyre 3', ['gateway.tyres.a3']],
  ['photo status 13', ['gateway.photo.s13']],
  ['exit 70', ['fitter.exit.e70']],
  ['ecu_rpm_flag', ['gateway.ecu.flag']],
  ['ecu_rpm', ['gateway.ecu.value']],
  ['gateway.photo.s4', ['gateway.photo.s4']],
  ['satélites usados', ['device.gps.satsActive']]
] as const)('%s is understood however it is typed', ([typed, ids]) => {
  expect(idsOf(typed)).toEqual(ids)
})

test('what several things are called is told of all of them, and of one where its place is known', () => {
  expect(idsOf('4')).toEqual(['gateway.tyres.a4', 'gateway.photo.s4', 'gateway.flashPhoto.f04', 'fitter.exit.e4'])
  expect(idsOf('4', 'gateway.photo')).toEqual(['gateway.photo.s4'])
  expect(idsOf('IP', 'device.modem')).toEqual(['device.modem.IP'])
  expect(idsOf('pwr', 'gateway.photo')).toEqual(['device.io.PWR'])
})

test('a code that is nearly right is told what it may be, and nonsense nothing', () => {
  expect(explained('SIM_STAT', { language: 'en' })).toMatchObject({
    terms: [],
    nearest: [{ id: 'device.modem.SIM_STATE' }, {}]
  })
  expect(nearestTerms(knowledge, 'hdopp', 5).map(({ id }) => id)).toContain('device.gps.hdop')
  expect(explained('qqqqqqqqqq', { language: 'es' })).toEqual({ terms: [], nearest: [] })
  for (const odd of ['*', '.*', '(', '[', String.raw`\d+`, '__proto__', '<script>'])
    expect(explained(odd, { language: 'en' }).terms).toEqual([])
})

test('words find what has all of them, those in the code or the name first', () => {
  const [first, ...others] = findTerms(knowledge, 'short circuit output')
  expect([first, ...others].map((term) => term?.id)).toContain('device.io.SO')
  expect(findTerms(knowledge, 'cortocircuito').map(({ id }) => id)).toContain('device.io.SO')
  expect(findTerms(knowledge, 'hdop')[0]?.codes).toContain('hdop')
  expect(findTerms(knowledge, '')).toHaveLength(knowledge.terms.length)
  expect(findTerms(knowledge, 'hdop zebra')).toEqual([])
})
