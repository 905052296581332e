import { describe, expect, test } from 'vitest'
import { btTagsAssign } from '../../../../main/gateway/waitingWork/kinds/btTagsAssign.ts'
import { ibuttonsCreate } from '../../../../main/gateway/waitingWork/kinds/ibuttonsCreate.ts'
import type { ExactName } from '../../../../main/gateway/waitingWork/kinds/exactName.ts'
import { createReferenced } from '../../../../main/gateway/waitingWork/kinds/referenced.ts'
import { simsUpdate } from '../../../../main/gateway/waitingWork/kinds/simsUpdate.ts'
import { triggersCreate } from '../../../../main/gateway/waitingWork/kinds/triggersCreate.ts'
import { assetsCreate, assetPayload, assetTitle } from '../../../../main/job/accessories/accessoryOperations.ts'

const signal = new AbortController().signal
const request = { baseline: null, sinceMs: 0, wording: 1 as const, isAnswered: false, signal }
const entity = { id: 7, name: 'Driver 07', plate: null, imei: null, kind: 'asset' as const, assetType: 'driver' }

describe('a key', () => {
  const kind = (owner: number | null | undefined, found = [entity]) =>
    ibuttonsCreate({
      findExact: () =>
        Promise.resolve<ExactName>(
          found.length === 1 && found[0]
            ? { kind: 'one', entity: found[0] }
            : { kind: found.length === 0 ? 'none' : 'several', similar: found }
        ),
      registerKey: () => Promise.resolve({}),
      nameOfAsset: () => Promise.resolve('Driver 08'),
      findKey: () => Promise.resolve({ assetId: owner, raw: null })
    })
  const payload = { id: 'A1B2C3D4E5F60718', assetId: 7, assetName: 'Driver 07' }
  test.each([
    [7, 'found'],
    [8, 'conflict'],
    [null, 'conflict'],
    [undefined, 'absent']
  ] as const)('that belongs to %s is %s', async (owner, seen) => {
    expect((await kind(owner).look(payload, request)).seen).toBe(seen)
  })
  test('may be sent again, since a second one can only answer 409', () => {
    expect(kind(7).resendWhenAbsent).toBe(true)
  })
  test('of a driver that is named only waits until exactly one asset fits', async () => {
    const draft = { ...payload, assetId: null }
    expect(await kind(undefined).finalise?.(draft, signal)).toMatchObject({
      kind: 'ready',
      payload: { assetId: 7 },
      key: 'ibutton:A1B2C3D4E5F60718'
    })
    expect(await kind(undefined, [entity, { ...entity, id: 8 }]).finalise?.(draft, signal)).toMatchObject({
      kind: 'stuck'
    })
    expect(await kind(undefined, []).finalise?.(draft, signal)).toMatchObject({ kind: 'stuck' })
  })
})

describe('a tag', () => {
  const look = (owners: number[], nowMs: number) =>
    btTagsAssign({
      nameOfAsset: () => Promise.resolve(null),
      assignTag: () => Promise.resolve({}),
      findTagOwners: () => Promise.resolve({ owners, nowMs, raw: null })
    }).look({ mac: 'AC233FA001B7', assetId: 7, assetName: 'x' }, request)
  test.each([
    [[7], 1_000, 'found'],
    [[7, 8], 1_000, 'conflict'],
    [[], 1_000, 'absent'],
    [[], 15 * 60_000 + 1, 'unreadable']
  ] as const)('seen with %j after %i ms is %s', async (owners, nowMs, seen) => {
    expect((await look([...owners], nowMs)).seen).toBe(seen)
  })
})

describe('the number of a SIM', () => {
  const kind = (lineNumber: string | null) =>
    simsUpdate({
      readSim: () => Promise.resolve({ resourceId: 3, lineNumber, raw: null }),
      updateSim: () => Promise.resolve({})
    })
  const payload = { iccid: '89340711002769804831', resourceId: 3, lineNumber: '600' }
  test.each([
    ['600', 'found'],
    ['500', 'absent'],
    ['700', 'conflict'],
    [null, 'conflict']
  ] as const)('that shows %s after it was 500 is %s', async (shown, seen) => {
    expect((await kind(shown).look(payload, { ...request, baseline: { lineNumber: '500' } })).seen).toBe(seen)
  })
  test('an empty number and none are the same before and after', async () => {
    expect((await kind('').look(payload, { ...request, baseline: { lineNumber: null } })).seen).toBe('absent')
  })
})

describe('what carries a reference', () => {
  const gateway = (found: boolean | null) => ({
    create: () => Promise.resolve({}),
    hasReference: () => Promise.resolve({ found, id: 3, raw: null })
  })
  test.each([
    [true, 'found'],
    [false, 'absent'],
    [null, 'unreadable']
  ] as const)('is %s: %s', async (found, seen) => {
    const kind = createReferenced({
      kind: 'x',
      payload: assetPayload,
      title: assetTitle,
      what: 'asset',
      maxAttempts: 2,
      gateway: gateway(found)
    })
    expect((await kind.look({ name: 'a', type: 'b', groups: [], ref: 'ref:1' }, request)).seen).toBe(seen)
  })
  test('triggers and assets are sent again once at the most', () => {
    expect([triggersCreate(gateway(true)).maxAttempts, assetsCreate(gateway(true)).maxAttempts]).toEqual([2, 2])
  })
})
