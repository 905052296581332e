import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { CallOutput } from '../../../preload/contract/index.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { OfficeOrder, TeamMember } from '../../../preload/contract/team/teamOffice.ts'
import App from '../../../renderer/app/frame/App.vue'
import { loadScreens } from '../../../renderer/app/frame/screens.ts'
import { goTo, place } from '../../../renderer/base/shell/router.ts'
import { createFakeBridge, FakeFailure, type FakeBridge } from '../../world/window/fakes/fakeBridge.ts'
import { teamAnswers, work } from '../../world/window/fakes/fakeTeam.ts'
import { giveRoom } from '../../world/window/fakes/fakeWindow.ts'

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()
const member = (name: string, more: Partial<TeamMember> = {}): TeamMember => ({
  name,
  isMe: false,
  role: 'writer',
  technician: '',
  pushedAt: ago(3600),
  jobs: 0,
  ...more
})
const members: TeamMember[] = [
  member('Desk 1', { isMe: true, role: 'lead' }),
  member('Laptop 2', { technician: 'Technician Two', jobs: 4, pushedAt: ago(5) }),
  member('Laptop 5', { pushedAt: ago(34 * 86_400), jobs: 1 }),
  member('Reports', { role: 'reader', pushedAt: null })
]
const order = (line: number, more: Partial<OfficeOrder> = {}): OfficeOrder => ({
  id: `order${String(line)}`,
  lines: [line],
  device: '',
  template: 'Standard installation',
  vehicle: `Unit 01${String(line)}`,
  customer: 'Customer One',
  notes: '',
  to: 'technician two',
  due: '2026-11-24T08:00',
  order: { reference: '', items: [], vehicle: '', customer: '', notes: '' },
  errors: [],
  open: null,
  sent: null,
  ...more
})
const orders: OfficeOrder[] = [
  order(2),
  order(3, { template: 'STANDARD', to: 'Laptop 5' }),
  order(4, { open: { isStarted: true, by: 'Technician Three' } }),
  order(5, { template: 'Standart' }),
  order(6, { vehicle: 'TQX59', to: '' }),
  order(7, { to: 'Nobody' }),
  order(8, { errors: [message('teamOffice.when', { text: '24/11' })] })
]

let core: FakeBridge
let page: VueWrapper
let owner: CallOutput<'team.office'>['owner'] = null
let invitations: CallOutput<'team.office'>['invitations'] = []
const expiresAt = new Date(Date.now() + 86_300_000).toISOString()

