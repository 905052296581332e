import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia } from 'pinia'
import { afterEach, expect, it } from 'vitest'
import { drawQrCode } from '../../../main/job/reports/pdf/qrCode.ts'
import { writeJoinFile } from '../../../main/team/server/joinFile.ts'
import { readBarcode } from '../../../renderer/device/devices/label/barcodes.ts'
import { giveDropped } from '../../../renderer/base/shell/drops.ts'
import TeamSettings from '../../../renderer/app/settings/TeamSettings.vue'
import { useTeam } from '../../../renderer/base/shell/team.store.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { TeamWork } from '../../../preload/contract/team/team.ts'
import { createFakeBridge, FakeFailure, type FakeBridge } from '../../world/window/fakes/fakeBridge.ts'

let core: FakeBridge
let page: VueWrapper
const apart: TeamWork = {
  joined: null,
  server: null,
  pushedAt: null,
  waiting: 0,
  leaving: 0,
  forks: 0,
  stopped: [],
  held: [],
  isPushing: false,
  problem: null,
  nextAt: null
}
const joined: TeamWork = {
  ...apart,
  joined: { team: 'North', name: 'Laptop 1', mayWrite: true, at: '2026-03-01T10:00:00.000Z' },
  server: { host: 'db.example.com', port: 5432, database: 'fleet', isEncrypted: true },
  pushedAt: new Date(Date.now() - 180_000).toISOString()
}

async function open(work: TeamWork, own: Parameters<typeof createFakeBridge>[0] = {}): Promise<void> {
  core = createFakeBridge({ 'team.status': () => work, ...own })
  window.fitter = core
  const pinia = createPinia()
  useTeam(pinia).take(work)
  page = mount(TeamSettings, { global: { plugins: [pinia] }, attachTo: document.body })
  await flushPromises()
}
afterEach(() => page.unmount())

const made = (name: string) => core.made.filter((call) => call.name === name).map((call) => call.input)
const text = '{"fitter":"team","team":"North","host":"db.example.com"}'
const invitation = new File([text], 'laptop.json', { type: 'application/json' })

async function drop(): Promise<void> {
  giveDropped('invitation', [invitation], () => undefined)
  for (let n = 0; n < 4; n++) await flushPromises()
}

async function press(text: string): Promise<void> {
  const found = page.findAll('button').find((one) => one.text() === text)
  if (!found) throw new Error(`No button "${text}" in: ${page.text()}`)
  await found.trigger('click')
  await flushPromises()
}

it('an invitation that is dropped on the window says which team it is for before it is used, and one that is refused says why', async () => {
  let isRefused = true
  await open(apart, {
    'team.join': () => {
      if (isRefused)
        throw new FakeFailure({
          code: 'UNREACHABLE',
          message: message('team.away', { host: 'db.example.com' }),
          retryable: true
        })
      return joined
    }
  })
  await drop()
  expect(page.text()).toContain('Join North, on db.example.com?')
  expect(made('team.join')).toEqual([])
  await press('Join')
  expect(page.text()).toContain('db.example.com cannot be reached.')
  isRefused = false
  await drop()
  await press('Cancel')
  await drop()
  await press('Join')
  expect(made('team.join')).toEqual([{ text }, { text }])
  expect(page.text()).toContain('As Laptop 1, on db.example.com.')
  expect(page.text()).toContain('Everything is uploaded.')
  expect(page.text()).toContain('3 min ago')
})

it('what waits, why, and which jobs go no further is told, with a way to them', async () => {
  await open({
    ...joined,
    waiting: 2,
    forks: 1,
    leaving: 1,
    problem: message('team.serverFull', { host: 'db.example.com' }),
    nextAt: '2026-03-01T10:05:00.000Z',
    stopped: [{ jobId: '01JD', name: 'Truck 1', why: message('team.fork') }]
  })
  expect(page.text()).toContain('The disk of db.example.com is full.')
  expect(page.text()).toContain('2 jobs')
  expect(page.text()).toContain('1 job has two versions there.')
  expect(page.text()).toContain('1 is sent when the server can be reached.')
  const link = page.get('a')
  expect([link.text(), link.attributes('href')]).toEqual(['Truck 1', '#/job/01JD'])
  core.emit('team.changed', { ...joined, waiting: 0 })
  await flushPromises()
  expect(page.text()).toContain('Everything is uploaded.')
})

