// @module-tag long
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ListedProfile, ProfilePreview, ProfileRun } from '../../../preload/contract/device/deviceProfiles.ts'
import { fileFolder, makeYard } from '../../world/window/installation.ts'

const yard = await makeYard({ devices: 2, story: 'parked', seed: 8_317, gateway: true })
const [source, target] = yard.simulation.devices
if (!source || !target) throw new Error('The simulator started without two devices')
const folder = fileFolder()
const data = join(folder, 'data')
const limit = { timeout: 360_000 }
const addressOf = ({ host, port }: { host: string; port: number }) => `${host}:${port}`
const login = JSON.stringify({ user: 'u', pass: 'canary-of-the-apn', pin: '' })

function run(words: string[]) {
  return yard.run(data, ['profile', ...words])
}
async function json<Form>(words: string[]): Promise<{ code: number | null; value: Form }> {
  const { code, stdout } = await run([...words, '--json'])
  return { code, value: JSON.parse(stdout) as Form }
}
const states = (rows: readonly { id: string; state: string }[]) =>
  Object.fromEntries(rows.map(({ id, state }) => [id, state]))

test('the settings of one device are saved, shown, and applied to another one', limit, async () => {
  target.setFault('wrongApn', true)
  const saved = await json<ListedProfile>(['save', addressOf(source), 'Río Norte'])
  expect([saved.code, saved.value.name, saved.value.settings, saved.value.from.digits]).toEqual([
    0,
    'Río Norte',
    3,
    source.imei.slice(-6)
  ])
  expect((await json<ListedProfile[]>(['list'])).value.map(({ name }) => name)).toEqual(['Río Norte'])
  expect((await run(['show', 'río norte', '--language', 'en'])).stdout).toMatch(
    /^Río Norte {2}3 settings, saved .* from ft4 …\d{6}\n {2}apn {2}internet\.example\n {2}hotspotOn {2}true\n {2}wifiOn {2}true\n$/
  )

  const shown = await json<ProfilePreview>(['apply', 'Río Norte', addressOf(target), '--dry-run'])
  expect([shown.code, states(shown.value.rows)]).toEqual([0, { apn: 'changes', hotspotOn: 'same', wifiOn: 'same' }])
  expect(
    (await run(['apply', 'Río Norte', addressOf(target), '--without', 'apn', '--yes', '--language', 'en'])).stdout
  ).toBe('Nothing to send. Nothing was sent.\n')
  // Nobody was asked, so nothing is sent.
  expect((await run(['apply', 'Río Norte', addressOf(target), '--body', login])).code).toBe(2)
  expect((await run(['apply', 'Río Norte', addressOf(target), '--yes'])).code).toBe(2)
  expect(target.kept().apn.apn).toBe('wrong.example')

  const done = await json<ProfileRun>(['apply', 'Río Norte', addressOf(target), '--yes', '--body', login])
  expect([done.code, done.value.state, states(done.value.rows)]).toEqual([0, 'ended', { apn: 'confirmed' }])
  expect(target.kept().apn).toEqual({ apn: 'internet.example', user: 'u', pass: 'canary-of-the-apn', pin: '' })
  const again = await run(['apply', 'Río Norte', addressOf(target), '--yes', '--language', 'en'])
  expect([again.code, again.stdout]).toEqual([0, 'Nothing to send. Nothing was sent.\n'])
})

test('a refusal of the device ends with 1, and a device that is lost with 3', limit, async () => {
  target.setFault('wrongApn', false)
  target.setFault('wrongApn', true)
  target.setFault('notFound', true, 'modem.editApn')
  const refused = await json<ProfileRun>(['apply', 'Río Norte', addressOf(target), '--yes', '--body', login])
  target.setFault('notFound', false, 'modem.editApn')
  expect([refused.code, states(refused.value.rows)]).toEqual([1, { apn: 'refused' }])
  // The connection broke, and the device shows the old value afterwards.
  target.setFault('reset', true, 'modem.editApn')
  const broken = await json<ProfileRun>(['apply', 'Río Norte', addressOf(target), '--yes', '--body', login])
  target.setFault('reset', false, 'modem.editApn')
  expect([broken.code, states(broken.value.rows)]).toEqual([1, { apn: 'differs' }])
  target.setFault('unauthorized', true, 'modem.editApn')
  const away = await json<ProfileRun>(['apply', 'Río Norte', addressOf(target), '--yes', '--body', login])
  target.setFault('unauthorized', false, 'modem.editApn')
  expect([away.code, away.value.state, states(away.value.rows)]).toEqual([3, 'lost', { apn: 'notSent' }])
})

test('a profile goes to another computer as a file, and a wrong file is refused', limit, async () => {
  const file = join(folder, 'profile.json')
  expect((await run(['export', 'Río Norte', '--out', file])).code).toBe(0)
  expect(readFileSync(file, 'utf8')).not.toContain(source.imei)
  // A file that is there is never replaced.
  expect((await run(['export', 'Río Norte', '--out', file])).code).toBe(2)
  expect((await run(['remove', 'Río Norte'])).code).toBe(0)
  expect((await run(['show', 'Río Norte'])).code).toBe(2)
  expect((await json<ListedProfile>(['import', file])).value.name).toBe('Río Norte')
  const other = join(folder, 'other.json')
  writeFileSync(other, '{"format":"fitter-device-profile","version":1,"command":"reboot"}')
  const refused = await json<{ error: { code: string } }>(['import', other])
  expect([refused.code, refused.value.error.code]).toEqual([2, 'INVALID_REQUEST'])
  expect((await run(['list', 'more', 'words', 'than', 'it', 'takes'])).code).toBe(2)
})
