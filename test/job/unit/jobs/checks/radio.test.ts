import { describe, expect, it } from 'vitest'
import { checkHotspot, checkWifi } from '../../../../../main/job/jobs/checks/radio.ts'
import { AppError } from '../../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../../preload/contract/messages.ts'
import { rowsInWords, runCheck } from '../../../../world/device/checkBench.ts'

// The quick profile: 3 s in all, read every second.
const gone = new AppError('UNREACHABLE', plainMessage('Gone.'))
const wifi = (plan: object, state: (ms: number) => object | AppError) => runCheck(checkWifi, { plan, wifi: state })
const hotspot = (plan: object, state: (ms: number) => object | AppError) =>
  runCheck(checkHotspot, { plan, hotspot: state })
const joined = { state: 'Completed', connected: true, ssid: 'Yard', ip: '10.0.0.2' }

describe('The Wi-Fi', () => {
  it('in the ordered network passes, and says nothing of a password', async () => {
    const { rows, ...result } = await wifi({ ssid: 'Yard' }, () => ({ ...joined, psk: 'secret' }))
    expect(result).toMatchObject({
      state: 'pass',
      summary: 'Wi-Fi as ordered: on, network “Yard”',
      witness: ['device'],
      tookMs: 0
    })
    expect(rowsInWords(rows)).toEqual([
      { label: 'Wi-Fi', wanted: 'on, network “Yard”', device: 'on, network “Yard”', gateway: null, verdict: 'agrees' }
    ])
    expect(JSON.stringify(result)).not.toContain('secret')
  })

  it.each([
    [{ isOn: true }, { state: 'Scanning' }],
    [{ isOn: true }, { state: 'Enabled' }],
    [{ isOn: false }, { state: 'Disabled' }],
    [{ isOn: false, ssid: 'Yard' }, { state: 'Interface_disabled' }],
    [{ ssid: 'Yard' }, { state: 'Completed', ssid: 'Yard' }],
    // The maker’s public answer: without `connected`.
    [{ ssid: 'Yard' }, { state: 'Enabled', ssid: 'Yard', ip: '192.168.1.20' }]
  ])('as ordered by %o is %o', async (plan, state) => {
    expect(await wifi(plan, () => state)).toMatchObject({ state: 'pass' })
  })

  it.each([
    [
      { ssid: 'Yard' },
      { state: 'Completed', connected: true, ssid: 'Guests' },
      'Wi-Fi is on, network “Guests”; ordered: on, network “Yard”'
    ],
    [
      { ssid: 'Yard' },
      { state: 'Scanning', connected: false, ssid: 'Yard' },
      'Wi-Fi is on, not on a network; ordered: on, network “Yard”'
    ],
    [{ ssid: 'Yard' }, { state: 'Disabled' }, 'Wi-Fi is off; ordered: on, network “Yard”'],
    [{ isOn: true }, { state: 'Disabled' }, 'Wi-Fi is off; ordered: on'],
    [{ isOn: false }, joined, 'Wi-Fi is on, network “Yard”; ordered: off']
  ])('ordered by %o never passes as %o', async (plan, state, summary) => {
    expect(await wifi(plan, () => state)).toMatchObject({ state: 'fail', summary, witness: ['device'], tookMs: 3_000 })
  })

  it('that is to be switched off may be the branch that we sit on: that is said', async () => {
    expect((await wifi({ isOn: false }, () => joined)).remedy).toMatch(/the connection ends/)
  })

  it('is given time to join', async () => {
    expect(
      await wifi({ ssid: 'Yard' }, (ms) => (ms < 2_000 ? { state: 'Scanning', connected: false } : joined))
    ).toMatchObject({ state: 'pass', tookMs: 2_000 })
  })

  it.each([{}, { state: null }, { state: true }, { state: 'Perhaps' }, { state: 'Completed', connected: true }])(
    'that answers %o is unreadable',
    async (state) => {
      expect(await wifi({ ssid: 'Yard' }, () => state)).toMatchObject({
        state: 'unreadable',
        summary: expect.stringMatching(/^Wi-Fi cannot be read/) as string,
        witness: []
      })
    }
  )

  it('of a device that does not answer is unreadable', async () => {
    expect(await wifi({ isOn: true }, () => gone)).toMatchObject({
      state: 'unreadable',
      summary: 'Wi-Fi cannot be read: Gone.'
    })
  })

  it('of which nothing was ordered is only told', async () => {
    const { rows, ...result } = await wifi({}, () => joined)
    expect(result).toMatchObject({
      state: 'received',
      summary: 'Nothing was ordered for Wi-Fi; it is on, network “Yard”'
    })
    expect(rowsInWords(rows)[0]).toMatchObject({ wanted: null, verdict: 'received' })
  })
})

describe('The hotspot', () => {
  it('goes by its name and by whether it is on', async () => {
    expect(
      await hotspot({ ssid: 'FT4-13' }, () => ({ state: 'Enabled', ssid: 'FT4-13', pass: '********' }))
    ).toMatchObject({ state: 'pass', summary: 'Hotspot as ordered: on, network “FT4-13”' })
    expect(await hotspot({ ssid: 'FT4-13' }, () => ({ state: 'Enabled', ssid: 'Other' }))).toMatchObject({
      state: 'fail',
      summary: 'Hotspot is on, network “Other”; ordered: on, network “FT4-13”'
    })
    expect(await hotspot({ isOn: true }, () => ({ state: 'Disabled' }))).toMatchObject({
      state: 'fail',
      summary: 'Hotspot is off; ordered: on'
    })
    expect(await hotspot({ isOn: false }, () => ({ state: 'Disabled' }))).toMatchObject({ state: 'pass' })
  })

  it('leaves no password in what was seen', async () => {
    const { saw } = await hotspot({ isOn: true }, () => ({ state: 'Enabled', ssid: 'FT4-13', pass: 'plain-pass' }))
    expect(JSON.stringify(saw)).not.toContain('plain-pass')
  })
})
