import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { Access, keyLifetimeMs } from '../../../../main/app/browserHost/access.ts'

function requestWith(cookie: string | undefined): IncomingMessage {
  return { headers: { cookie } } as IncomingMessage
}

it('exchanges a key once, and never a second time', () => {
  const access = new Access({ port: 4711 })
  const key = access.issueKey()
  expect(access.exchange(key)).toMatch(/^fitter-4711=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
  expect(access.exchange(key)).toBeUndefined()
})

it('refuses a key that is older than five minutes', () => {
  let nowMs = 0
  const access = new Access({ port: 4711, nowMs: () => nowMs })
  const early = access.issueKey()
  const late = access.issueKey()
  nowMs = keyLifetimeMs - 1
  expect(access.exchange(early)).toBeDefined()
  nowMs = keyLifetimeMs
  expect(access.exchange(late)).toBeUndefined()
})

it('refuses a key that was never issued, also an empty one', () => {
  const access = new Access({ port: 4711 })
  access.issueKey()
  expect(access.exchange('')).toBeUndefined()
  expect(access.exchange('A'.repeat(43))).toBeUndefined()
})

it('exchanges the printed key for another one, which then gives the cookie', () => {
  const access = new Access({ port: 4711 })
  const printed = access.issueKey()
  const second = access.exchangeForKey(printed)!
  expect(access.exchangeForKey(printed)).toBeUndefined()
  expect(access.exchange(printed)).toBeUndefined()
  expect(access.exchange(second)).toBeDefined()
})

it('keeps digests of its cookies, never the cookies, and knows them again after a new start', () => {
  const kept: string[][] = []
  const access = new Access({ port: 4711, sessionsChanged: (digests) => kept.push([...digests]) })
  const cookie = access.exchange(access.issueKey())!.split(';')[0]!
  expect(JSON.stringify(kept)).not.toContain(cookie.split('=')[1])
  const again = new Access({ port: 4711, sessions: kept[0]! })
  expect(again.hasSession(requestWith(cookie))).toBe(true)
  expect(again.hasSession(requestWith(`fitter-4711=${kept[0]![0]!}`))).toBe(false)
})

it('keeps other keys when one is used, so that a second browser can come in', () => {
  const access = new Access({ port: 4711 })
  const [first, second] = [access.issueKey(), access.issueKey()]
  expect(access.exchange(first)).toBeDefined()
  expect(access.exchange(second)).toBeDefined()
})

it('knows the cookie that it gave, among others, and no other', () => {
  const access = new Access({ port: 4711 })
  const cookie = access.exchange(access.issueKey())!.split(';')[0]!
  expect(access.hasSession(requestWith(`a=b; ${cookie}; c=d`))).toBe(true)
  expect(access.hasSession(requestWith(cookie.replace('4711', '4712')))).toBe(false)
  expect(access.hasSession(requestWith(`fitter-4711=${'A'.repeat(43)}`))).toBe(false)
  expect(access.hasSession(requestWith('fitter-4711'))).toBe(false)
  expect(access.hasSession(requestWith(undefined))).toBe(false)
})
