import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { AccessoryTest } from '../../../../preload/contract/gateway/accessories.ts'
import { call } from '../../../bridge.ts'
import type { Shape } from '../../../ui/status.ts'

export const testShapes: Record<AccessoryTest['state'], Shape> = { waiting: 'live', found: 'pass', notFound: 'fail', problem: 'warn', stopped: 'none' }

/** Pending tests at the gateway: keys, tags, photos, triggers, outputs. They continue while the person is on another screen. */
export const useAccessories = defineStore('accessories', () => {
  const tests = shallowRef<AccessoryTest[]>([])
  const vehicleName = ref('')

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

  return { tests, vehicleName, take, load, stop, of, clear }
})
