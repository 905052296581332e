import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { readerOf } from '../../../preload/base/messages/settings.ts'
import { createCore, sourceResourcesFolder, type Core } from '../../../main/app/core.ts'
import { createTexts } from '../../../main/base/messages/texts.ts'
import { openStore } from '../../../main/data/store/index.ts'
import { startGateway } from '../../../simulator/gateway/gateway.ts'
import type { GatewayOptions } from '../../../simulator/gateway/types.ts'
import { fitter } from '../../world/window/fitterProcess.ts'
import { memoryFolder } from '../../world/memoryFolder.ts'

const signal = new AbortController().signal
const ends: (() => unknown)[] = []

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function signedIn(options: Partial<GatewayOptions>): Promise<Core> {
  const gateway = await startGateway({ devices: [], vehicles: 1, delayMs: 0, ...options })
  ends.push(() => gateway.stop())
  const dataFolder = mkdtempSync(join(memoryFolder, 'fitter-reading-'))
  ends.push(() => rmSync(dataFolder, { recursive: true, force: true }))
  const core = createCore({
    dataFolder,
    resourcesFolder: sourceResourcesFolder,
    inMemorySecrets: true,
    interfaces: () => ({}),
    reportFault: (error) => expect(error).toBeUndefined()
  })
  ends.push(() => core.stop())
  const [account] = gateway.accounts
  await core.accounts.signIn(
    { url: gateway.url, user: account?.user ?? '', password: account?.password ?? '', scheme: { kind: 'normal' } },
    signal
  )
  return core
}

test('units as the gateway account are those of the signed-in user, in reports too, until the person chooses others', async () => {
  const core = await signedIn({ distance: 'mile' })
  const { settings } = core.store
  const speed = () =>
    createTexts(readerOf({ ...settings.get(), language: 'en' })).say({
      id: 'common.speedKmh',
      values: { speedKmh: 100 }
    })
  settings.change({ units: 'gateway' })
  expect(settings.get().gatewayUnits).toBe('imperial')
  expect(speed()).toBe('62.1 mph')
  settings.change({ units: 'metric' })
  expect(speed()).toBe('100 km/h')
})

test('the time zones of the gateway are offered as far as this computer can show them, and none when it does not answer', async () => {
  const core = await signedIn({})
  const zones = await core.accounts.timeZones(signal)
  expect(zones).toEqual(expect.arrayContaining(['UTC', 'America/Bogota']))
  await core.accounts.signOut(signal)
  expect(await core.accounts.timeZones(signal)).toBeNull()
})

test('the terminal and its reports use the units, the time zone and the language of the policy, and otherwise those of the settings', async () => {
  const folder = mkdtempSync(join(memoryFolder, 'fitter-reading-'))
  ends.push(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'policy.json')
  writeFileSync(file, JSON.stringify({ reading: { language: 'es', timeZone: 'Asia/Tokyo' } }))
  const data = join(folder, 'data')
  const store = openStore(data)
  store.settings.change({ timeZone: 'America/Bogota' })
  store.deviceProfiles.add({
    id: 'one',
    name: 'North',
    savedAt: '2026-11-20T08:00:00.000Z',
    savedBy: 'A. Ruiz',
    from: { model: 'ft4', digits: '', vehicle: null, osVersion: null },
    settings: []
  })
  store.close()
  const list = async (env: Record<string, string>) =>
    (await fitter(['profile', 'list', '--data', data], { env: { TZ: 'UTC', ...env } })).stdout.replaceAll(/\s/g, ' ')
  expect(await list({})).toContain('saved 20 Nov 2026, 03:00')
  expect(await list({ FITTER_POLICY_FILE: file })).toContain('20 nov 2026, 17:00')
})
