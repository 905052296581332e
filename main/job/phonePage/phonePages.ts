import { networkInterfaces } from 'node:os'
import type { EventName, Events, Teller } from '../../../preload/contract/events.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import type { PhoneCard, PhoneEnd, PhoneState } from '../../../preload/contract/job/phone.ts'
import { message } from '../../../preload/contract/messages.ts'
import { isClosed } from '../../../preload/job/stepWords.ts'
import type { ReaderSettings } from '../../../preload/base/messages/settings.ts'
import { isLocalIp } from '../../base/addresses/address.ts'
import { listCards, type Interfaces } from '../../device/discovery/cards.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { createTexts, type Texts } from '../../base/messages/texts.ts'
import { drawQrCode } from '../reports/pdf/qrCode.ts'
import { createSequence } from '../../base/time/sequence.ts'
import { followJob, type FollowedJob } from './jobNow.ts'
import { makePhoneFile } from './phoneFile.ts'
import { startPhoneServer, type PhoneServer } from './phoneServer.ts'
import { makePhoneView } from './phoneView.ts'

export interface PhonePagesOptions {
  jobs: Pick<Jobs, 'loaded' | 'live'>
  events: Teller & { onEvent(listener: (name: EventName, payload: unknown) => void): () => void }
  reader(): Partial<ReaderSettings>
  technician(): string
  isTraining: boolean
  /** Removes secrets from a text. */
  redact(text: string): string
  /** From now on this secret is removed from everything that leaves the process. */
  hide(secret: string): void
  interfaces?: (() => Interfaces) | undefined
  monotonicMs?: () => number
  now?: () => Date
  reportFault(error: unknown): void
}

const likely: readonly PhoneCard['kind'][] = ['wifi', 'ethernet', 'other']

/** The cards on which a phone nearby can reach this computer: no loopback, and no address that strangers can use. */
export function phoneCards(interfaces: Interfaces): PhoneCard[] {
  return listCards(interfaces)
    .flatMap(({ id, name, address, kind }) =>
      kind === 'loopback' || !isLocalIp(address) ? [] : [{ id, name, address, kind }]
    )
    .sort((a, b) => likely.indexOf(a.kind) - likely.indexOf(b.kind))
}

/** Digits of any script, in one piece or in groups. A colon, a semicolon or a comma before a space ends a number: times and positions have them. */
const longNumber = /\p{N}(?:(?:(?!, )[^\p{L}\p{N}:;\n]){0,3}\p{N}){11,}[\uFE0F\u20E3]*/gu

/** A text without numbers as long as those of devices, SIM cards and persons. */
export function hideNumbers(text: string): string {
  return text.replaceAll(longNumber, '…')
}

/** The page of the running step on a phone: one at most, off unless a person switched it on for a job. */
export type PhonePages = ReturnType<typeof createPhonePages>

interface Page {
  jobId: string
  cardId: string
  startedAt: string
  server: PhoneServer
  stopFollowing(): void
}

/** Fast enough for a key that is turned, slow enough for any network. */
const sendEveryMs = 250
/** So that the page notices a computer that left. */
const sendAtLeastMs = 1_000
const lookAtCardsMs = 5_000

