import { workOfADay } from '../../world/team/teamYard.ts'
import { newestJob, place, until, type Act } from './act.ts'

export const first: Act = {
  name: 'first',
  scenes: [
    { name: 'start-first', open: place('#/start') },
    { name: 'devices-found', open: place('#/devices') },
    { name: 'log-empty', open: place('#/jobs') },
    { name: 'vehicles-signed-out', open: place('#/vehicles') },
    { name: 'waiting-empty', open: place('#/waiting') },
    { name: 'templates', open: place('#/templates') },
    { name: 'template', open: place('#/templates/trailer') },
    { name: 'self-test', open: place('#/self-test') },
    {
      name: 'help',
      async open(theatre) {
        await place('#/diagnose')(theatre)
        await place('#/help/no-position')(theatre)
        await theatre.page.locator('article h1').waitFor()
      }
    },
    { name: 'explain', open: place('#/explain') },
    { name: 'explain-code', open: place('#/explain/4') },
    { name: 'team-not-joined', open: place('#/team') },
    {
      name: 'team',
      async open(theatre) {
        const yard = await theatre.team()
        await workOfADay(yard)
        await theatre.call('settings.change', { technician: 'Technician One' })
        await theatre.call('team.join', { text: await yard.invite('Laptop 1') })
        await place('#/team')(theatre)
        await theatre.page.getByRole('complementary').getByRole('img', { name: /Photo|Foto|Other|Otra/ }).first().waitFor()
      }
    },
    {
      name: 'team-job',
      async open({ page }) {
        await page.keyboard.press('Enter')
        await page.getByText(/^(Read only|Solo lectura)/).waitFor()
      }
    },
    {
      name: 'team-office',
      async open(theatre) {
        const { server } = await theatre.team()
        const at = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
        const line = (n: number, checklist: string, to: string, time = '08:00') => `Unit ${String(n).padStart(4, '0')} HLD${String(n)},Customer One,${checklist},${to},${at} ${time}`
        const lines = ['vehicle,customer,template,for,when', ...[120, 121, 122, 123, 124].map((n) => line(n, 'standard-installation', 'Laptop 2', `${String(n - 112).padStart(2, '0')}:30`)), line(31, 'trailer', 'Laptop 3'), line(190, 'Standart', 'Laptop 3'), line(191, 'standard-installation', ''), 'Unit 0192,Customer Two,trailer,Nobody,24/11/2026', ...Array.from({ length: 11 }, (_, n) => line(200 + n, 'standard-installation', 'Laptop 4'))]
        lines[6] = lines[6]?.replace('HLD31', 'KRT031') ?? ''
        await theatre.call('team.openOwner', { address: `postgres://owner@127.0.0.1:${String(server.port)}/postgres`, password: server.owner.password })
        await place('#/team/office')(theatre)
        await theatre.page.locator('li.member').first().waitFor()
        await theatre.page.getByRole('button', { name: /^(Invite|Invitar)$/ }).click()
        await theatre.page.getByRole('dialog').getByRole('textbox').fill('Laptop 7')
        await theatre.page.getByRole('dialog').locator('.primary').click()
        await theatre.page.locator('.code svg').waitFor()
        await theatre.page.locator('input[type=file]').setInputFiles({ name: 'orders-24-nov.csv', mimeType: 'text/csv', buffer: Buffer.from(`${lines.join('\n')}\n`) })
        await theatre.page.locator('.fault').first().waitFor()
        await theatre.page.keyboard.press('j')
      }
    },
    {
      name: 'team-office-owner',
      async open({ page, call }) {
        await call('team.closeOwner', {})
        await page.reload()
        await page.getByRole('button', { name: /^(Sign in as owner|Entrar como propietario)$/ }).click()
        await page.getByRole('dialog').waitFor()
      },
      leave: async ({ page }) => page.keyboard.press('Escape')
    },
    {
      name: 'start-offered',
      async open(theatre) {
        await (await theatre.team()).offer('Laptop 9', 'Unit 0109')
        await place('#/start')(theatre)
        await theatre.page.getByRole('region', { name: /^(Handed over to you|Entregado a usted)/ }).waitFor()
      }
    },
    {
      name: 'hand-over-team',
      async open(theatre) {
        await theatre.page.getByRole('button', { name: /^(Take over|Tomar)/ }).click()
        await until('the job is here', async () => (await newestJob(theatre)) !== '')
        await place(`#/job/${await newestJob(theatre)}`)(theatre)
        await theatre.page.getByRole('button', { name: /^(More|Más)/ }).click()
        await theatre.page.getByRole('menuitem', { name: /^(Hand over|Entregar)/ }).click()
        await theatre.page.getByRole('radio').first().waitFor()
      }
    },
    {
      name: 'job-offered',
      async open({ page }) {
        await page.getByRole('dialog').getByRole('button', { name: /^(Hand over|Entregar)$/ }).click()
        await page.getByRole('dialog').getByRole('status').waitFor()
        await page.getByRole('dialog').locator('.primary').click()
        await page.getByRole('button', { name: /^(Take back|Recuperar)$/ }).waitFor()
      }
    },
    { name: 'settings-team', open: place('#/settings/team') },
    {
      name: 'start-assigned',
      async open(theatre) {
        const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
        const wish = { templateId: 'standard-installation', customer: 'Customer One', to: 'Laptop 1' }
        await theatre.call('team.prepare', { ...wish, vehicle: 'Unit 0012 HLD012', dueAt: at(-1), imei: theatre.device.imei })
        await theatre.call('team.prepare', { ...wish, vehicle: 'Trailer 13 R48820', dueAt: at(20), templateId: 'trailer', notes: 'The key is at the gate; ask for the yard manager.' })
        await theatre.call('team.prepare', { ...wish, vehicle: 'Unit 0003', to: '', customer: 'Customer Two' })
        await place('#/start')(theatre)
        await theatre.page.getByText('Unit 0003').first().waitFor()
      }
    },
    { name: 'log-assigned', open: place('#/jobs') },
    {
      name: 'team-assigned',
      async open(theatre) {
        await place('#/team')(theatre)
        await theatre.page.getByText('Unit 0003').click()
        await theatre.page.getByText(/^(Prepared, not started|Preparado, sin iniciar)$/).waitFor()
      }
    },
    {
      name: 'job-forked',
      async open(theatre) {
        const yard = await theatre.team()
        await yard.offer('Laptop 8', 'Unit 0108')
        const [offered] = (await theatre.call('team.offers', {})).offers.filter(({ state, direction }) => state === 'open' && direction !== 'mine')
        await theatre.call('team.takeOffer', { id: offered?.id ?? '' })
        await until('the job is here', async () => (await theatre.call('team.offers', {})).takings.some(({ state }) => state === 'taken'))
        const id = await newestJob(theatre)
        await theatre.call('team.push', {})
        await yard.fork(id)
        await until('both logs are known', async () => (await theatre.call('team.push', {})).forks > 0)
        await place(`#/job/${id}`)(theatre)
        await theatre.page.getByRole('button', { name: /^(Compare and settle|Comparar y resolver)/ }).click()
        await theatre.page.getByRole('dialog').getByRole('region').waitFor()
      },
    },
    {
      name: 'job-forked-all',
      async open({ page }) {
        await page.getByRole('button', { name: /^(Show all \d+ entries|Mostrar las \d+ entradas)/ }).click()
        await page.locator('li.same').nth(1).waitFor()
      },
      leave: async ({ page }) => page.keyboard.press('Escape')
    },
    {
      name: 'team-away',
      async open(theatre) {
        await (await theatre.team()).server.stop()
        await place('#/team')(theatre)
        await theatre.page.getByText(/^(The team log cannot be reached|No se puede conectar)/).first().waitFor()
      }
    },
    {
      name: 'team-job-away',
      async open(theatre) {
        await place('#/team-job/01TEAMYARD000031')(theatre)
        await theatre.page.getByText(/^(Local copy from|Copia local)/).first().waitFor()
      }
    }
  ]
}
