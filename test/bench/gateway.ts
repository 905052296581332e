import { createGatewayClient } from '../../main/gateway/client/client.ts'
import { walkPages } from '../../main/gateway/client/transport/paging.ts'
import { lineFields } from '../../main/gateway/client/vehicles/vehicleLine.ts'
import { startGateway, type SimulatedGateway } from '../../simulator/gateway/gateway.ts'

/**
 * npm run bench -- gateway [--quick]: how near the client comes to what a rate limit allows, with whole minutes
 * (windows of 10 s with --quick, where the whole seconds of the reset header weigh six times as much). Beside it the
 * other side: a client that is written for nothing but this limit.
 */
const isQuick = process.argv.includes('--quick')
const windowS = isQuick ? 10 : 60
const listLimit = 30
const listed = 10_000
const pageSize = 200
const useLimit = 60
const useWindows = 3

async function open(requests: number, vehicles = 30): Promise<SimulatedGateway> {
  const tier = [{ requests, perSeconds: windowS }]
  return startGateway({ devices: [], delayMs: 0, vehicles, rateTiers: { data: tier, other: tier } })
}

function clientOf(gateway: SimulatedGateway) {
  return createGatewayClient({
    url: gateway.url,
    credentials: async () => ({ user: gateway.user, password: gateway.password })
  })
}

/** Knows the limit from its headers, sends one request after the other, and sleeps until each reset. Nothing else. */
async function listPlainly(gateway: SimulatedGateway): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ username: gateway.user, password: gateway.password })
  const { auth } = (await (await fetch(`${gateway.url}/login`, { method: 'POST', headers, body })).json()) as {
    auth: string
  }
  let count = 0
  for (let page = 1; count < listed; page++) {
    const answer = await fetch(`${gateway.url}/vehicles?select=name,info,device,groups&set=${pageSize}&page=${page}`, {
      headers: { Authenticate: auth }
    })
    count += ((await answer.json()) as { data: unknown[] }).data.length
    if (answer.headers.get('x-ratelimit-remaining') === '0' && count < listed) {
      await new Promise((resolve) =>
        setTimeout(resolve, Math.max(0, Number(answer.headers.get('x-ratelimit-reset')) * 1000 - Date.now()))
      )
    }
  }
  return count
}

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; value: T }> {
  const started = performance.now()
  const value = await work()
  return { ms: performance.now() - started, value }
}

async function benchList() {
  // A sixth of the seeded vehicles is in a group that the user does not have.
  const [ours, plain] = [await open(listLimit, (listed * 6) / 5), await open(listLimit, (listed * 6) / 5)]
  const client = clientOf(ours)
  const [own, other] = await Promise.all([
    timed(async () => {
      let count = 0
      const options = { priority: 'background', rateLimitWaitMs: 600_000 } as const
      for await (const { value } of walkPages(
        (where) => client.vehicles.list({ select: lineFields, ...where }, options) as never,
        { set: pageSize }
      ))
        count += (value as { data: unknown[] }).data.length
      return count
    }),
    timed(() => listPlainly(plain))
  ])
  const refused = ours.requests.filter(({ status }) => status === 429).length
  client.close()
  await ours.stop()
  await plain.stop()
  const pages = listed / pageSize
  const allowedMs = (Math.ceil(pages / listLimit) - 1) * windowS * 1000
  return { vehicles: own.value, pages, ownMs: own.ms, plainMs: other.ms, allowedMs, refused }
}

async function benchUse() {
  const gateway = await open(useLimit)
  const client = clientOf(gateway)
  const wanted = useLimit * useWindows + 1
  const { ms } = await timed(() =>
    Promise.all(
      Array.from({ length: wanted }, (_, n) =>
        client.vehicles.list({ set: 1, page: 1 + (n % 20) }, { priority: 'background', rateLimitWaitMs: 900_000 })
      )
    )
  )
  const refused = gateway.requests.filter(({ status }) => status === 429).length
  client.close()
  await gateway.stop()
  return { wanted, ms, allowedMs: useWindows * windowS * 1000, refused }
}

const say = (text: string) => process.stdout.write(`${text}\n`)
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
const verdict = (isMet: boolean) => (isMet ? 'met' : 'NOT MET')

/** The goals speak of whole minutes. */
const ofMinutes = (isMet: boolean) => (isQuick ? 'not judged with --quick' : verdict(isMet))

const [list, use] = await Promise.all([benchList(), benchUse()])
const listRatio = list.ownMs / list.plainMs
say(
  `List of ${list.vehicles} vehicles in ${list.pages} pages, ${listLimit} requests in ${windowS} s: ${seconds(list.ownMs)}, ${list.refused} times 429`
)
say(
  `  a client for this alone: ${seconds(list.plainMs)}; windows alone: ${seconds(list.allowedMs)}; ratio ${listRatio.toFixed(3)}, to the windows alone ${(list.ownMs / list.allowedMs).toFixed(3)}`
)
say(
  `  goal: within 1.15 of what the limit allows: ${ofMinutes(list.ownMs / list.allowedMs <= 1.15 && list.vehicles === listed)}`
)
const share = use.allowedMs / use.ms
say(
  `Use of a limit of ${useLimit} in ${windowS} s, ${use.wanted} requests: ${seconds(use.ms)} for ${seconds(use.allowedMs)}, ${(share * 100).toFixed(1)} % used, ${use.refused} times 429`
)
say(`  goal: at least 95 % and not one 429: ${ofMinutes(share >= 0.95 && use.refused === 0)}`)
