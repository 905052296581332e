import { flushPromises, mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { expect, it } from 'vitest'
import CopiesPanel from '../../../renderer/gateway/site/CopiesPanel.vue'
import { useGateway } from '../../../renderer/base/shell/gateway.store.ts'
import { goTo } from '../../../renderer/base/shell/router.ts'
import type { Authority, ConnectionStep, InternetSettings } from '../../../preload/contract/app/internet.ts'
import { message } from '../../../preload/contract/messages.ts'
import { createFakeBridge, FakeFailure } from '../../world/window/fakes/fakeBridge.ts'
import * as data from '../../world/data/fakeData.ts'
import { core, made, openWindow, page, putCore, putPage, useFakeWindow } from '../../world/window/fakes/fakeWindow.ts'

const company: Authority = {
  fingerprint: 'AA:BB',
  subject: 'Company Root',
  issuer: 'Company Root',
  validFrom: '2020-01-01T00:00:00.000Z',
  validUntil: '2049-01-01T00:00:00.000Z'
}
const plain: InternetSettings = { proxy: { kind: 'system' }, proxyUser: null, hasPac: false, card: '', authorities: [] }

async function open(where: 'settings' | 'devices', own: Parameters<typeof createFakeBridge>[0] = {}): Promise<void> {
  await openWindow(own)
  goTo(where, where === 'settings' ? 'connection' : '')
  await flushPromises()
  await flushPromises()
}

const section = () => page.get('#settings-connection')

function press(text: string) {
  const found = section()
    .findAll('button')
    .find((one) => one.text().includes(text))
  if (!found) throw new Error(`No button "${text}" in: ${section().text()}`)
  return found
}

useFakeWindow()

it('each step of a trial shows as it is met, and the end says whether the gateway is reached', async () => {
  const steps: ConnectionStep[] = [
    {
      name: 'name',
      outcome: 'ok',
      detail: message('internet.nameFound', { host: 'gateway.example', addresses: '10.1.1.1' })
    },
    {
      name: 'connected',
      outcome: 'ok',
      detail: message('internet.connectedOver', { card: 'usb0', from: '10.64.0.2', to: '10.1.1.1' })
    }
  ]
  let isCut = true
  await open('settings', {
    'internet.try': () => {
      core.emit('internet.step', steps[0] as ConnectionStep)
      if (isCut) throw new FakeFailure({ code: 'TIMEOUT', message: message('gateway.noAnswer'), retryable: true })
      return { ok: true, steps, remedy: null }
    }
  })
  await press('Try now').trigger('click')
  await flushPromises()
  expect(section().text()).toContain('gateway.example is 10.1.1.1.')
  expect(section().text()).not.toContain('usb0')
  expect(section().find('.end').exists()).toBe(false)
  isCut = false
  await press('Try now').trigger('click')
  await flushPromises()
  expect(section().text()).toContain('Over usb0, from 10.64.0.2 to 10.1.1.1.')
  expect(section().get('.end').text()).toBe('The gateway can be reached.')
})

it('a proxy is set with its password, which is not shown again; a PAC file is offered only where it is evaluated', async () => {
  await open('settings', {
    'internet.settings': () => plain,
    'internet.chooseProxy': ({ proxy, user }) => ({ ...plain, proxy, proxyUser: user ?? null })
  })
  const proxy = section().get('select[aria-label="Proxy"]')
  expect(proxy.findAll('option').map((one) => one.text())).toEqual(['System settings', 'None', 'This proxy'])
  await proxy.setValue('address')
  const [address, user, password] = section().findAll('form input')
  await address?.setValue('http://proxy.company.example:8080')
  await user?.setValue('worker')
  await password?.setValue('proxy-word')
  await section().get('form').trigger('submit')
  await flushPromises()
  expect(made('internet.chooseProxy')).toEqual([
    { proxy: { kind: 'address', address: 'http://proxy.company.example:8080' }, user: 'worker', password: 'proxy-word' }
  ])
  expect((section().get('input[type=password]').element as HTMLInputElement).value).toBe('')
  await section().get('select[aria-label="Proxy"]').setValue('none')
  expect(made('internet.chooseProxy').at(-1)).toEqual({ proxy: { kind: 'none' } })
})

it('a certificate is pasted, shown with who it is and until when, and removed; a refusal says why', async () => {
  let authorities: Authority[] = []
  await open('settings', {
    'internet.addAuthority': ({ pem }) => {
      if (!pem.includes('CERTIFICATE'))
        throw new FakeFailure({
          code: 'INVALID_REQUEST',
          message: message('internet.authority.noCertificate'),
          retryable: false
        })
      authorities = [company]
      return { ...plain, authorities }
    },
    'internet.removeAuthority': () => ({ ...plain, authorities: [] })
  })
  await section().get('textarea').setValue('something')
  await section().get('details form').trigger('submit')
  await flushPromises()
  expect(section().text()).toContain('The file contains no certificate.')
  await section().get('textarea').setValue('-----BEGIN CERTIFICATE-----')
  await section().get('details form').trigger('submit')
  await flushPromises()
  expect(section().text()).toContain('Company Root')
  expect(section().text()).toContain('AA:BB')
  await press('Remove').trigger('click')
  await flushPromises()
  expect(made('internet.removeAuthority')).toEqual([{ fingerprint: 'AA:BB' }])
  expect(section().text()).toContain('No company certificate added.')
})

it('the networks say which of them leads to the gateway, and why another one does not', async () => {
  await open('devices', {
    'internet.networks': () => ({
      summary: message('internet.hotspotBesides', { device: 'ft4-356938035643809', card: 'eth0' }),
      cards: [
        {
          card: 'wlan0',
          addresses: ['192.168.4.20'],
          defaultGateway: '192.168.4.1',
          hotspotOf: null,
          devices: 1,
          gateway: 'failed',
          triedAt: null,
          detail: message('internet.cardFailed', { why: message('gateway.noAnswer') })
        },
        {
          card: 'eth0',
          addresses: ['10.0.0.5', '2001:db8::5'],
          defaultGateway: '10.0.0.1',
          hotspotOf: null,
          devices: 0,
          gateway: 'used',
          triedAt: null,
          detail: message('internet.cardUsed')
        }
      ]
    })
  })
  const networks = page.get('section[aria-label="Networks of this computer"]')
  expect(networks.get('.summary').text()).toContain(
    "This computer uses ft4-356938035643809's hotspot and reaches the gateway over another network (eth0)."
  )
  expect(networks.get('.summary a').attributes('href')).toBe('#/settings/connection')
  expect(networks.text()).toContain('Cannot reach the gateway. The gateway did not answer in time.')
  expect(networks.text()).toMatch(/Used to reach the gateway\. ?2001:db8::5/)
})

it.each([
  ['a sign-in page of the network', 'loginPage', message('gateway.loginPage'), 'network sign-in required'],
  ['a firewall', 'between', message('gateway.challenge', { status: 403 }), 'blocked on the way']
] as const)('the strip names %s and leads to the way', async (_, hindrance, detail, text) => {
  await open('devices')
  core.emit('gateway.changed', { ...data.gateway, state: 'unreachable', hindrance, detail })
  await flushPromises()
  const part = page.findAll('header a.part').find((one) => one.text().includes(text))
  expect(part?.attributes('href')).toBe('#/settings/connection')
})

it('the panel of the local copy says that the gateway answers with errors, and with which, not that it cannot be reached', async () => {
  putCore()
  const pinia = createPinia()
  setActivePinia(pinia)
  putPage(mount(CopiesPanel, { global: { plugins: [pinia] }, attachTo: document.body }))
  await flushPromises()
  const gateway = useGateway()
  gateway.status = { ...data.gateway, hindrance: 'failing', detail: message('gateway.failed', { status: 503 }) }
  await flushPromises()
  expect(page.get('.doing').text()).toContain('The gateway answers with errors (503).')
  expect(page.text()).not.toContain('cannot be reached')
  expect(page.get('.doing button').attributes('disabled')).toBeUndefined()
  gateway.status = data.gateway
  await flushPromises()
  expect(page.get('.doing').text()).toContain('The gateway cannot be reached.')
  expect(page.get('.doing button').attributes('disabled')).toBeDefined()
})
