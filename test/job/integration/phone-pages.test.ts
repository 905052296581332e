import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEventHub } from '../../../main/app/events.ts'
import type { Interfaces } from '../../../main/device/discovery/cards.ts'
import {
  createPhonePages,
  hideNumbers,
  type PhonePages,
  type PhonePagesOptions
} from '../../../main/job/phonePage/phonePages.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import type { PhoneState } from '../../../preload/contract/job/phone.ts'
import type { JobState } from '../../../preload/contract/job/jobs.ts'
import { message } from '../../../preload/contract/messages.ts'
import * as data from '../../world/data/fakeData.ts'

type LoggedJob = ReturnType<PhonePagesOptions['jobs']['loaded']>

const card = (address: string) => [
  { address, netmask: '255.0.0.0', family: 'IPv4' as const, mac: '', internal: false, cidr: null }
]
const [wifi, cable] = ['wlan0 127.0.0.1', 'eth0 127.0.0.2']

let events: ReturnType<typeof createEventHub>
let pages: PhonePages
let interfaces: Interfaces
let told: PhoneState[]
let hidden: string[]
let state: JobState
let technician: string
let nowMs: number
let endsWhileOpening: boolean
let isUnreadable: boolean
let faults: unknown[]

beforeEach(() => {
  events = createEventHub((error) => expect.fail(String(error)))
  told = []
  hidden = []
  state = 'running'
  technician = 'A. Ruiz'
  nowMs = 0
  endsWhileOpening = false
  isUnreadable = false
  faults = []
  interfaces = { wlan0: card('127.0.0.1'), eth0: card('127.0.0.2') }
  events.onEvent((name, payload) => name === 'phone.changed' && told.push(payload as PhoneState))
  pages = createPhonePages({
    jobs: {
      loaded(id) {
        if (isUnreadable) throw new AppError('DATA_UNUSABLE', message('jobs.logDamaged'))
        if (id === 'none') throw new AppError('NOT_FOUND', message('jobs.noSuchStep', { step: id }))
        const job = {
          ...data.job,
          id,
          state,
          vehicle: { id: 7, name: 'Unit 490154203237518', plate: 'SECRET-7' }
        } as unknown as LoggedJob
        if (endsWhileOpening) state = 'done'
        return job
      },
      live: () => ({ active: false, steps: [], lines: null })
    },
    events,
    reader: () => ({ language: 'en' }),
    technician: () => technician,
    isTraining: false,
    redact: (text) => text.replaceAll('SECRET-7', '[hidden]'),
    hide: (secret) => hidden.push(secret),
    interfaces: () => interfaces,
    monotonicMs: () => nowMs,
    reportFault: (error) => faults.push(error)
  })
})
afterEach(async () => {
  await pages.quit()
  expect(faults).toEqual([])
})

async function isListening(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) })
    socket.on('connect', () => resolve(socket.destroy() !== undefined))
    socket.on('error', () => resolve(false))
  })
}

/** What a phone gets: each message, until the feed ends. */
async function* follow(url: string): AsyncGenerator<Record<string, unknown>> {
  const response = await fetch(`${url}/live`)
  let rest = ''
  for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
    rest += part
    const frames = rest.split('\n\n')
    rest = frames.pop() ?? ''
    for (const one of frames) if (one.startsWith('data: ')) yield JSON.parse(one.slice(6)) as Record<string, unknown>
  }
}

async function next(feed: AsyncGenerator<Record<string, unknown>>): Promise<Record<string, unknown>> {
  const { value, done } = await feed.next()
  if (done) throw new Error('The feed ended.')
  return value
}

async function open(jobId = 'a', cardId = wifi): Promise<string> {
  const { page } = await pages.start(jobId, cardId)
  if (!page) throw new Error('The page did not start.')
  return page.url
}

const summary = (id: string, next: JobState) => ({ ...data.listedJob, id, state: next })

