import { expect, test } from 'vitest'
import { createDeviceAccess } from '../../../../main/gateway/accounts/devices.ts'
import { createSecrets } from '../../../../main/base/secrets/keychain.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { simulate } from '../../../world/device/simulatedDevice.ts'

const mayBeOn = new AppError('CONFLICT', message('outputs.noneOn'))

async function openAccess() {
  const { device } = await simulate({ gateway: false })
  const access = createDeviceAccess({
    secrets: createSecrets({ inMemory: true }),
    onSecret: () => undefined,
    outputs: { leave: () => Promise.reject(mayBeOn), assertLinkMayEnd: () => undefined, devices: () => [device.imei] }
  })
  const good = { user: device.user, password: device.password }
  const replace = (by: { user: string; password: string }, isShared = false) =>
    access.assertReplaceable(`${device.host}:${device.port}`, device.imei, by, isShared)
  return { access, device, good, replace }
}

test('a sign-in that the device accepts is not replaced by another one while an output may be on; the same one may come again', async () => {
  const { access, device, good, replace } = await openAccess()
  await access.keep(device.imei, good, false)
  await expect(replace({ user: 'viewer', password: 'allowed-less' })).rejects.toBe(mayBeOn)
  await replace(good)
  device.setFault('reset', true)
  await expect(replace({ user: 'viewer', password: 'allowed-less' })).rejects.toBe(mayBeOn)
})

test('a sign-in that the device does not accept any more may be replaced: it switches nothing off', async () => {
  const { access, device, good, replace } = await openAccess()
  await access.keep(device.imei, { user: device.user, password: 'of-last-year' }, false)
  await replace(good)
})

test('one that devices share is not replaced while an output may be on of a device that has no other', async () => {
  const { access, device, good, replace } = await openAccess()
  await access.keep(null, { user: 'yard', password: 'shared-by-all' }, true)
  const ofAnother = () => access.assertReplaceable('127.0.0.1:1', null, good, true)
  await expect(ofAnother()).rejects.toBe(mayBeOn)
  await access.keep(device.imei, good, false)
  await ofAnother()
  await replace(good, true)
})
