import { readFileSync } from 'node:fs'
import { flushPromises } from '@vue/test-utils'
import { describe, expect, it } from 'vitest'
import { nextTick, ref, shallowRef } from 'vue'
import type { Diagnosis } from '../../../preload/contract/support/diagnosis.ts'
import { type Fact, factNames } from '../../../preload/contract/support/facts.ts'
import { headingOf } from '../../../renderer/support/diagnosis/heading.ts'
import { piecesOf } from '../../../renderer/support/diagnosis/headline/pieces.ts'
import { diagnosisText, factsCsv } from '../../../renderer/support/diagnosis/diagnosisText.ts'
import { useRowOrder } from '../../../renderer/support/diagnosis/useRowOrder.ts'
import { evidenceSources } from '../../../renderer/support/diagnosis/headline/evidenceSources.ts'
import { plainMessage, type Message } from '../../../preload/contract/messages.ts'
import { termOf } from '../../../renderer/support/diagnosis/terms.ts'
import { place } from '../../../renderer/base/shell/router.ts'
import { startedAt } from '../../world/data/fakeData.ts'
import { brokenAtAddress, calm, clockBehind, fact, nobodyCanSay, step } from '../../world/window/fakes/fakeDiagnosis.ts'
import { made } from '../../world/window/fakes/fakeWindow.ts'
import { factRows, key, looking, openDiagnosis, press, useDiagnosisPage } from '../../world/window/diagnosisPage.ts'

useDiagnosisPage()

describe('the sentence above a diagnosis', () => {
  const says = (more: Partial<Diagnosis>, label = '') => headingOf({ ...brokenAtAddress, ...more }, label, startedAt)
  const heard = (ageS: number, reportsWithinS = 300) => ({
    lastReport: { at: new Date(startedAt - ageS * 1000).toISOString(), ageS, reportsWithinS }
  })

  it('takes the gateway’s word on reporting only from a gateway that answers now', () => {
    expect(says({ ...heard(299), brokenAt: 'vehicle' })).toBe('Unit 0007 reports, 4 min ago')
    expect(says(heard(12))).toBe('Unit 0007 last reported 12 s ago. Broken now: Address')
    expect(says({ ...heard(301, 600), brokenAt: null })).toBe('Unit 0007 reports, 5 min ago')
    expect(says(heard(3 * 3600))).toBe('Unit 0007 has not reported for 3 hours')
    expect(says(heard(3 * 86_400))).toBe('Unit 0007 has not reported for 3 days')
    expect(says({ gateway: { state: 'away', why: null, readAt: null, aheadS: null } })).toBe(
      'Unit 0007: fault at “Address”'
    )
    expect(says({ gateway: null, lastReport: null, brokenAt: null })).toBe('Unit 0007: reporting status unknown')
    expect(says({ lastReport: null, brokenAt: null })).toBe('Unit 0007: no report at the gateway')
  })

  it('says in words what a gateway refuses that answers', () => {
    const refused = (why: Message) => ({
      lastReport: null,
      brokenAt: null,
      chain: [step('gatewayEvent', 'unknown', { sentence: { id: 'chain.gatewayEvent.unreadable', values: { why } } })]
    })
    expect(says(refused({ id: 'gateway.notFound', values: {} }))).toBe(
      'Unit 0007: The gateway answers: not found or not permitted.'
    )
    const quoted: Message = {
      id: 'gateway.itSays',
      values: { what: { id: 'gateway.notAllowed', values: {} }, words: '{"code": 7}' }
    }
    expect(says(refused(quoted))).toBe('Unit 0007: The gateway does not allow this for any user.')
  })

  it('calls a device by its number where no vehicle is known', () => {
    const subject = { ...brokenAtAddress.subject, name: null, plate: null }
    expect(says({ subject, ...heard(2), brokenAt: null })).toBe('ft4 …023056 reports, 2 s ago')
    expect(says({ subject, ...heard(2), brokenAt: null }, 'Bench 3')).toBe('Bench 3 reports, 2 s ago')
  })

  it('sets the names in a sentence apart from its words', () => {
    const message = { id: 'windowDiagnosis.do.setApn', values: { apn: 'fleet.example' } }
    expect(piecesOf(message)).toEqual([
      { text: 'Set the APN to ', isCode: false },
      { text: 'fleet.example', isCode: true }
    ])
  })

  it('knows what is missing of each witness', () => {
    expect(evidenceSources(nobodyCanSay).map(({ who, to }) => [who, to])).toEqual([
      ['noDevice', 'devices'],
      ['noGateway', 'settings']
    ])
    const locked: Diagnosis = {
      ...calm,
      device: { state: 'locked', why: null, readAt: null },
      gateway: { state: 'notShown', why: null, readAt: null, aheadS: null }
    }
    expect(evidenceSources(locked).map(({ who, to }) => [who, to])).toEqual([
      ['device', 'signIn'],
      ['gateway', null]
    ])
    expect(evidenceSources(calm)).toEqual([])
  })
})