describe('the page of a job', () => {
  it('is off until a person switches it on, on the card that they chose, and hides its address from all logs', async () => {
    expect(pages.state()).toEqual({
      cards: [
        { id: wifi, name: 'wlan0', address: '127.0.0.1', kind: 'wifi' },
        { id: cable, name: 'eth0', address: '127.0.0.2', kind: 'ethernet' }
      ],
      page: null,
      ended: null
    })
    const url = await open('a', cable)
    expect(url).toMatch(/^http:\/\/127\.0\.0\.2:\d+\/[0-9a-f]{32}$/)
    expect(await isListening(url)).toBe(true)
    expect(await isListening(url.replace('127.0.0.2', '127.0.0.1'))).toBe(false)
    expect(hidden).toEqual([url.slice(-32)])
    const { page } = pages.state()
    expect(page).toMatchObject({ jobId: 'a', cardId: cable, phones: 0, isReached: false })
    expect(page?.code?.path).toMatch(/^M\d/)
  })

  it('is refused for a job that is closed, for no job, and on a card that is none', async () => {
    state = 'done'
    await expect(pages.start('a', wifi)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      sentence: { id: 'phonePage.jobIsOver' }
    })
    state = 'running'
    await expect(pages.start('a', 'eth9 10.0.0.1')).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      sentence: { id: 'phonePage.noSuchCard' }
    })
    await expect(pages.start('none', wifi)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(pages.state().page).toBeNull()
  })

  it('stays where it is when it is switched on again, and gets a new address with each start', async () => {
    const url = await open()
    expect(await open()).toBe(url)
    await pages.stop()
    expect(await open()).not.toBe(url)
  })

  it('tells a window when a phone comes and goes', async () => {
    const url = await open()
    const feed = follow(url)
    await next(feed)
    expect(told.at(-1)?.page).toMatchObject({ phones: 1, isReached: true })
    await feed.return(undefined)
    await expect.poll(() => told.at(-1)?.page?.phones).toBe(0)
    expect(told.at(-1)?.page?.isReached).toBe(true)
  })

  it('sends what changed at once, and something at least every second', async () => {
    const url = await open()
    const feed = follow(url)
    expect(await next(feed)).toMatchObject({ vehicle: 'Unit …', foot: expect.stringContaining('A. Ruiz') as unknown })
    technician = 'B. Soto'
    events.tell('jobs.state', summary('a', 'running'))
    expect(await next(feed)).toMatchObject({ foot: expect.stringContaining('B. Soto') as unknown })
    technician = 'C. Paz'
    nowMs = 1_000
    expect(await next(feed)).toMatchObject({ foot: expect.stringContaining('C. Paz') as unknown })
    await feed.return(undefined)
  })

  it('contains no secret that Fitter knows, and no long number', async () => {
    const url = await open()
    const feed = follow(url)
    const shown = JSON.stringify(await next(feed))
    expect(shown).toContain('[hidden]')
    expect(shown).not.toMatch(/SECRET-7|490154203237518|867698040023056/)
    await feed.return(undefined)
  })
})

describe('a long number', () => {
  const imei = '490154203237518'
  it.each([
    imei,
    '49-015420-323751-8',
    '49 015420 323751 8',
    '490.154.203.237.518',
    '490,154,203,237,518',
    '(490) 154 - 203 / 237 · 518',
    '4_9_0_1_5_4_2_0_3_2_3_7_5_1_8',
    '490\u200b154\u2060203\u00ad237518',
    '٤٩٠١٥٤٢٠٣٢٣٧٥١٨',
    '۴۹۰ ۱۵۴ ۲۰۳ ۲۳۷ ۵۱۸',
    '४९०१५४२०३२३७५१८',
    '４９０１５４２０３２３７５１８',
    '4️⃣9️⃣0️⃣1️⃣5️⃣4️⃣2️⃣0️⃣3️⃣2️⃣3️⃣7️⃣5️⃣1️⃣8️⃣',
    '490154٢٠٣237518'
  ])('written as %s is not shown, and the words around it stay', (written) => {
    const shown = hideNumbers(`Truck ${written} of the yard`)
    expect(shown).not.toMatch(/\p{N}/u)
    expect(shown).toMatch(/^Truck .*… ?of the yard$|^Truck … of the yard$/u)
  })

  it('is no time, position, value or plate', () => {
    for (const text of [
      '29/11/2026, 08:45:12',
      '2026-11-29 08:45',
      '11:00 - 12:30',
      '-33.447487, -70.673676',
      '-33,447487; -70,673676',
      '123,456.7 km',
      '12.6 V, 13.8 V, 14.2 V, 24.0 V',
      'ABC 123',
      'Step 3 of 12, 4 min 30 s',
      '1 234 567 km'
    ])
      expect(hideNumbers(text)).toBe(text)
  })
})

