import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, describe, expect, it } from 'vitest'
import * as data from '../../world/data/fakeData.ts'
import { listTags } from '../../../renderer/job/accessories/listedAccessories.ts'
import { standingOf } from '../../../renderer/gateway/vehicles/standing.ts'
import { useGateway } from '../../../renderer/base/shell/gateway.store.ts'

const dayS = 86_400
const gatewayMs = Date.parse('2026-11-20T12:00:00Z')
const ago = (hours: number) => new Date(gatewayMs - hours * 3_600_000).toISOString()

beforeEach(() => setActivePinia(createPinia()))

describe.each([
  ['a day fast', -dayS],
  ['a day slow', dayS],
  ['right', 0]
])('on a computer whose clock is %s', (_name, clockDifferenceS) => {
  const nowMs = gatewayMs - clockDifferenceS * 1_000
  const status = { ...data.gateway, state: 'reachable' as const, clockDifferenceS }
  /** As the core judges it, by the gateway's clock; read now, by the clock that the person sees. */
  const state = (minutes: number) => ({
    ...data.stateAt(ago(minutes / 60), { readAt: new Date(gatewayMs).toISOString() }),
    readAt: new Date(nowMs).toISOString()
  })

  it('a vehicle that reported a minute ago reports', () => {
    expect(standingOf(state(1), nowMs, status)).toMatchObject({ text: 'reports', whole: 'reports, 1 min ago' })
  })

  it('one that last reported 30 hours ago is silent for 30 hours', () => {
    const standing = standingOf(state(30 * 60), nowMs, status)
    expect(standing).toMatchObject({ conditions: ['silent'], shape: 'fail', text: 'silent', isSinceKnown: true })
    expect(standing.since).toMatch(/^30\sh/)
  })

  it('a tag is silent by the same clock', () => {
    useGateway().status = status
    const tag = { mac: '00:11', assetId: 1, assetName: 'Trailer', at: ago(1) } as never
    const gone = { mac: '00:12', assetId: 2, assetName: 'Box', at: ago(30) } as never
    expect(listTags([tag, gone], [], useGateway().gatewayMs(nowMs)).map(({ shape }) => shape)).toEqual(['pass', 'warn'])
  })
})