describe('what each of them says', () => {
  it('stands wrong first, then old, then what only one can say, with counts on the filters', async () => {
    const shown = await openDiagnosis()
    expect(factRows(shown).slice(0, 5)).toEqual(['lastContact', 'position', 'satellites', 'hdop', 'ignition'])
    expect(shown.findAll('.filters button').map((chip) => chip.text())).toEqual([
      'All13',
      'Differ2',
      'Old3',
      'Device only3',
      'Gateway only1',
      'Agree4'
    ])
    await shown.get('[data-filter=gatewayOnly]').trigger('click')
    expect(factRows(shown)).toEqual(['distance'])
    expect(shown.get('tr.fact').text()).toContain('84120 km1 min')
  })

  it('keeps every row in its place while verdicts change, apart from what differs, and sorts anew when the person chooses a filter', async () => {
    const facts = shallowRef<Fact[]>([fact('position', 'agree'), fact('speed', 'agree'), fact('power', 'agree')])
    const isSettled = ref(true)
    const {
      rows: shown,
      counts,
      choose
    } = useRowOrder(
      () => facts.value,
      () => isSettled.value,
      { at: () => null, isChanged: () => false }
    )
    const names = () => shown.value.map(({ fact }) => fact)
    facts.value = [
      fact('position', 'agree'),
      fact('speed', 'agree'),
      fact('power', 'differ'),
      fact('ignition', 'differ')
    ]
    await nextTick()
    expect([names(), counts.value.differ]).toEqual([['power', 'ignition', 'position', 'speed'], 2])
    choose('differ')
    expect(names()).toEqual(['power', 'ignition'])
    facts.value = [
      fact('position', 'differ'),
      fact('speed', 'agree'),
      fact('power', 'agree'),
      fact('ignition', 'differ')
    ]
    await nextTick()
    expect(names()).toEqual(['ignition', 'position', 'power'])
    choose('all')
    expect(names()).toEqual(['position', 'ignition', 'speed', 'power'])
  })

  it('sorts once more when both witnesses have said their first word', async () => {
    const facts = shallowRef<Fact[]>([fact('position', 'onlyDevice'), fact('power', 'onlyDevice')])
    const isSettled = ref(false)
    const { rows: shown } = useRowOrder(
      () => facts.value,
      () => isSettled.value,
      { at: () => null, isChanged: () => false }
    )
    facts.value = [fact('position', 'agree'), fact('power', 'differ')]
    isSettled.value = true
    await nextTick()
    expect(shown.value.map(({ fact }) => fact)).toEqual(['power', 'position'])
    isSettled.value = false
    facts.value = [fact('position', 'stale'), fact('power', 'agree')]
    await nextTick()
    isSettled.value = true
    await nextTick()
    expect(shown.value.map(({ fact }) => fact)).toEqual(['power', 'position'])
  })

  it('marks what differs with the moment since when it was seen, until it agrees', async () => {
    const facts = shallowRef<Fact[]>([fact('power', 'agree')])
    const at = ref('2026-11-20T10:00:00.000Z')
    const { since } = useRowOrder(
      () => facts.value,
      () => true,
      { at: () => at.value, isChanged: () => false }
    )
    for (const [when, verdict] of [
      ['2026-11-20T10:00:02.000Z', 'differ'],
      ['2026-11-20T10:00:04.000Z', 'differ']
    ] as const) {
      at.value = when
      facts.value = [fact('power', verdict)]
      await nextTick()
    }
    expect([...since.value]).toEqual([['power', '2026-11-20T10:00:02.000Z']])
    facts.value = [fact('power', 'agree')]
    await nextTick()
    expect([...since.value]).toEqual([])
  })

  it('says once that a sign-in would help, and not in each row', async () => {
    const shown = await openDiagnosis(looking({ ...calm, device: { state: 'locked', why: null, readAt: null } }))
    expect(shown.get('.unheard').text()).toContain('The device needs a sign-in.')
    expect(shown.findAll('.unheard')).toHaveLength(1)
    await shown.get('.unheard button').trigger('click')
    expect(shown.find('dialog').exists()).toBe(true)
  })

  it('says what a gateway that fails answers, in our words, and offers to try again', async () => {
    const why = {
      id: 'gateway.itSays',
      values: { what: { id: 'gateway.failed', values: { status: 503 } }, words: '{"raw": "json"}' }
    }
    const look: Diagnosis = {
      ...nobodyCanSay,
      gateway: { state: 'away', why: why as never, readAt: null, aheadS: null }
    }
    const shown = await openDiagnosis(looking(look))
    expect(shown.get('h1').text()).toBe('Unit 0007: reporting status unknown')
    expect(shown.get('.trouble h2').text()).toBe('The gateway is failing (503).')
    expect(shown.get('.diagnosis .banner').text()).not.toContain('raw')
    const again = shown.findAll('.banner button').find((one) => one.text().startsWith('Try again'))
    await again?.trigger('click')
    expect(made('diagnosis.retest')).toEqual([{ subject: { key }, link: null }])
  })

  it('shows what is not as it was installed', async () => {
    const then = [
      fact('sim', 'agree'),
      fact('apn', 'notExposed', {
        device: { ...fact('apn', 'notExposed').device, value: 'before.example' } as Fact['device']
      })
    ]
    const shown = await openDiagnosis({
      'diagnosis.look': () => brokenAtAddress,
      'diagnosis.installed': () => ({ installed: { takenAt: '2026-04-12T09:00:00.000Z', facts: then } })
    })
    await shown.get('[data-filter=installed]').trigger('click')
    expect(factRows(shown)).toContain('apn')
    expect(factRows(shown)).not.toContain('position')
  })

  it('says of a witness that was not heard nothing that it kept back', async () => {
    const shown = await openDiagnosis(
      looking({ ...brokenAtAddress, gateway: { state: 'signedOut', why: null, readAt: null, aheadS: null } })
    )
    expect(shown.findAll('.unheard').map((one) => one.text())).toEqual([
      'The gateway did not answer. Its values are from earlier.'
    ])
    expect(shown.get('[data-fact=apn]').text()).not.toContain('not shown')
  })

  it('opens a fact by keyboard, and changes its limit where it stands', async () => {
    const shown = await openDiagnosis()
    for (const name of ['j', 'j']) {
      press(name)
      await flushPromises()
    }
    expect(document.activeElement?.getAttribute('aria-label')).toBe('More about: Position')
    ;(document.activeElement as HTMLElement).click()
    await nextTick()
    expect(shown.get('[data-more=position]').text()).toContain('4.74821, -74.05902')
    await shown.get('[data-fact=position] .verdict button').trigger('click')
    await shown.get('[data-fact=position] input').setValue('80')
    await shown.get('[data-fact=position] form').trigger('submit')
    await flushPromises()
    expect(made('diagnosis.setTolerance')).toEqual([{ id: 'positionM', value: 80 }])
  })

  it('says beside each fact how it was when the installation was signed off, where that is kept', async () => {
    const then = [
      fact('sim', 'agree'),
      fact('satellites', 'agree', {
        device: { ...fact('sim', 'agree').device, message: plainMessage('12') } as Fact['device']
      }),
      fact('apn', 'notExposed')
    ]
    const shown = await openDiagnosis({
      'diagnosis.installed': ({ imei }) => ({
        installed: imei === key ? { takenAt: '2026-04-12T09:00:00.000Z', facts: then } : null
      })
    })
    expect(shown.findAll('.facts th').map((head) => head.text())).toContain('At installation, 12 Apr 2026')
    expect(['sim', 'satellites', 'apn', 'clock'].map((name) => shown.get(`[data-fact=${name}] .then`).text())).toEqual([
      'onchanged',
      '12 and on',
      'onchanged',
      ''
    ])
    await shown.get('.save').trigger('click')
    await flushPromises()
    expect(made('snapshots.take')).toMatchObject([{ key }])
  })

  it('has an explanation for each fact', () => {
    const known = new Set(
      (JSON.parse(readFileSync('resources/knowledge/terms.json', 'utf8')) as { terms: { id: string }[] }).terms.map(
        ({ id }) => id
      )
    )
    expect(factNames.filter((name) => !known.has(termOf(name) ?? ''))).toEqual([])
  })

  it('can be carried away as text and as a table', () => {
    const text = diagnosisText(brokenAtAddress, 'Unit 0007 has not reported for 47 minutes')
    expect(text).toContain('Address (broken): Registered on the mobile network, but no IP address assigned.')
    expect(text).toContain('Events (not checked)\n')
    const [head = '', first = ''] = factsCsv(brokenAtAddress.facts).split('\r\n')
    expect(head.split(',')).toHaveLength(first.split(',').length)
    expect(first.startsWith('Last contact,here now,here now,,2026-11-20T10:41:05.212Z,47 min ago')).toBe(true)
  })
})

