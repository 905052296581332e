import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { openStore, type Store } from '../../../../main/data/store/index.ts'
import { standStill } from './gatewayWorld.ts'

/** The real store in a folder of this test file alone, and clocks that stand still. */
export function useOwnTable(): () => Store {
  let store: Store | undefined
  let goOn: (() => void) | undefined
  const folder = mkdtempSync(join(tmpdir(), 'fitter-operations-'))
  beforeAll(() => {
    store = openStore(folder)
    goOn = standStill()
  })
  afterAll(() => {
    goOn?.()
    store?.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return () => {
    if (!store) throw new Error('The store opens before the first test')
    return store
  }
}
