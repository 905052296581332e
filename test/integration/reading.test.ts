import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { readerOf } from '../../preload/messages/settings.ts'
import { createCore, sourceResourcesFolder, type Core } from '../../main/app/core.ts'
import { createTexts } from '../../main/messages/texts.ts'
import { startGateway } from '../../simulator/gateway/gateway.ts'
import type { GatewayOptions } from '../../simulator/gateway/types.ts'
import { memoryFolder } from '../support/memoryFolder.ts'

const signal = AbortSignal.timeout(60_000)
const ends: (() => unknown)[] = []

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function signedIn(options: Partial<GatewayOptions>): Promise<Core> {
  const gateway = await startGateway({ devices: [], vehicles: 1, delayMs: 0, ...options })
  ends.push(() => gateway.stop())
  const dataFolder = mkdtempSync(join(memoryFolder, 'fitter-reading-'))
  ends.push(() => rmSync(dataFolder, { recursive: true, force: true }))
  const core = createCore({ dataFolder, resourcesFolder: sourceResourcesFolder, inMemorySecrets: true, interfaces: () => ({}), reportFault: (error) => expect(error).toBeUndefined() })
  ends.push(() => core.stop())
  const [account] = gateway.accounts
  await core.accounts.signIn({ url: gateway.url, user: account?.user ?? '', password: account?.password ?? '', scheme: { kind: 'normal' } }, signal)
  return core
}

test('units as the gateway account are those of the signed-in user, in reports too, until the person chooses others', async () => {
  const core = await signedIn({ distance: 'mile' })
  const { settings } = core.store
  const speed = () => createTexts(readerOf({ ...settings.get(), language: 'en' })).say({ id: 'common.speedKmh', values: { speedKmh: 100 } })
  settings.change({ units: 'gateway' })
  expect(settings.get().gatewayUnits).toBe('imperial')
  expect(speed()).toBe('62.1 mph')
  settings.change({ units: 'metric' })
  expect(speed()).toBe('100 km/h')
})
