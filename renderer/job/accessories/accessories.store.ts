import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { AccessoryTest, KeyFob } from '../../../preload/contract/gateway/accessories.ts'
import type { CallOutput } from '../../../preload/contract/index.ts'
import { call } from '../../base/bridge.ts'
import type { Shape } from '../../base/ui/status.ts'

export const testShapes: Record<AccessoryTest['state'], Shape> = {
  waiting: 'live',
  found: 'pass',
  notFound: 'fail',
  problem: 'warn',
  stopped: 'none'
}

/** Tags that were heard longer ago may be anywhere. */
const tagHours = 72

/**
 * Pending tests at the gateway: keys, tags, photos, triggers, outputs. They continue while the person is on another
 * screen.
 */
export const useAccessories = defineStore('accessories', () => {
  const tests = shallowRef<AccessoryTest[]>([])
  const keys = shallowRef<KeyFob[] | null>(null)
  const tags = shallowRef<CallOutput<'accessories.tags'>['tags'] | null>(null)
  /** The accessory that was chosen in the list. */
  const chosenId = ref<string | null>(null)

  async function loadKeys(): Promise<void> {
    keys.value = (await call('accessories.keys', {})).keys
  }

  async function loadTags(vehicleId: number): Promise<void> {
    tags.value = (await call('accessories.tags', { vehicleId, hours: tagHours })).tags
  }

  /** Newest first. */
  function take(test: AccessoryTest): void {
    const isKnown = tests.value.some((one) => one.id === test.id)
    tests.value = isKnown ? tests.value.map((one) => (one.id === test.id ? test : one)) : [test, ...tests.value]
  }

  async function load(): Promise<void> {
    tests.value = (await call('accessories.tests', {})).tests
  }

  async function stop(id: string): Promise<void> {
    tests.value = (await call('accessories.stopTest', { id })).tests
  }

  function of(vehicleId: number, kind: AccessoryTest['kind']): AccessoryTest[] {
    return tests.value.filter((test) => test.vehicleId === vehicleId && test.kind === kind)
  }

  function clear(): void {
    tests.value = []
  }

  return { tests, keys, tags, chosenId, loadKeys, loadTags, take, load, stop, of, clear }
})
