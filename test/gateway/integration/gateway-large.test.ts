import { expect, onTestFinished, test } from 'vitest'
import { createGatewayClient } from '../../../main/gateway/client/client.ts'
import { startScriptedServer } from '../../world/device/scriptedServer.ts'
import { english } from '../../world/window/english.ts'

/** A gateway that signs everybody in and answers everything else with `text`. */
async function openAgainst(text: string) {
  const server = await startScriptedServer(({ path }, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end(path === '/api/login' ? '{"message": "ok", "app": null, "auth": "token"}' : text)
  })
  onTestFinished(() => server.stop())
  const client = createGatewayClient({
    url: `http://${server.address}/api`,
    credentials: () => Promise.resolve({ user: 'x', password: 'yyy' })
  })
  onTestFinished(() => client.close())
  return client
}

/** The longest row of turns that were missed: how often a timer of 1 ms was not asked although its time had come. */
async function worstWaitDuring(work: Promise<unknown>): Promise<number> {
  let last = performance.now()
  let worstMs = 0
  const timer = setInterval(() => {
    const now = performance.now()
    worstMs = Math.max(worstMs, now - last)
    last = now
  }, 1)
  await work.finally(() => clearInterval(timer))
  return worstMs
}

test('a page of millions of empty records is refused as too large, and not read', async () => {
  const client = await openAgainst(`{"data": [${'{},'.repeat(1_700_000)}{}]}`)
  const asking = client.vehicles.list()
  const waitMs = await worstWaitDuring(asking.catch(() => undefined))
  await expect(asking).rejects.toMatchObject({ code: 'UNREADABLE', retryable: false, fate: 'away' })
  console.info(`5 MB of empty records: others waited ${Math.round(waitMs)} ms at most`)
})

test('an event that cannot be read among a hundred thousand costs only itself', async () => {
  const events = Array.from({ length: 130_000 }, (_, id) => ({ id, vid: 7, label: 'ignition', lat: 40.4, lon: -3.7 }))
  const client = await openAgainst(JSON.stringify({ events: [...events, { id: 'bad', vid: 7 }, 5] }))
  const asking = client.rawdata.query({ duration: 'P1D' })
  let turns = 0
  const timer = setInterval(() => (turns += 1), 1)
  const waitMs = await worstWaitDuring(asking)
  clearInterval(timer)
  const { value, problems } = await asking
  expect(value.events).toHaveLength(130_001)
  expect(value.events?.at(-1)).toEqual({ vid: 7 })
  expect(problems.map(english)).toEqual([
    'events[130000].id: expected number, got text',
    'events[130001]: expected object, got number'
  ])
  // A watch over an output gets its turns meanwhile.
  expect(turns).toBeGreaterThan(30)
  console.info(`10 MB of events: others waited ${Math.round(waitMs)} ms at most, ${turns} turns`)
})
