import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { runCommand } from '../../../main/terminal/run.ts'
import { createDeviceClient } from '../../../main/device/client/client.ts'
import { elsewhere, panels } from '../../../renderer/support/deviceSession/panels.ts'
import table from '../../../resources/endpoints.json' with { type: 'json' }
import { handlers } from '../../../simulator/device/handlers.ts'
import { startSimulation, type SimulatedDevice, type Simulation } from '../../../simulator/simulation.ts'
import { deviceInputs } from '../../world/device/deviceInputs.ts'

const documented = table.device as { id: string; params?: string[]; body?: string[]; mutates: boolean }[]
const workspaceFolder = path.join(import.meta.dirname, '..', '..', '..', 'renderer', 'support', 'deviceSession')

/** What of the window shows an operation: its panel, by the file of that panel and the files that it is made of. */
const sourcesOf: Record<keyof typeof panels, string[]> = {
  overview: ['overview/OverviewPanel.vue', 'deviceWatch.ts'],
  position: ['position/PositionPanel.vue'],
  network: ['network/NetworkPanel.vue', 'network/ApnForm.vue'],
  wifi: ['network/WifiPanel.vue', 'network/RadioPanel.vue'],
  hotspot: ['network/HotspotPanel.vue', 'network/RadioPanel.vue'],
  lines: ['lines/LinesPanel.vue', 'outputs/OutputControl.vue'],
  accelerometer: ['system/AccelerometerPanel.vue', 'system/AlignSteps.vue'],
  engineBus: ['engineBus/EngineBusPanel.vue'],
  apps: ['system/AppsPanel.vue'],
  updates: ['system/UpdatesPanel.vue'],
  console: ['system/ConsolePanel.vue'],
  raw: ['panels.ts']
}
/** Operations that a panel uses through a call of its own, not by their name. */
const calledAs: Record<string, string> = {
  'io.all': 'workspace.lines',
  'io.setOutput': 'workspace.armOutput',
  'wifi.scan': 'workspace.scanWifi',
  'updates.osCheck': 'workspace.checkUpdate',
  'exec.run': 'workspace.exec'
}

describe('Every documented operation of the device', () => {
  it('is one of 30', () => {
    expect(documented).toHaveLength(30)
  })

  it.each(documented.map(({ id }) => id))(
    '%s has a client method, a simulator handler and a place in the window',
    (id) => {
      const client = createDeviceClient({ address: '127.0.0.1:1' }) as unknown as Record<
        string,
        Record<string, unknown>
      >
      const [area = '', verb = ''] = id.split('.')
      expect(client[area]?.[verb]).toBeTypeOf('function')
      expect(handlers[id]).toBeTypeOf('function')
      const shownIn = (Object.keys(panels) as (keyof typeof panels)[]).filter((name) =>
        (panels[name] as readonly string[]).includes(id)
      )
      expect(shownIn.length > 0 || id in elsewhere).toBe(true)
      for (const name of shownIn) {
        const text = sourcesOf[name].map((file) => fs.readFileSync(path.join(workspaceFolder, file), 'utf8')).join('\n')
        expect(
          text.includes(`'${id}'`) || (calledAs[id] !== undefined && text.includes(`'${calledAs[id]}'`)),
          `${id} in ${name}`
        ).toBe(true)
      }
    }
  )

  it('is the only kind that a panel names', () => {
    const known = new Set(documented.map(({ id }) => id))
    expect([...Object.values(panels).flat(), ...Object.keys(elsewhere)].filter((id) => !known.has(id))).toEqual([])
  })
})

describe('From the terminal', () => {
  let simulation: Simulation
  let device: SimulatedDevice
  let host: string
  let dataFolder: string
  let said: { out: string; error: string }

  beforeAll(async () => {
    simulation = await startSimulation({ gateway: false })
    device = simulation.devices[0] as SimulatedDevice
    host = `${device.host}:${String(device.port)}`
    dataFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'fitter-calls-'))
    vi.stubEnv('FITTER_DEVICE_USER', device.user)
    vi.stubEnv('FITTER_DEVICE_PASSWORD', device.password)
  })
  beforeEach(() => {
    said = { out: '', error: '' }
    const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((said.out += String(text)), true))
    const error = vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((said.error += String(text)), true))
    return () => {
      out.mockRestore()
      error.mockRestore()
    }
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await simulation.stop()
    fs.rmSync(dataFolder, { recursive: true, force: true })
  })

  function call(id: string, input: Record<string, unknown> = {}, ...more: string[]): Promise<number> {
    const entry = documented.find((one) => one.id === id)
    const params = (entry?.params ?? [])
      .map((name) => name.replace('?', ''))
      .flatMap((name) => (name in input ? ['--param', `${name}=${String(input[name])}`] : []))
    const body = entry?.body
      ? ['--body', JSON.stringify(Object.fromEntries(entry.body.map((name) => [name, input[name]])))]
      : []
    return runCommand(['device', host, 'call', id, '--json', '--data', dataFolder, ...params, ...body, ...more])
  }
  const inputOf = (id: string) =>
    id === 'auth.login' ? { username: device.user, password: device.password } : (deviceInputs[id] ?? {})

  it.each(documented)('$id answers', async ({ id, mutates }) => {
    if (id === 'io.setOutput') device.vehicle.setOutput('OUT1', true)
    expect(await call(id, inputOf(id), ...(mutates ? ['--yes'] : [])), said.error).toBe(0)
    expect(JSON.parse(said.out)).toMatchObject({ operation: id, status: 200, problems: [] })
    for (const secret of [
      'login-marker',
      'wifi-marker',
      'hotspot-marker',
      'apnuser-marker',
      'apnpass-marker',
      device.password
    ]) {
      expect(said.out + said.error).not.toContain(secret)
    }
  })

  it.each(documented.filter(({ mutates }) => mutates))(
    '$id is not sent without --yes where nobody can be asked',
    async ({ id }) => {
      const sent = device.requests.length
      expect(await call(id, inputOf(id))).toBe(2)
      expect(said.out + said.error).toContain('--yes')
      expect(device.requests).toHaveLength(sent)
    }
  )

  it('a command that is not among those that only read is sent only when --confirm repeats it', async () => {
    const sent = device.requests.length
    expect(await call('exec.run', { command: 'tracker-selftest --all' }, '--yes')).toBe(2)
    expect(
      await call('exec.run', { command: 'tracker-selftest --all' }, '--yes', '--confirm', 'tracker-selftest')
    ).toBe(2)
    expect(device.requests).toHaveLength(sent)
    expect(await call('exec.run', { command: 'tracker-selftest --all' }, '--confirm', 'tracker-selftest --all')).toBe(0)
    expect(device.requests.length).toBeGreaterThan(sent)
  })

  it.each([
    'rm -rf /data',
    'ls; dd if=/dev/zero of=/dev/mmcblk0',
    'echo x | sh',
    'sudo -u root rm -rf /data',
    'curl http://localhost:8080/IO/OUT1/true'
  ])('the command "%s" is refused before the device hears of it', async (command) => {
    const sent = device.requests.length
    expect(await call('exec.run', { command }, '--yes')).toBe(2)
    expect(JSON.parse(said.error || said.out)).toMatchObject({ error: { code: 'REFUSED' } })
    expect(device.requests).toHaveLength(sent)
  })
})