describe('since when', () => {
  it('leads to the events of that moment, and draws how the value became wrong', async () => {
    const sinceAt = new Date(startedAt - 3_600_000).toISOString()
    const points = [
      [startedAt - 7_200_000, 3],
      [startedAt - 3_600_000, 5_600],
      [startedAt, 5_610]
    ] as [number, number][]
    const apart = {
      ...clockBehind,
      id: 'otherPlace',
      sentence: plainMessage('Positions differ.'),
      sinceAt,
      link: 'fix' as const,
      short: plainMessage('5.6 km apart'),
      trend: { measure: 'apartM' as const, limit: 50, points }
    }
    const shown = await openDiagnosis(
      looking({ ...calm, tone: 'warn', headline: { finding: 'otherPlace' }, findings: [apart] })
    )
    expect(shown.get('h1').text()).toBe('Unit 0007 reports, but 1 thing is wrong')
    expect(shown.get('.trend svg').attributes('aria-label')).toBe(
      'Distance between the positions, km: from 0 to 5.6, 3 values, limit 0.1'
    )
    expect(shown.get('[data-link=fix]').attributes('data-state')).toBe('problem')
    expect(shown.get('[data-link=fix] .short').text()).toBe('5.6 km apart')
    await shown.get('.banner .since button').trigger('click')
    expect(place.value).toEqual({ screen: 'events', id: '7', part: String(Date.parse(sinceAt)) })
  })
})
