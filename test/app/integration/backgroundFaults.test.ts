import { afterEach, expect, test, vi } from 'vitest'
import { createCore, sourceResourcesFolder } from '../../../main/app/core.ts'
import { tempFolder } from '../../world/tempFolder.ts'

afterEach(() => vi.restoreAllMocks())

test.each([true, false])(
  'waiting work that cannot be read is reported, and is no rejection that switches outputs off (background: %s)',
  async (background) => {
    const unhandled: unknown[] = []
    const note = (error: unknown) => unhandled.push(error)
    process.on('unhandledRejection', note)
    const faults: unknown[] = []
    const core = createCore({
      dataFolder: tempFolder(),
      resourcesFolder: sourceResourcesFolder,
      inMemorySecrets: true,
      background,
      reportFault: (error) => faults.push(error)
    })
    const broken = new Error('The data file cannot be read.')
    const reading = vi.spyOn(core.operations, 'hasWork').mockImplementation(() => {
      throw broken
    })
    core.waiting.resume(null)
    await expect.poll(() => faults).toContain(broken)
    // The host tells of a rejection after its microtasks.
    await new Promise((resolve) => setImmediate(resolve))
    reading.mockRestore()
    await core.stop()
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
  }
)
