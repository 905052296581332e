// @module-tag long
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { expect, test, type TestContext } from 'vitest'
import { WebSocket } from 'ws'
import { buildStale } from '../../../bin/build.ts'
import type { CallInput, CallName, CallOutput } from '../../../preload/contract/index.ts'
import type { CallResult } from '../../../preload/contract/errors.ts'
import { startSimulation, type SimulatedDevice } from '../../../simulator/simulation.ts'
import { startFitter, type Running } from '../../world/window/fitterProcess.ts'
import { fileFolder, makeYard } from '../../world/window/installation.ts'
import { until } from '../../world/device/jobBench.ts'

const limit = { timeout: 720_000 }
const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const
/** What the end of a command may take: the limit of quitting, and the work after it. */
const endsWithinMs = 45_000

const isOn = (device: SimulatedDevice) => device.vehicle.state().outputs.OUT1

/** As the system sees the process; `T`: stopped, `X`: gone. */
function stateOf(pid: number): string | undefined {
  try {
    return /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  } catch {
    return 'X'
  }
}

/** Tests run beside each other, so each ends what it started by its own context. */
type Own = Pick<TestContext, 'onTestFinished' | 'expect'>

async function openYard({ onTestFinished }: Own) {
  const simulation = await startSimulation()
  onTestFinished(() => simulation.stop())
  const device = simulation.devices[0]!
  const folder = fileFolder()
  return {
    device,
    folder,
    address: `${device.host}:${device.port}`,
    env: { FITTER_DEVICE_USER: device.user, FITTER_DEVICE_PASSWORD: device.password, HOME: folder }
  }
}

function endWith({ onTestFinished }: Own, running: Running): void {
  onTestFinished(async () => {
    running.kill('SIGCONT')
    running.kill('SIGKILL')
    await running.ended
  })
}

/** A command that has OUT1 on. */
async function heldByCommand(own: Own) {
  const { device, folder, address, env } = await openYard(own)
  const running = startFitter(
    [
      'device',
      address,
      'call',
      'io.setOutput',
      '--param',
      'out=OUT1',
      '--param',
      'state=true',
      '--yes',
      '--json',
      '--data',
      folder
    ],
    { env }
  )
  endWith(own, running)
  await until('OUT1 is on', () => isOn(device), limit.timeout)
  await running.saw('"io.setOutput"')
  return { device, running }
}

// Once, and not by each process that serves it.
await buildStale(['renderer', 'licences'])
/** One for each test with a job. */
const yards = await Promise.all(Array.from({ length: 8 }, (_, index) => makeYard({ seed: 21 + index })))

/** A job whose step has OUT1 on, and nobody says whether the relay works. */
async function heldByJob(own: Own) {
  const yard = yards.shift()!
  const folder = fileFolder()
  const id = await yard.newJob(folder, ['--vehicle', yard.vehicleName()])
  const waived = Object.fromEntries(
    ['external-power', 'ignition', 'inputs', 'position'].map((step) => [step, { waive: 'no time' }])
  )
  const running = yard.start(folder, [
    'job',
    'run',
    id,
    '--answers',
    yard.answers(folder, { ...waived, 'output-1': { armed: true } }),
    '--json'
  ])
  endWith(own, running)
  await running.saw('OUT1 is on. It goes off when you answer')
  expect(isOn(yard.device)).toBe(true)
  return { device: yard.device, running }
}

/** The page served by a command, with OUT1 on by hand and somebody watching it. */
async function heldByPage(own: Own) {
  const { device, folder, address, env } = await openYard(own)
  const running = startFitter(['serve', '--json', '--data', folder], { env })
  endWith(own, running)
  await running.saw('"url"')
  const call = await openPage((JSON.parse(/\{"url".*\}/.exec(running.output())![0]) as { url: string }).url, own)
  await call('discovery.addAddress', { address })
  const find = async () => (await call('discovery.watch', {})).devices.find(({ port }) => port === device.port)?.key
  await own.expect.poll(find).toBeDefined()
  const key = (await find())!
  await call('device.signIn', { key, user: device.user, password: device.password, shared: false })
  const watch = () => call('workspace.watchOutput', { key, out: 'OUT1' })
  await own.expect.poll(async () => (await watch()).missing).toEqual([])
  await call('workspace.armOutput', { key, out: 'OUT1' })
  await own.expect.poll(async () => (await watch()).phase).toBe('on')
  const timer = setInterval(() => void watch().catch(() => undefined), 500)
  own.onTestFinished(() => clearInterval(timer))
  return { device, running }
}