export function createPhonePages(options: PhonePagesOptions) {
  const { jobs, events } = options
  const monotonicMs = options.monotonicMs ?? (() => performance.now())
  const interfaces = options.interfaces ?? networkInterfaces
  let page: Page | undefined
  let ended: PhoneState['ended'] = null
  let stage: { jobId: string; stepId: string | null } | undefined
  /** One change at a time: two people may press at once. */
  const inTurn = createSequence()
  let isQuitting = false
  let texts: Texts | undefined

  function state(): PhoneState {
    return { cards: phoneCards(interfaces()), page: page ? shownOf(page) : null, ended }
  }

  function shownOf({ jobId, cardId, startedAt, server }: Page): PhoneState['page'] {
    return {
      jobId,
      cardId,
      startedAt,
      url: server.url,
      code: drawQrCode(server.url),
      phones: server.phones(),
      isReached: server.isReached()
    }
  }

  function tell(): void {
    events.tell('phone.changed', state())
  }

  function readTexts(): Texts {
    return (texts ??= createTexts(options.reader()))
  }

  /** No number of a device, a SIM card or a person: the page needs none. */
  function clean(text: string): string {
    return hideNumbers(options.redact(text))
  }

  /** Null after a fault, such as a log that cannot be read any more: that ends the page, not the process. */
  function viewOf(followed: FollowedJob, jobId: string): string | null {
    try {
      const view = makePhoneView(
        { ...followed.now(), stage: stage?.jobId === jobId ? stage.stepId : null },
        readTexts(),
        { technician: options.technician(), isTraining: options.isTraining }
      )
      return JSON.stringify(view, (_key, value: unknown) => (typeof value === 'string' ? clean(value) : value))
    } catch (error) {
      options.reportFault(error)
      end('fault')
      return null
    }
  }

  async function open(jobId: string, cardId: string): Promise<void> {
    const { state: jobState, handedOver } = jobs.loaded(jobId)
    if (isClosed(jobState) || handedOver) throw new AppError('INVALID_REQUEST', message('phonePage.jobIsOver'))
    const card = phoneCards(interfaces()).find(({ id }) => id === cardId)
    if (!card) throw new AppError('INVALID_REQUEST', message('phonePage.noSuchCard'))
    if (isQuitting) throw new AppError('CANCELLED', message('operations.closing'))
    const server = await startPhoneServer({
      address: card.address,
      file: () => makePhoneFile(readTexts()),
      view: () => viewOf(followed, jobId),
      changed: tell,
      reportFault: options.reportFault
    })
    const followed = followJob(jobs, jobId, monotonicMs)
    options.hide(server.token)
    let sentMs = monotonicMs()
    let lookedMs = sentMs
    let isNews = true
    const stopEvents = events.onEvent((name, payload) => {
      if (name === 'settings.changed') texts = undefined
      followed.take(name, payload)
      isNews = true
      if (name === 'jobs.state' && isLast(payload as Events['jobs.state'], jobId)) end('jobEnded')
    })
    const timer = setInterval(() => {
      const nowMs = monotonicMs()
      if (nowMs - lookedMs >= lookAtCardsMs) {
        lookedMs = nowMs
        if (!phoneCards(interfaces()).some(({ id }) => id === cardId)) return end('cardGone')
      }
      if (server.phones() === 0 || (!isNews && nowMs - sentMs < sendAtLeastMs)) return
      isNews = false
      sentMs = nowMs
      const view = viewOf(followed, jobId)
      if (view !== null) server.send(view)
    }, sendEveryMs)
    timer.unref()
    page = {
      jobId,
      cardId,
      startedAt: (options.now ?? (() => new Date()))().toISOString(),
      server,
      stopFollowing() {
        clearInterval(timer)
        stopEvents()
      }
    }
    ended = null
    // It may have ended while the port was opened.
    if (isClosed(jobs.loaded(jobId).state)) end('jobEnded')
  }

  function end(why: PhoneEnd): void {
    close(why).catch(options.reportFault)
  }

  /** Nothing listens when this resolves. */
  async function close(why: PhoneEnd): Promise<void> {
    const closing = page
    if (!closing) return
    page = undefined
    ended = { jobId: closing.jobId, why }
    closing.stopFollowing()
    tell()
    await closing.server.stop(JSON.stringify({ ended: readTexts().say(message('phonePage.ended', { why })) }))
  }

  return {
    state,
    /** @throws AppError INVALID_REQUEST for a job that is over, or a card that is none; REFUSED when the address cannot be used */
    start: (jobId: string, cardId: string) =>
      inTurn(async () => {
        if (page?.jobId === jobId && page.cardId === cardId) return state()
        await close(page?.jobId === jobId ? 'switchedOff' : 'otherJob')
        await open(jobId, cardId)
        tell()
        return state()
      }),
    stop: () =>
      inTurn(async () => {
        await close('switchedOff')
        return state()
      }),
    /** A window shows this step of a job, or none: another job on the stage ends the page. */
    noticeStage(jobId: string, stepId: string | null): void {
      if (stepId === null && stage?.jobId !== jobId) return
      stage = { jobId, stepId }
      if (stepId !== null && page && page.jobId !== jobId) end('otherJob')
    },
    /** Fitter closes, or leaves this workplace. */
    async quit(): Promise<void> {
      isQuitting = true
      // What runs may have opened one.
      await close('quit')
      await inTurn(() => close('quit'))
    }
  }
}

function isLast({ id, state, handedOver }: Events['jobs.state'], jobId: string): boolean {
  return id === jobId && (isClosed(state) || handedOver !== undefined)
}
