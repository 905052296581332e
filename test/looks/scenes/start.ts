import type { Theatre } from '../theatre.ts'
import { limitMs, place, prepareYard, runUntilAsked, until, type Act } from './act.ts'

async function addItem({ page }: Theatre, name: RegExp): Promise<void> {
  const dialog = page.getByRole('dialog', { name: /^(New job|Trabajo nuevo|Nuevo trabajo)/ })
  await dialog.getByRole('button', { name: /^(Add an item|Agregar)/ }).click()
  await dialog.getByRole('dialog').getByRole('button', { name }).first().click()
}

export const begin: Act = {
  name: 'begin',
  simulation: { devices: 4, seed: 75, history: true },
  scenes: [
    {
      name: 'new-job',
      async open(theatre) {
        await prepareYard(theatre)
        const { page, device, call } = theatre
        await until('the local copy', async () => (await call('vehicles.search', { text: device.imei })).vehicles.length > 0)
        await place('#/start')(theatre)
        await page.keyboard.press('c')
        const dialog = page.getByRole('dialog').first()
        await dialog.getByRole('combobox').first().fill(device.imei.slice(-6))
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('Enter')
        await dialog.locator('[aria-label]').getByPlaceholder(/Order number|Número de pedido/).fill('4471')
        for (const name of [/^Inputs/, /^Key fob/, /^APN/, /^Custom question/, /^Tyre modules/]) await addItem(theatre, name)
        await dialog.getByRole('textbox', { name: 'APN' }).fill('internet.example')
        await dialog.getByRole('textbox', { name: /^What should/ }).fill('Is the seal number written in the door frame?')
        await dialog.getByRole('radio', { name: /^3 (axles|ejes)/ }).click()
        const wants = dialog.locator('.wants')
        await wants.locator('textarea').fill('7E000001A2B3C401')
        for (const [index, psi] of [90, 125].entries()) await wants.locator('input').nth(index).fill(String(psi))
        await dialog.getByText(/^Confirmed/).waitFor()
        await dialog.getByText(/^17 steps/).first().waitFor()
      }
    },
    {
      name: 'new-job-missing',
      async open({ page }) {
        await page.getByRole('textbox', { name: 'APN' }).fill('')
        await page.locator('.wants textarea').fill('')
        await page.locator('.wants textarea').blur()
        await page.locator('.lacking').nth(1).waitFor()
      },
      leave: async ({ page }) => page.getByRole('button', { name: /^(Cancel|Cancelar)/ }).click()
    },
    {
      name: 'batch-checked',
      async open(theatre) {
        await place('#/batch')(theatre)
        const { devices } = await theatre.call('discovery.watch', {})
        for (const { imei, user, password } of theatre.yard.devices) {
          const seen = devices.find((one) => one.imei === imei)
          if (seen && !seen.signedIn) await theatre.call('device.signIn', { key: seen.key, user, password, shared: false })
        }
        // One of them has an open job that does other work than its row orders.
        const last = devices.find(({ imei }) => imei === theatre.yard.devices.at(-1)?.imei)
        if (last) await theatre.call('jobs.create', { templateId: 'standard-installation', deviceKey: last.key, vehicleText: 'Unit 0004' })
        const rows = theatre.yard.devices.map(({ imei }, index) => `${imei};standard-installation;Unit 000${index + 1};Customer One`)
        const table = ['device;template;vehicle;customer', ...rows, '490154203237518;standard-installation;Unit 0099;Customer One'].join('\n')
        await theatre.page.locator('input[type=file]').setInputFiles({ name: 'fleet.csv', mimeType: 'text/csv', buffer: Buffer.from(table) })
        await theatre.page.getByRole('button', { name: /^(Keep that job|Seguir con ese)/ }).waitFor()
      }
    },
    {
      name: 'batch',
      async open(theatre) {
        const { page, call } = theatre
        await page.getByRole('button', { name: /^Start \d/ }).click()
        // A job is made before its device is connected: no step can be run until then.
        let id = ''
        await until('a job of the batch is connected', async () => {
          const [job] = (await call('jobs.list', { search: theatre.device.imei, limit: 1 })).jobs
          id = job?.id ?? ''
          return job?.state === 'running'
        })
        await runUntilAsked(theatre, id, 'link')
        await page.getByRole('link', { name: /^Next that/ }).waitFor({ timeout: limitMs })
      }
    },
    { name: 'board-live', open: place('#/board') }
  ]
}

/** The company's gateway, with a person who is about to sign in. */
async function typeGateway({ page, gateway }: Theatre): Promise<void> {
  const back = page.getByRole('button', { name: /^(Back|Atrás)$/ })
  if (!(await page.getByRole('textbox', { name: /^(Gateway address|Dirección)/ }).isVisible())) await ((await back.isVisible()) ? back : page.getByRole('button', { name: /^(Continue|Continuar)/ })).click()
  await page.getByRole('textbox', { name: /^(Gateway address|Dirección)/ }).fill(gateway.url)
  await page.getByRole('textbox', { name: /^(User|Usuario)/ }).fill(gateway.user)
  await page.locator('input[type=password]').fill(gateway.password)
  await page.getByText(/^(The gateway can be reached|La plataforma responde)/).waitFor()
}

export const newComputer: Act = {
  name: 'newComputer',
  isNewComputer: true,
  simulation: { devices: 3 },
  scenes: [
    { name: 'first-run-language', open: place('#/start') },
    { name: 'first-run', open: typeGateway },
    {
      name: 'first-run-device',
      async open(theatre) {
        await typeGateway(theatre)
        await theatre.page.getByRole('button', { name: /^(Sign in|Iniciar sesión)$/ }).click()
        await theatre.page.getByRole('heading', { name: /^(Open your first device|Abra su primer equipo)$/ }).waitFor()
      }
    },
    {
      name: 'start-setup',
      async open({ page }) {
        await page.keyboard.press('Escape')
        await page.getByRole('region', { name: /^(Still to set up|Falta configurar)$/ }).waitFor()
      }
    }
  ]
}
