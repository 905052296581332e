import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, expect, test } from 'vitest'
import type { EntityChoice } from '../../../preload/contract/gateway/gateway.ts'
import { message } from '../../../preload/contract/messages.ts'
import OperationItem from '../../../renderer/gateway/waitingWork/OperationItem.vue'
import { createFakeBridge, FakeFailure, type FakeBridge } from '../../world/window/fakes/fakeBridge.ts'
import * as data from '../../world/data/fakeData.ts'

let core: FakeBridge
let item: VueWrapper

const similar = (id: number, name: string, plate: string | null): EntityChoice => ({
  id,
  name,
  plate,
  imei: null,
  kind: 'vehicle',
  assetType: null
})

function show(own: Parameters<typeof createFakeBridge>[0], choices: EntityChoice[]): void {
  core = createFakeBridge(own)
  window.fitter = core
  setActivePinia(createPinia())
  item = mount(OperationItem, { props: { operation: data.operation('op7', { state: 'needsAttention', choices }) } })
}
const button = (text: string) => item.findAll('button').find((one) => one.text().includes(text))
const chosen = () => core.made.filter(({ name }) => name === 'operations.choose').map(({ input }) => input)

afterEach(() => item.unmount())

test('each record that a typed name may mean has a button that says which it is, and answers with it', async () => {
  show({}, [similar(12, 'Unit 12', 'BKD 123'), similar(13, 'Unit 12', null)])
  expect(item.get('.choices').text()).toContain('Which one do you mean?')
  expect(button('BKD 123')?.text()).toBe('Unit 12 · BKD 123 · number 12')
  await button('number 13')?.trigger('click')
  await flushPromises()
  expect(chosen()).toEqual([{ id: 'op7', entityId: 13 }])
})

test('a choice that the core refuses is said beside the buttons', async () => {
  const refusing = () => {
    throw new FakeFailure({
      code: 'INVALID_REQUEST',
      message: message('operations.noSuchChoice', { number: '12' }),
      retryable: false
    })
  }
  show({ 'operations.choose': refusing }, [similar(12, 'Unit 12', null)])
  await button('Unit 12')?.trigger('click')
  await flushPromises()
  expect(item.get('[role=alert]').text()).toContain('Number 12 is not in the list of records')
})

test('work that asks nothing has no such buttons', () => {
  show({}, [])
  expect(item.find('.choices').exists()).toBe(false)
})
