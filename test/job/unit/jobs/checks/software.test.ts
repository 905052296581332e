import { describe, expect, it } from 'vitest'
import { checkSoftware } from '../../../../../main/job/jobs/checks/software.ts'
import { AppError } from '../../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../../preload/contract/messages.ts'
import { rowsInWords, runCheck, type Surroundings } from '../../../../world/device/checkBench.ts'

// The quick profile: 20 s in all, asked every 5 s.
const gone = new AppError('UNREACHABLE', plainMessage('Gone.'))
const apps = [
  { name: 'tracker', version: '3.8.0', status: 'active' },
  { name: 'camera-link', version: '0.7.1', status: 'inactive' },
  { name: 'extra', version: '1.0.0', status: 'active' }
]
const run = (plan: object, more: Surroundings = {}) =>
  runCheck(checkSoftware, {
    plan,
    system: () => ({ osVersion: '4.2.1' }),
    osCheck: () => ({ mess: 'Up To Date' }),
    apps: () => apps,
    ...more
  })

describe('The software', () => {
  it('that is up to date, with the ordered applications, passes; what runs besides is told', async () => {
    const { rows, ...result } = await run({ osVersion: '4.2.1', apps: [{ name: 'tracker', version: '3.8.0' }] })
    expect(result).toMatchObject({
      state: 'pass',
      summary: 'OS 4.2.1 up to date; 1 application as ordered',
      witness: ['device'],
      tookMs: 0
    })
    expect(rowsInWords(rows)).toEqual([
      { label: 'Operating system', wanted: '4.2.1', device: '4.2.1', gateway: null, verdict: 'agrees' },
      { label: 'Updates', wanted: 'up to date', device: 'Up To Date', gateway: null, verdict: 'agrees' },
      { label: 'tracker', wanted: 'active, 3.8.0', device: 'active, 3.8.0', gateway: null, verdict: 'agrees' },
      { label: 'extra', wanted: null, device: 'active, 1.0.0', gateway: null, verdict: 'notOrdered' }
    ])
  })

  it.each([
    [{ osVersion: '4.3.0' }, {}, 'Not as ordered: Operating system'],
    [{}, { osCheck: () => ({ mess: 'Update available' }) }, 'Not as ordered: Updates'],
    [{ apps: [{ name: 'camera-link' }] }, {}, 'Not as ordered: camera-link'],
    [{ apps: [{ name: 'tracker', version: '4.0.0' }] }, {}, 'Not as ordered: tracker'],
    [{ apps: [{ name: 'nothing' }, { name: 'tracker' }] }, {}, 'Not as ordered: nothing']
  ])('never passes when it is not as ordered: %o', async (plan, more, summary) => {
    expect(await run(plan, more)).toMatchObject({ state: 'fail', summary, witness: ['device'] })
  })

  it.each([
    [
      {},
      { osCheck: () => ({ error: 'Error getting file. Try again' }) },
      'The device does not report whether it is up to date: Error getting file. Try again'
    ],
    [{}, { osCheck: () => ({ mess: 'Perhaps' }) }, 'The device does not report whether it is up to date: Perhaps'],
    [{}, { osCheck: () => ({ mess: true }) }, expect.stringMatching(/^The device does not report/)],
    [{}, { osCheck: () => gone }, 'The software cannot be read: Gone.'],
    [
      { osVersion: '4.2.1' },
      { system: () => ({ osVersion: 4.2 }) },
      expect.stringMatching(/^The software cannot be read: .*osVersion/)
    ],
    [
      { apps: [{ name: 'tracker' }] },
      { apps: () => [{ name: 'tracker', version: '3.8.0', status: true }] },
      expect.stringMatching(/^The software cannot be read: tracker: /)
    ],
    [
      { apps: [{ name: 'tracker', version: '3.8.0' }] },
      { apps: () => [{ name: 'tracker', version: 3.8, status: 'active' }] },
      expect.stringMatching(/^The software cannot be read/)
    ]
  ])('that cannot be told is unreadable: %o', async (plan, more, summary) => {
    expect(await run(plan, more as Surroundings)).toMatchObject({
      state: 'unreadable',
      summary: summary as string,
      witness: []
    })
  })

  it('waits for an update that is under way, and for the restart after it', async () => {
    const osCheck = (ms: number) => ({
      mess: ms < 5_000 ? 'Update in progress. This will take a few minutes' : 'Up To Date'
    })
    const { shown, ...result } = await run(
      {},
      { osCheck, system: (ms) => (ms >= 5_000 && ms < 10_000 ? gone : { osVersion: '4.2.1' }) }
    )
    expect(result).toMatchObject({ state: 'pass', tookMs: 10_000 })
    expect(shown[0]).toMatchObject({
      say: 'The device is installing an update and restarts automatically.',
      hint: 'Do not switch the device off.'
    })
    expect(
      await run({}, { osCheck: () => ({ mess: 'Successfully updated. Device will be restarted in any moment' }) })
    ).toMatchObject({ state: 'fail', summary: 'The device is still installing an update', tookMs: 20_000 })
  })
})
