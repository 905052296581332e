import { expect, test } from 'vitest'
import type { Reading } from '../../../preload/contract/deviceAreas.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { switchOff } from '../../../main/jobs/outputSwitch.ts'

test('an output is switched off also when the log cannot be written, and the full disk is told afterwards', async () => {
  let isOn = true
  const reading = <Value>(value: Value): Reading<Value> => ({ operation: 'io', status: 200, value, problems: [], raw: value, readAt: '', elapsedMs: 0 }) as Reading<Value>
  const off = switchOff(
    {
      device: {
        io: {
          setOutput: ({ state }) => {
            isOn = state
            return Promise.resolve(reading({}))
          },
          all: () => Promise.resolve(reading({ OUT1: isOn, SO1: false } as never))
        }
      },
      record: () => {
        throw new AppError('DATA_UNUSABLE', 'The disk with the data folder is full.')
      },
      monotonicMs: () => performance.now(),
      pause: () => Promise.resolve()
    },
    'OUT1',
    1_000
  )
  await expect(off).rejects.toThrow('The disk with the data folder is full.')
  expect(isOn).toBe(false)
})
