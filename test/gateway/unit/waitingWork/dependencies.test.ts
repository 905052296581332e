import { z } from 'zod'
import { expect, test } from 'vitest'
import type { Json } from '../../../../preload/contract/define.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import { createOperations } from '../../../../main/gateway/waitingWork/engine.ts'
import type { OperationKind } from '../../../../main/gateway/waitingWork/kind.ts'
import { openTestStore } from '../../../world/data/storedJobs.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

const never = new AbortController().signal
const said = plainMessage('said')

/** An asset that is made, a key that needs its id, and a link that needs both. */
function openEngine(options: { showsId?: boolean; refuses?: boolean } = {}) {
  const { showsId = true, refuses = false } = options
  const store = openTestStore(tempFolder())
  const sent: { kind: string; payload: Json }[] = []
  let changed: () => void = () => undefined
  const asset: OperationKind = {
    kind: 'asset',
    payload: z.object({ name: z.string() }),
    title: (payload) => plainMessage(String((payload as { name?: string }).name)),
    resendWhenAbsent: true,
    maxAttempts: 2,
    giveResult: true,
    send(payload) {
      sent.push({ kind: 'asset', payload: payload as Json })
      if (refuses) return Promise.reject(new AppError('REFUSED', said, { status: 400 }))
      return Promise.resolve({ what: said, raw: null })
    },
    look: () =>
      Promise.resolve(
        showsId
          ? { seen: 'found', what: said, raw: null, result: { id: 77, text: 'Ana' } }
          : { seen: 'absent', what: said, raw: null }
      )
  }
  const needing = (kind: string, resolved: number): OperationKind => ({
    kind,
    payload: z.object({ assetId: z.number().nullable(), name: z.string() }),
    title: (payload) => plainMessage(String((payload as { name?: string }).name)),
    resendWhenAbsent: true,
    maxAttempts: 2,
    receive: (payload, part, result) =>
      part === 'asset' ? { ...(payload as object), assetId: (result as { id: number }).id } : (payload as Json),
    finalise: (payload) =>
      Promise.resolve({
        kind: 'ready',
        payload: {
          ...(payload as { assetId: number | null }),
          assetId: (payload as { assetId: number | null }).assetId ?? resolved
        },
        key: kind,
        title: said
      }),
    send(payload) {
      sent.push({ kind, payload: payload as Json })
      return Promise.resolve({ what: said, raw: null })
    },
    look: () => Promise.resolve({ seen: 'found', what: said, raw: null })
  })
  const operations = createOperations({
    rows: store.operations,
    kinds: [asset, needing('key', 5), needing('link', 6)],
    clockDifferenceMs: () => null,
    changed: () => changed()
  })
  const add = (kind: string, payload: Json, needs: { id: string; part: string }[] = []) =>
    operations.add({ kind, key: kind, title: said, payload, jobId: null, draft: false, needs }).id
  function onChange(listener: () => void): () => void {
    changed = listener
    return () => (changed = () => undefined)
  }
  return { operations, sent, add, onChange, state: (id: string) => operations.get(id)?.state }
}

test('an asset that is made offline, its key and its link go in their order, with the id that the gateway gave', async () => {
  const { operations, sent, add, state } = openEngine()
  const asset = add('asset', { name: 'Ana' })
  const key = add('key', { assetId: null, name: 'Ana' }, [{ id: asset, part: 'asset' }])
  const link = add('link', { assetId: null, name: 'Ana' }, [
    { id: asset, part: 'asset' },
    { id: key, part: '' }
  ])
  expect([state(asset), state(key), state(link)]).toEqual(['pending', 'blocked', 'blocked'])
  for (let pass = 0; pass < 3; pass++) await operations.pass(never)
  expect([state(asset), state(key), state(link)]).toEqual(['done', 'done', 'done'])
  expect(sent).toEqual([
    { kind: 'asset', payload: { name: 'Ana' } },
    { kind: 'key', payload: { assetId: 77, name: 'Ana' } },
    { kind: 'link', payload: { assetId: 77, name: 'Ana' } }
  ])
})

test('the id stands in what needed it in the transaction of "done": whoever hears of the one finds the other', async () => {
  const { operations, add, onChange } = openEngine()
  const asset = add('asset', { name: 'Ana' })
  const key = add('key', { assetId: null, name: 'Ana' }, [{ id: asset, part: 'asset' }])
  const told: unknown[] = []
  const stop = onChange(() => told.push([operations.get(asset)?.state, operations.get(key)?.payload]))
  await operations.settled(asset, never)
  stop()
  expect(told.filter((one) => Array.isArray(one) && one[0] === 'done')[0]).toEqual([
    'done',
    { assetId: 77, name: 'Ana' }
  ])
})

test('where the gateway does not show the record, what needs it goes by the name', async () => {
  const { operations, sent, add } = openEngine({ showsId: false })
  const asset = add('asset', { name: 'Ana' })
  add('key', { assetId: null, name: 'Ana' }, [{ id: asset, part: 'asset' }])
  for (let pass = 0; pass < 3; pass++) await operations.pass(never)
  expect(sent.at(-1)).toEqual({ kind: 'key', payload: { assetId: 5, name: 'Ana' } })
})

test('what needs something that was dropped asks for a person, and nothing of it is sent', async () => {
  const { operations, sent, add, state } = openEngine({ refuses: true })
  const asset = add('asset', { name: 'Ana' })
  const key = add('key', { assetId: null, name: 'Ana' }, [{ id: asset, part: 'asset' }])
  await operations.pass(never)
  expect([state(asset), state(key)]).toEqual(['failed', 'blocked'])
  operations.drop(asset, 'she has left')
  expect(operations.get(key)).toMatchObject({ state: 'needsAttention', reason: { id: 'operations.needGone' } })
  await operations.pass(never)
  expect(sent.map(({ kind }) => kind)).toEqual(['asset'])
})

test('what is needed and done already blocks nothing', async () => {
  const { operations, add, state } = openEngine()
  const asset = add('asset', { name: 'Ana' })
  await operations.pass(never)
  const key = add('key', { assetId: null, name: 'Ana' }, [{ id: asset, part: 'asset' }])
  expect(state(key)).toBe('draft')
  expect(operations.get(key)?.payload).toEqual({ assetId: 77, name: 'Ana' })
})
