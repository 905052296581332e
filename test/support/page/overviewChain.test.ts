import { expect, it } from 'vitest'
import type { LiveReading } from '../../../preload/contract/device/workspace.ts'
import { showLanguage } from '../../../renderer/base/say.ts'
import { findChain } from '../../../renderer/support/deviceSession/overview/chain.ts'

const powerOf = (lines: object) => {
  const io = { value: lines, readAt: '2026-11-20T12:00:00.000Z', problems: [] } as unknown as LiveReading
  const { wires } = findChain({
    readings: { 'io.all': io },
    facts: {},
    limits: null,
    compare: null,
    link: null,
    model: 'ft4',
    vehicleName: ''
  })
  return wires.find(({ name }) => name === 'PWR')?.value
}

it('PWR says what PWR says, and not the voltage of another line', () => {
  expect(powerOf({ PWR: true, AN1: 12_600 })).toBe('present')
  expect(powerOf({ PWR: false, AN1: 12_600 })).toBe('missing')
})

it('HDOP has the decimal sign of the reader', async () => {
  const gps = { value: { extras: { satsActive: 11, hdop: 0.8 } }, readAt: '', problems: [] } as unknown as LiveReading
  const hdopIn = async (language: 'en' | 'es') => {
    await showLanguage(language)
    return JSON.stringify(
      findChain({
        readings: { 'gps.position': gps },
        facts: {},
        limits: null,
        compare: null,
        link: null,
        model: '',
        vehicleName: ''
      }).sky
    )
  }
  expect(await hdopIn('es')).toContain('HDOP 0,8')
  expect(await hdopIn('en')).toContain('HDOP 0.8')
})