it('another invitation takes the place of the present one only once somebody says so', async () => {
  await open(joined, {
    'team.join': () => ({
      ...joined,
      joined: { team: 'South', name: 'Laptop 9', mayWrite: true, at: '2026-03-01T10:00:00.000Z' }
    })
  })
  await drop()
  expect(made('team.join')).toEqual([])
  expect(page.text()).toContain('in place of North as Laptop 1?')
  await press('Keep current one')
  expect(page.text()).not.toContain('in place of')
  await drop()
  await press('Join')
  expect(made('team.join')).toHaveLength(1)
  expect(page.text()).toContain('As Laptop 9')
})

it('whether it is reached now is asked while somebody looks: what has all arrived is not told of a server that is away', async () => {
  const at = '2026-03-01T10:00:00.000Z'
  await open(joined, {
    'team.watch': ({ isOn }) => ({
      state: isOn ? 'away' : 'off',
      since: at,
      newsAt: null,
      why: isOn ? message('team.away', { host: 'db.example.com' }) : null
    })
  })
  expect(page.get('dl').text()).toContain('db.example.com cannot be reached.')
  expect(page.text()).not.toContain('Everything is uploaded.')
  page.unmount()
  await open(joined, { 'team.watch': () => ({ state: 'listening', since: at, newsAt: null, why: null }) })
  expect(page.get('dl').text()).toContain('Everything is uploaded. Connected')
})

it('a password that is not taken waits for a person, and whoever left is in no team log at once', async () => {
  const why = message('team.wrongPassword', { host: 'db.example.com' })
  let work: TeamWork = { ...joined, problem: why }
  await open(work, {
    'team.status': () => work,
    'team.leave': () => {
      work = apart
      return { toldServer: false }
    }
  })
  expect(page.get('dl [data-shape]').attributes('data-shape')).toBe('warn')
  await press('Leave team log')
  await press('Leave')
  await flushPromises()
  expect(useTeam().isJoined).toBe(false)
})

it('says once whether the connection to the team log is encrypted', async () => {
  await open(joined)
  expect(page.findAll('dt').filter((term) => term.text() === 'Encryption')).toHaveLength(1)
  expect(page.text()).toContain('Encrypted (TLS). The certificate names db.example.com.')
  page.unmount()
  await open({ ...joined, server: { host: '127.0.0.1', port: 5432, database: 'fleet', isEncrypted: false } })
  expect(page.text()).toContain('Not encrypted. The server is this computer.')
})

it('an invitation is read from the code on another screen; any other code is said to be none and not joined with', async () => {
  await open(apart, { 'team.join': () => joined })
  await press('Scan an invitation')
  const { default: CameraView } = await import('../../../renderer/device/devices/label/CameraView.vue')
  await import('../../../renderer/team/JoinByCamera.vue')
  for (let n = 0; n < 6; n++) await flushPromises()
  const camera = page.getComponent(CameraView)
  camera.props('onRead')?.('867698040023098')
  await flushPromises()
  expect(page.get('dialog').text()).toContain('This code is not an invitation.')
  expect(made('team.join')).toEqual([])
  camera.props('onRead')?.('{"fitter":"team"}')
  await new Promise((done) => setTimeout(done))
  await flushPromises()
  expect(made('team.join')).toEqual([{ text: '{"fitter":"team"}' }])
  expect(page.find('dialog').exists()).toBe(false)
})

it.each([
  ['without', null],
  ['with', `-----BEGIN CERTIFICATE-----\n${'QUJDRA+/'.repeat(150)}\n-----END CERTIFICATE-----\n`]
] as const)('the code of an invitation %s an authority can be read by the camera', async (_what, authority) => {
  const text = JSON.stringify(
    JSON.parse(
      writeJoinFile({
        team: 'North depot',
        name: 'Portátil 7',
        server: { host: 'team.example.com', port: 5432, database: 'fleet', user: 'fitter_0123456789abcdef', authority },
        password: '0123456789abcdef'.repeat(3)
      })
    )
  )
  const { size, path } = drawQrCode(text) ?? { size: 0, path: '' }
  const dark = new Set(Array.from(path.matchAll(/M(\d+) (\d+)h1v1h-1z/g), ([, x, y]) => Number(y) * size + Number(x)))
  const each = 4
  const pixels = new Uint8ClampedArray((size * each) ** 2).map((_, at) =>
    dark.has(Math.floor(at / (size * each) / each) * size + Math.floor((at % (size * each)) / each)) ? 0 : 255
  )
  expect(readBarcode({ pixels, width: size * each, height: size * each })).toBe(text)
  expect(drawQrCode('a'.repeat(2_953))?.size).toBe(185)
  expect(drawQrCode('á'.repeat(1_477))).toBeNull()
})