async function settle(): Promise<void> {
  for (let n = 0; n < 10; n++) await flushPromises()
}
async function open(own: Parameters<typeof createFakeBridge>[0] = {}): Promise<void> {
  core = createFakeBridge({
    ...teamAnswers(),
    'team.office': () => ({ team: 'North', members, invitations, owner, address: 'postgres://@team.example/fitter' }),
    'team.openOwner': () => (owner = { host: 'team.example', user: 'company' }),
    'team.closeOwner': () => {
      owner = null
      return {}
    },
    'team.kept': () => ({
      jobs: 412,
      since: '2024-01',
      photos: 900,
      photoBytes: 38_000_000_000,
      last: null,
      photosSince: '2025-05',
      lastPhotos: { at: '2026-05-02T08:00:00.000Z', month: '2025-05', by: 'company' }
    }),
    'team.invite': ({ name }) => {
      invitations = [{ name, role: 'writer', at: ago(0), expiresAt }]
      return {
        name,
        fileName: 'fitter-team-Laptop-7.json',
        text: '{\n  "fitter": "team"\n}\n',
        code: { size: 29, path: 'M4 4h1v1h-1z' },
        expiresAt,
        onlyHere: null
      }
    },
    'team.withdrawInvitation': () => {
      invitations = []
      return {}
    },
    'team.removeLaptop': () => ({ jobs: 1 }),
    'team.dropBefore': () => ({
      jobs: 12,
      entries: 300,
      contents: 40,
      freedBytes: 9_000_000,
      heldByLaw: 2,
      stillUsed: 1
    }),
    'team.checkOrders': () => ({
      orders,
      findings: [{ line: 1, column: 'color', what: message('orders.noSuchColumn', { name: 'color' }) }],
      reading: {
        encoding: 'windows-1252',
        unclear: null,
        separator: ';',
        skipped: ['Orders'],
        columns: ['vehicle'],
        rows: [['Unit 1']],
        n: 1,
        notes: []
      }
    }),
    'team.prepare': ({ id = '' }) => ({ id }),
    'team.faultsTable': () => ({ text: 'vehicle,problem\r\n' }),
    ...own
  })
  window.fitter = core
  page = mount(App, { global: { plugins: [createPinia()] }, attachTo: document.body })
  await settle()
  goTo('team')
  await settle()
  await page
    .findAll<HTMLInputElement>('input[type=radio]')
    .find((one) => one.element.parentElement?.textContent?.includes('Office'))
    ?.setValue(true)
  await settle()
  await new Promise((done) => setImmediate(done))
  await settle()
}
async function openFile(name = 'orders.csv'): Promise<void> {
  const input = page.get<HTMLInputElement>('input[type=file][accept*=csv]')
  Object.defineProperty(input.element, 'files', { configurable: true, value: [new File(['vehicle\nUnit 1\n'], name)] })
  await input.trigger('change')
  await settle()
}
const made = (name: string) => core.made.filter((call) => call.name === name).map((call) => call.input)
const button = (text: string) =>
  [...document.querySelectorAll('button')].find((one) => one.textContent.trim().includes(text))
const person = (name: string) => page.findAll('li.member').find((one) => one.text().includes(name))
const row = (words: string) => page.findAll('[role=row][data-index]').find((one) => one.text().includes(words))
const dialog = () => document.querySelector('dialog')
async function press(key: string): Promise<void> {
  ;(document.activeElement ?? document.body).dispatchEvent(
    new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
  )
  await settle()
}
async function click(text: string): Promise<void> {
  button(text)?.click()
  await settle()
}
async function fill(field: string, value: string): Promise<void> {
  const input = [...document.querySelectorAll<HTMLInputElement>('dialog label.field')]
    .find((label) => label.textContent.includes(field))
    ?.querySelector('input')
  if (!input) throw new Error(`There is no field ${field}`)
  input.value = value
  input.dispatchEvent(new Event('input'))
  await settle()
}
async function submit(): Promise<void> {
  dialog()
    ?.querySelector('form')
    ?.dispatchEvent(new Event('submit', { cancelable: true, bubbles: true }))
  await settle()
}

beforeAll(async () => {
  ;(
    window as unknown as { happyDOM: { setViewport(size: { width: number; height: number }): void } }
  ).happyDOM.setViewport({ width: 1280, height: 800 })
  giveRoom(600)
  await loadScreens()
  await Promise.all(
    ['OfficeScreen', 'OwnerDialog', 'InviteDialog', 'RemoveLaptopDialog', 'DropDialog'].map(
      (name) => import(`../../../renderer/team/office/${name}.vue`)
    )
  )
})
beforeEach(() => {
  setActivePinia(createPinia())
  owner = null
  invitations = []
  goTo('start')
})
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
})

test('the office lists people and laptops with their age and jobs, and says what this login may do and what the owner can', async () => {
  await open()
  expect(place.value).toMatchObject({ screen: 'team', id: 'office' })
  expect(person('Desk 1')?.text()).toContain('this computer')
  expect(person('Technician Two')?.text()).toContain('4 jobs')
  expect(person('Technician Two')?.text()).toContain('technician · Laptop 2')
  expect(person('Technician Two')?.find('[data-shape=live]').exists()).toBe(true)
  expect(person('Laptop 5')?.find('[data-shape=warn]').exists()).toBe(true)
  expect(person('Reports')?.text()).toContain('nothing uploaded yet')
  expect(page.text()).toContain('may take over any job at any time')
  expect(page.text()).toContain('Only the owner of the team log may invite')
  expect(made('team.kept')).toEqual([])
})