/** Opens the printed address as a browser does. */
async function openPage(url: string, { onTestFinished }: Own) {
  const get = (address: URL, host: string) =>
    new Promise<{ location: string; cookie: string }>((resolve, reject) =>
      request(
        { host: '127.0.0.1', port: address.port, path: address.pathname + address.search, headers: { Host: host } },
        (response) => {
          response.resume()
          resolve({
            location: response.headers.location ?? '',
            cookie: response.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
          })
        }
      )
        .on('error', reject)
        .end()
    )
  const entry = new URL(url)
  const page = new URL((await get(entry, entry.host)).location)
  const { cookie } = await get(page, page.host)
  const socket = new WebSocket(`ws://127.0.0.1:${entry.port}/bridge`, {
    headers: { Host: page.host, Cookie: cookie, Origin: page.origin }
  })
  socket.on('error', () => undefined)
  onTestFinished(() => socket.terminate())
  await new Promise((resolve) => socket.once('open', resolve))
  const answers = new Map<number, (result: CallResult<unknown>) => void>()
  socket.on('message', (data) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: CallResult<unknown> }
    if (id !== undefined && result) answers.get(id)?.(result)
  })
  let last = 0
  return async <Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>> => {
    const id = ++last
    const result = await new Promise<CallResult<unknown>>((resolve) => {
      answers.set(id, resolve)
      socket.send(JSON.stringify({ id, name, input }))
    })
    if (!result.ok) throw Object.assign(new Error(`${name}: ${JSON.stringify(result.error)}`), result.error)
    return result.value as CallOutput<Name>
  }
}

const holders = [
  ['a command', heldByCommand],
  ['the step of a job', heldByJob],
  ['a page', heldByPage]
] as const
const each = holders.flatMap(([name, hold]) => endSignals.map((signal) => ({ name, hold, signal })))

test.concurrent.for(each)(
  '$signal: an output that $name has on goes off before the process ends',
  limit,
  async ({ hold, signal }, own) => {
    const { device, running } = await hold(own)
    running.kill(signal)
    const end = await running.ended
    expect([isOn(device), end.signal, end.stderr.includes('may still be on')]).toEqual([false, null, false])
  }
)

test.concurrent.for(
  holders.flatMap(([name, hold]) => (['reset', 'hang'] as const).map((fault) => ({ name, hold, fault })))
)(
  'an output that $name has on is named within the limit when the device does not answer any more ($fault)',
  limit,
  async ({ hold, fault }, own) => {
    const { device, running } = await hold(own)
    device.setFault(fault, true)
    const startMs = performance.now()
    running.kill('SIGTERM')
    const end = await running.ended
    expect([end.signal, end.code, end.stderr]).toEqual([
      null,
      1,
      expect.stringContaining(`OUT1 of the device ${device.imei}`)
    ])
    expect(performance.now() - startMs).toBeLessThan(endsWithinMs)
  }
)

test.concurrent.for(holders.map(([name, hold]) => ({ name, hold })))(
  'a relay that stays on although the device answers does not keep the process of $name from ending',
  limit,
  async ({ hold }, own) => {
    const { device, running } = await hold(own)
    const { setOutput } = device.vehicle
    device.vehicle.setOutput = (output, on) => (on ? setOutput.call(device.vehicle, output, on) : undefined)
    const startMs = performance.now()
    running.kill('SIGTERM')
    const end = await running.ended
    expect([end.signal, end.code, end.stderr, isOn(device)]).toEqual([
      null,
      1,
      expect.stringContaining(`OUT1 of the device ${device.imei}`),
      true
    ])
    expect(performance.now() - startMs).toBeLessThan(endsWithinMs)
  }
)

test.concurrent.for(holders.map(([name, hold]) => ({ name, hold })))(
  'Ctrl+Z: an output that $name has on goes off, then the process is stopped, and it continues afterwards',
  limit,
  async ({ name, hold }, own) => {
    const { device, running } = await hold(own)
    running.kill('SIGTSTP')
    running.kill('SIGTSTP')
    await running.saw('Every output is off')
    expect(isOn(device)).toBe(false)
    // A command that only holds the output has nothing more to do, and may end before it is stopped.
    await own.expect.poll(() => stateOf(running.pid)).toMatch(name === 'a command' ? /[TZX]/ : /T/)
    running.kill('SIGCONT')
    if (name !== 'a command') {
      await own.expect.poll(() => stateOf(running.pid)).not.toBe('T')
      running.kill('SIGTERM')
    }
    const end = await running.ended
    expect(end.signal).toBeNull()
  }
)

test.concurrent(
  'Ctrl+Z with a device that does not answer names the output, and stops the process',
  limit,
  async (own) => {
    const { device, running } = await heldByPage(own)
    device.setFault('reset', true)
    running.kill('SIGTSTP')
    await own.expect.poll(() => stateOf(running.pid), { timeout: endsWithinMs }).toBe('T')
    expect(running.output()).toContain(`OUT1 of the device ${device.imei}`)
    device.setFault('reset', false)
    running.kill('SIGCONT')
    await until('OUT1 is off', () => !isOn(device), endsWithinMs)
    running.kill('SIGTERM')
    expect((await running.ended).signal).toBeNull()
  }
)
