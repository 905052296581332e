import { expect, test } from 'vitest'
import { diskNotice } from '../../../../main/app/diskNotice.ts'
import type { DiskStanding } from '../../../../main/data/store/file/disk.ts'
import { english } from '../../../world/window/english.ts'

test('a notice says how the disk stands and what still works, and goes by itself', () => {
  const said = (standing: DiskStanding, hasFailed = false): string => {
    const notice = diskNotice({ standing: () => standing, hasFailed: () => hasFailed })
    return notice ? `${english(notice.text)} ${notice.remedy ? english(notice.remedy) : ''}` : ''
  }
  expect(said('usable')).toBe('')
  expect(said('reserve')).toContain('uses its reserved space. Finish what you have started')
  expect(said('full')).toContain(
    'nothing new is saved. You can still view your data and switch outputs off. Free up space'
  )
  expect(said('failing', true)).toContain('changes are not saved')
  expect(said('unsure', true)).toBe(said('failing', true))
  // A disk that failed once is told for as long as Fitter runs: it will fail again.
  expect(said('usable', true)).toContain('Make a backup on another disk')
})
