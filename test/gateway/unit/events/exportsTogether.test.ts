import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createEventExports } from '../../../../main/gateway/events/exports.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

it('of two windows that export events at once one is refused, and the file of the other stays', async () => {
  const folder = join(tempFolder(), 'events')
  const exports = createEventExports(folder)
  const wish = {
    vehicleId: 7,
    fromMs: 0,
    toMs: 86_400_000,
    format: 'csv',
    columns: ['speed'],
    n: 3_000,
    cell: (index: number) => index
  } as const
  const [first, second] = await Promise.allSettled([exports.write(wish), exports.write(wish)])
  expect(second).toMatchObject({
    status: 'rejected',
    reason: { code: 'CONFLICT', sentence: { id: 'report.exportRuns' } }
  })
  const { id } = (first as PromiseFulfilledResult<{ id: string }>).value
  expect(existsSync(join(folder, id))).toBe(true)
  expect((await exports.part(id, 0)).base64).not.toBe('')
  await expect(exports.write(wish)).resolves.toMatchObject({ rows: 3_000 })
  await exports.stop()
})