test('what others do renews the list, at most every five seconds', async () => {
  let jobs = 4
  await open({
    'team.office': () => ({ team: 'North', members: [member('Laptop 2', { jobs })], invitations, owner, address: '' })
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const asked = made('team.office').length
  jobs = 5
  core.emit('team.news', { jobIds: ['ONE'] })
  await vi.advanceTimersByTimeAsync(200)
  await settle()
  expect(person('Laptop 2')?.text()).toContain('5 jobs')
  for (let n = 0; n < 20; n++) {
    core.emit('team.news', { jobIds: ['ONE'] })
    await vi.advanceTimersByTimeAsync(200)
  }
  expect(made('team.office').length - asked).toBe(1)
  await vi.advanceTimersByTimeAsync(1_500)
  expect(made('team.office').length - asked).toBe(2)
})

test('removing asks for the owner first, then says what happens, and the password is in no field afterwards', async () => {
  await open()
  await click('Remove')
  expect(dialog()?.textContent).toContain('only in memory')
  expect(made('team.removeLaptop')).toEqual([])
  await fill('Address', 'postgres://company@team.example/fitter')
  await fill('Password', 'secret-word')
  await submit()
  expect(made('team.openOwner')).toEqual([
    { address: 'postgres://company@team.example/fitter', password: 'secret-word' }
  ])
  expect(dialog()?.textContent).toContain('Remove Laptop 5 from the team?')
  expect(dialog()?.textContent).toContain('The laptop has 1 open job')
  await submit()
  expect(made('team.removeLaptop')).toEqual([{ name: 'Laptop 5' }])
  expect(page.text()).toContain('Owner of the team log: company on team.example')
  expect(document.body.innerHTML).not.toContain('secret-word')
})

test('a login that is not the owner is refused in words, and nothing else opens', async () => {
  await open({
    'team.openOwner': () => {
      throw new FakeFailure({
        code: 'NOT_PERMITTED',
        message: message('teamWay.onlyOwner', { host: 'team.example', user: 'me' }),
        retryable: false
      })
    }
  })
  await click('Invite')
  await submit()
  expect(dialog()?.textContent).toContain('does not own the team log')
  expect(document.querySelectorAll('dialog')).toHaveLength(1)
  expect(made('team.invite')).toEqual([])
})

test('an invitation is a code and a file that works once, and can be withdrawn', async () => {
  owner = { host: 'team.example', user: 'company' }
  await open()
  await click('Invite')
  await fill('Name', 'Laptop 7')
  await submit()
  await settle()
  expect(made('team.invite')).toEqual([{ name: 'Laptop 7', role: 'writer' }])
  expect(page.text()).toContain('Invitation for Laptop 7')
  expect(page.text()).toContain('Works once, expires in 23 h 5')
  expect(page.get('.code svg path').attributes('d')).toBe('M4 4h1v1h-1z')
  expect(page.text()).toContain('Save file')
  await click('Withdraw')
  expect(made('team.withdrawInvitation')).toEqual([{ name: 'Laptop 7' }])
  expect(page.text()).toContain('No open invitation.')
})

test('what is kept is shown to the owner; old jobs are counted for the chosen month before anything can be deleted', async () => {
  owner = { host: 'team.example', user: 'company' }
  await open()
  expect(page.text()).toContain('412 jobs stored')
  expect(page.text()).toContain('since Jan 2024')
  expect(page.text()).toContain('38 GB')
  await click('Change')
  const confirm = () => dialog()?.querySelector<HTMLButtonElement>('button.danger')
  expect(confirm()?.disabled).toBe(true)
  await fill('Keep jobs from', '2024-06')
  expect(made('team.dropBefore')).toEqual([{ month: '2024-06', isTrial: true }])
  expect(dialog()?.textContent).toContain('12 jobs and 40 photos would be deleted')
  expect(dialog()?.textContent).toContain('2 on legal hold, 1 changed since')
  expect(confirm()?.textContent).toBe('Delete 12 jobs')
  await submit()
  expect(made('team.dropBefore')[1]).toEqual({ month: '2024-06', isTrial: false })
})

test('photos have a time of their own, and are deleted without their jobs', async () => {
  owner = { host: 'team.example', user: 'company' }
  await open()
  expect(page.text()).toContain('since May 2025')
  expect(page.text()).toContain('On 2 May 2026, company deleted photos of jobs from before May 2025.')
  await page.get('button[aria-label="Change how long photos are kept"]').trigger('click')
  await vi.dynamicImportSettled()
  await flushPromises()
  await fill('Keep photos of jobs from', '2026-01')
  expect(made('team.dropBefore')).toEqual([{ month: '2026-01', isTrial: true, photosOnly: true }])
  expect(dialog()?.textContent).toContain('40 photos of 12 jobs would be deleted')
  expect(dialog()?.textContent).toContain('The jobs stay')
  expect(dialog()?.querySelector('button.danger')?.textContent).toBe('Delete 40 photos')
  await submit()
  expect(made('team.dropBefore')[1]).toEqual({ month: '2026-01', isTrial: false, photosOnly: true })
})

test('each order of a file is judged in words before anything is made; a short plate is not a fault', async () => {
  await open()
  await openFile()
  expect(page.text()).toContain('orders.csv')
  expect(page.text()).toContain('Unknown column “color”')
  expect(page.findAll('[role=row][data-index]').map((one) => one.findAll('[role=gridcell]').at(-1)?.text())).toEqual([
    'ready',
    'ready',
    'open job of Technician Three',
    'no checklist “Standart”',
    'no technician',
    'nobody called “Nobody”',
    '“24/11” is not a date and time. Write them as 2026-11-24 08:00.'
  ])
  expect(page.findAll('.groups button').map((one) => one.text())).toEqual([
    'All7',
    'Ready2',
    'Check2',
    'Cannot be sent3'
  ])
  expect(page.text()).toContain('Lines 5, 7, 8 are not sent. Lines 4, 6 need a look.')
  expect(button('Send 4 orders')).toBeDefined()
  expect(made('team.prepare')).toEqual([])
  await page.findAll('.groups button')[3]?.trigger('click')
  expect(page.findAll('[role=row][data-index]')).toHaveLength(3)
})

test('F goes from fault to fault, X selects, and the selection is assigned from the list and by dropping it onto a person', async () => {
  await open()
  await openFile()
  await press('f')
  expect(document.activeElement?.textContent).toContain('Standart')
  await press('f')
  expect(document.activeElement?.textContent).toContain('Nobody')
  await press('x')
  expect(row('Unit 017')?.attributes('aria-selected')).toBe('true')
  await page.findAll('select').at(-1)?.setValue('Laptop 5')
  await settle()
  expect(row('Unit 017')?.text()).toContain('ready')
  expect(page.text()).toContain('Send 5 orders')
  await row('TQX59')?.trigger('dragstart', {
    dataTransfer: { setData: () => undefined, setDragImage: () => undefined }
  })
  await settle()
  expect(page.get('.carried').text()).toBe('Assign TQX59')
  await person('Technician Two')?.trigger('dragenter')
  expect(person('Technician Two')?.classes()).toContain('over')
  await person('Technician Two')?.trigger('drop')
  expect(row('TQX59')?.text()).toContain('ready')
  expect(row('TQX59')?.text()).toContain('Laptop 2')
})

test('sending makes each order once with its own id; what the team log refuses stays with its reason, and sending again makes nothing twice', async () => {
  let isRefused = true
  await open({
    'team.prepare': ({ id = '' }) => {
      if (id === 'order3' && isRefused)
        throw new FakeFailure({
          code: 'NOT_FOUND',
          message: message('assigned.noLaptop', { name: 'Laptop 5' }),
          retryable: false
        })
      return { id }
    }
  })
  await openFile()
  await click('Send 4 orders')
  expect(made('team.prepare').map((input) => (input as { id: string }).id)).toEqual([
    'order2',
    'order3',
    'order4',
    'order6'
  ])
  expect(made('team.prepare')[0]).toMatchObject({
    templateId: 'standard',
    vehicle: 'Unit 012',
    to: 'Laptop 2',
    order: null,
    customer: 'Customer One'
  })
  expect(made('team.prepare')[3]).toMatchObject({ vehicle: 'TQX59', to: '' })
  expect(row('Unit 013')?.text()).toContain('has no laptop Laptop 5')
  expect(row('Unit 012')?.text()).toContain('sent')
  expect(button('Send orders')?.hasAttribute('disabled')).toBe(true)
  isRefused = false
  await row('Unit 013')?.trigger('click')
  await page.findAll('select').at(-1)?.setValue('Laptop 2')
  await settle()
  await click('Send 1 order')
  expect(
    made('team.prepare')
      .map((input) => (input as { id: string }).id)
      .slice(4)
  ).toEqual(['order3'])
})

test('a silent team log ends the sending with its reason, and the rest can be sent afterwards', async () => {
  let isAway = true
  await open({
    'team.prepare': ({ id = '' }) => {
      if (id === 'order3' && isAway)
        throw new FakeFailure({
          code: 'UNREACHABLE',
          message: message('team.away', { host: 'team.example' }),
          retryable: true
        })
      return { id }
    }
  })
  await openFile()
  await click('Send 4 orders')
  expect(page.text()).toContain('team.example cannot be reached')
  expect(button('Send 3 orders')).toBeDefined()
  isAway = false
  await click('Send 3 orders')
  expect(made('team.prepare').map((input) => (input as { id: string }).id)).toEqual([
    'order2',
    'order3',
    'order3',
    'order4',
    'order6'
  ])
})

test('a file may be dropped anywhere on the office, and text that is dropped is no file', async () => {
  await open()
  const panes = page.get('.panes.office')
  await panes.trigger('dragover', { dataTransfer: { types: ['text/plain'], files: [] } })
  expect(panes.classes()).not.toContain('over')
  await panes.trigger('dragover', { dataTransfer: { types: ['Files'], files: [] } })
  expect(panes.classes()).toContain('over')
  await panes.trigger('drop', {
    dataTransfer: { types: ['Files'], files: [new File(['vehicle\nUnit 1\n'], 'dropped.csv')] }
  })
  await settle()
  expect(made('team.checkOrders')).toEqual([{ base64: btoa('vehicle\nUnit 1\n') }])
  expect(page.text()).toContain('dropped.csv')
  expect(panes.classes()).not.toContain('over')
})

test('a file is read in the letters that the office chooses, also for its table of faults', async () => {
  await open()
  await openFile()
  expect(page.text()).toContain('1 line, Windows 1252')
  await page.get('.reading select').setValue('windows-1250')
  await settle()
  await click('Save faults')
  expect([made('team.checkOrders').at(-1), made('team.faultsTable')[0]]).toMatchObject([
    { encoding: 'windows-1250' },
    { encoding: 'windows-1250' }
  ])
})

test('the faults are saved with their lines and reasons', async () => {
  await open()
  await openFile()
  await click('Save faults')
  expect(made('team.faultsTable')).toMatchObject([
    {
      faults: [
        { lines: [5], problem: 'no checklist “Standart”' },
        { lines: [7], problem: 'nobody called “Nobody”' },
        { lines: [8] }
      ]
    }
  ])
})

test('a laptop that only reads sees the people, and no way to send orders', async () => {
  await open({
    'team.status': () => ({ ...work, joined: { ...(work.joined as NonNullable<typeof work.joined>), mayWrite: false } })
  })
  expect(page.text()).toContain('only reads the team log, so it cannot prepare jobs')
  expect(page.find('input[type=file]').exists()).toBe(false)
})
