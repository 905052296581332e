import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { SimulatedGateway } from '../../../simulator/simulation.ts'
import { openWorkspaceBench, type WorkspaceBench } from '../../world/device/workspaceBench.ts'
import { english } from '../../world/window/english.ts'

let bench: WorkspaceBench
let gateway: SimulatedGateway
let vehicleId: number

beforeEach(async () => {
  bench = await openWorkspaceBench({ gateway: true, gatewayDelayMs: 0, reportEveryMs: 500, fitted: true })
  gateway = bench.simulation.gateway as SimulatedGateway
  vehicleId = gateway.state.vehicles.find(({ device }) => device !== null)?.id ?? 0
  await signIn()
})
afterEach(async () => {
  const { faults } = bench
  await bench.stop()
  expect(faults).toEqual([])
})

const signIn = () => bench.call('gateway.signIn', { url: gateway.url, user: gateway.user, password: gateway.password })
const look = () => bench.call('diagnosis.look', { subject: { vehicleId } })
const whole = () =>
  vi.waitFor(async () => {
    const seen = await look()
    expect([seen.isWhole, seen.gateway?.state]).toEqual([true, 'answers'])
    return seen
  }, 20_000)

it('an account that the gateway does not accept any more is named, and nothing is asked until somebody signs in again', async () => {
  const before = await whole()
  gateway.setFault({ status: 401 })
  const refused = await vi.waitFor(async () => {
    const seen = await bench.call('diagnosis.retest', { subject: { vehicleId }, link: null })
    expect(seen.gateway).toMatchObject({ state: 'signedOut', trouble: 'account', username: gateway.user })
    return seen
  }, 20_000)
  expect(refused.subject.name).toBe(before.subject.name)
  gateway.setFault(null)
  // Whatever is asked again, by whomever: the account stays refused.
  await bench.call('diagnosis.retest', { subject: { vehicleId }, link: null })
  const asked = gateway.requests.length
  expect((await bench.call('diagnosis.retest', { subject: { vehicleId }, link: null })).gateway?.trouble).toBe(
    'account'
  )
  expect((await look()).gateway?.trouble).toBe('account')
  expect(gateway.requests.slice(asked).filter(({ path }) => /vehicles|rawdata|devices/.test(path))).toEqual([])
  expect((await signIn()).kind).toBe('signedIn')
  expect((await whole()).gateway?.trouble).toBeNull()
})

it('a right that the gateway refuses is named with the account, in words, and an administrator is asked for it', async () => {
  gateway.setFault([
    { status: 403, operation: 'vehicles.get' },
    { status: 403, operation: 'vehicles.list' }
  ])
  const { chain, headline } = await vi.waitFor(async () => {
    const seen = await look()
    expect(seen.brokenAt).toBe('visible')
    return seen
  }, 20_000)
  expect(headline).toEqual({ link: 'visible' })
  const broken = chain.find(({ link }) => link === 'visible')
  expect(broken && english(broken.sentence)).toBe(`${gateway.user} may not read vehicles (403).`)
  expect(broken?.action).toEqual({
    kind: 'askAdministrator',
    username: gateway.user,
    scope: 'vehicles',
    status: 403
  })
  expect(JSON.stringify(chain)).not.toContain('gateway.itSays')
})