describe('the page ends, says why, and nothing listens afterwards', () => {
  const endings: [why: string, end: () => unknown, said: string][] = [
    ['jobEnded', () => events.tell('jobs.state', summary('a', 'done')), 'The job has ended. You can close this page.'],
    [
      'jobEnded',
      () => events.tell('jobs.state', summary('a', 'cancelled')),
      'The job has ended. You can close this page.'
    ],
    [
      'jobEnded',
      () =>
        events.tell('jobs.state', {
          ...summary('a', 'running'),
          handedOver: { id: 'h', to: 'Laptop 2', at: data.at(0) }
        }),
      'The job has ended. You can close this page.'
    ],
    ['switchedOff', () => pages.stop(), 'The page was switched off on the computer. You can close this page.'],
    [
      'otherJob',
      () => pages.noticeStage('b', 'ignition'),
      'The computer is working on another job. You can close this page.'
    ],
    ['otherJob', () => pages.start('b', wifi), 'The computer is working on another job. You can close this page.'],
    ['quit', () => pages.quit(), 'Fitter was closed on the computer. You can close this page.'],
    [
      'cardGone',
      () => ((interfaces = { eth0: card('127.0.0.2') }), (nowMs = 5_000)),
      'The computer has left this network. You can close this page.'
    ]
  ]
  it.for(endings)('%s', async ([why, end, said]) => {
    const url = await open()
    const feed = follow(url)
    await next(feed)
    await end()
    let last: unknown
    for await (const one of feed) last = one
    expect(last).toEqual({ ended: said })
    await expect.poll(() => isListening(url)).toBe(false)
    expect(told.find(({ ended }) => ended)?.ended).toEqual({ jobId: 'a', why })
  })

  it('after a fault: a job whose log cannot be read any more ends the page, not the process', async () => {
    const url = await open()
    const feed = follow(url)
    await next(feed)
    isUnreadable = true
    nowMs = 1_000
    expect(await next(feed)).toEqual({ ended: 'The page was switched off on the computer. You can close this page.' })
    await expect.poll(() => isListening(url)).toBe(false)
    expect(pages.state().ended).toEqual({ jobId: 'a', why: 'fault' })
    expect(faults.splice(0)).toMatchObject([{ code: 'DATA_UNUSABLE' }])
  })

  it('after a fault that the first phone finds', async () => {
    const url = await open()
    isUnreadable = true
    expect(await next(follow(url))).toHaveProperty('ended')
    await expect.poll(() => isListening(url)).toBe(false)
    expect(faults.splice(0)).toHaveLength(1)
  })

  it('not with the stage of its own job, with no job on the stage, or with the end of another job', async () => {
    const url = await open()
    pages.noticeStage('a', 'ignition')
    pages.noticeStage('a', null)
    pages.noticeStage('b', null)
    events.tell('jobs.state', summary('b', 'done'))
    events.tell('jobs.state', summary('a', 'failed'))
    expect(await isListening(url)).toBe(true)
    expect(pages.state().page?.jobId).toBe('a')
  })

  it('also when the job ends while the page is switched on, and never starts after Fitter was closed', async () => {
    endsWhileOpening = true
    await pages.start('a', wifi)
    await expect.poll(() => pages.state().page).toBeNull()
    expect(pages.state().ended).toEqual({ jobId: 'a', why: 'jobEnded' })
    state = 'running'
    await pages.quit()
    await expect(pages.start('a', wifi)).rejects.toMatchObject({ code: 'CANCELLED' })
  })
})
