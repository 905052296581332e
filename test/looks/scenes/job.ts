import { inLargeType, newestJob, openJob, place, prepareYard, runUntilAsked, showStep, stateOf, until, type Act } from './act.ts'

export const job: Act = {
  name: 'job',
  simulation: { seed: 72, faults: ['ignitionWireMissing'] },
  scenes: [
    {
      name: 'job-failed',
      async open(theatre) {
        await prepareYard(theatre)
        const id = await openJob(theatre)
        // The engine runs, and its ignition wire says nothing.
        theatre.device.vehicle.turnKey('crank')
        await until('the failed ignition', async () => (await stateOf(theatre, id, 'ignition')) === 'fail')
        await showStep(theatre, /^Ignition|^Encendido|^Contacto/)
      }
    },
    {
      ...inLargeType('cab-failed'),
      leave: async ({ device, page }) => {
        await page.keyboard.press('Escape')
        device.vehicle.turnKey('off')
        device.setFault('ignitionWireMissing', false)
      }
    },
    {
      name: 'job-inputs',
      async open(theatre) {
        const { device } = theatre
        for (const on of [true, false]) {
          device.vehicle.setInput('IN1', on)
          await new Promise((resolve) => setTimeout(resolve, 1_500))
        }
        await showStep(theatre, /^Inputs|^Entradas/)
      }
    },
    {
      name: 'copy-menu',
      async open({ page }) {
        await page.locator('.facts dl.kv dd').first().click({ button: 'right' })
        await page.getByRole('menu').waitFor()
      },
      leave: ({ page }) => page.keyboard.press('Escape')
    },
    {
      name: 'drop-veil',
      async open({ page }) {
        await page.evaluate(() => {
          const dataTransfer = new DataTransfer()
          dataTransfer.items.add(new File(['a,b'], 'fleet.csv', { type: 'text/csv' }))
          document.body.dispatchEvent(new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true }))
        })
        await page.locator('.drop-veil').waitFor()
      },
      leave: async ({ page }) => void (await page.evaluate(() => window.dispatchEvent(new DragEvent('dragleave', { relatedTarget: null }))))
    },
    {
      name: 'job-output',
      async open(theatre) {
        await runUntilAsked(theatre, await newestJob(theatre), 'output-1')
        await showStep(theatre, /^Output 1|^Salida 1/)
      }
    },
    { name: 'start', open: place('#/start') },
    {
      name: 'job-done',
      async open(theatre) {
        const { call } = theatre
        const id = await newestJob(theatre)
        for (const { id: stepId } of (await call('jobs.show', { id })).steps) {
          const isSettled = ['pass', 'warn', 'waived', 'deferred', 'notApplicable'].includes(await stateOf(theatre, id, stepId))
          if (!isSettled && stepId !== 'sign-off') await call('jobs.waive', { id, stepId, reason: 'The part comes with the next visit' })
        }
        await runUntilAsked(theatre, id, 'sign-off')
        await call('jobs.answer', { id, stepId: 'sign-off', answer: { value: 'Technician One', answer: true } })
        await until('the job is done', async () => (await call('jobs.show', { id })).state === 'done')
        await place(`#/job/${id}`)(theatre)
      }
    },
    {
      name: 'core-lost',
      isHeld: true,
      async open(theatre) {
        theatre.hold(true)
        await theatre.page.getByRole('alert').first().waitFor()
      },
      leave: async ({ hold }) => hold(false)
    }
  ]
}

/** An electric vehicle: its ignition passes with a warning. */
export const jobWarned: Act = {
  name: 'job-warned',
  simulation: { seed: 75, faults: ['electric'] },
  scenes: [
    {
      name: 'job-warning',
      async open(theatre) {
        await prepareYard(theatre)
        const id = await openJob(theatre)
        const { vehicle } = theatre.device
        await until('the ignition waits for the key', async () => (await theatre.call('jobs.live', { id })).steps.some(({ stepId, act }) => stepId === 'ignition' && act))
        for (const to of ['on', 'off', 'on', 'off', 'on', 'crank'] as const) {
          vehicle.turnKey(to)
          await new Promise((resolve) => setTimeout(resolve, 1_500))
        }
        await until('the ignition warns', async () => (await stateOf(theatre, id, 'ignition')) === 'warn')
        await showStep(theatre, /^Ignition|^Encendido|^Contacto/)
        await theatre.page.locator('.foot .primary').waitFor()
      }
    },
    {
      name: 'job-warning-accepted',
      async open({ page }) {
        await page.locator('.foot .primary').click()
        await page.locator('.stage p.note [data-shape="warn"]').waitFor()
      }
    },
    {
      name: 'job-choose-vehicle',
      async open(theatre) {
        const { call, device, page } = theatre
        await call('jobs.pause', { id: await newestJob(theatre) })
        const made = await call('jobs.create', { templateId: 'standard-installation', deviceKey: device.imei, vehicleText: '', customer: 'Customer One', scannedImei: device.imei, besideOpenJob: true })
        const id = made.outcome === 'created' ? made.id : ''
        await place(`#/job/${id}`)(theatre)
        await call('jobs.start', { id })
        await runUntilAsked(theatre, id, 'vehicle')
        await showStep(theatre, /^Vehicle|^Vehículo/)
        await page.locator('.stage .answers .big-button:not(.primary)').click()
        await page.locator('.stage .camera').waitFor()
      }
    },
    {
      name: 'job-received',
      async open(theatre) {
        const { call, device, page } = theatre
        await call('jobs.pause', { id: await newestJob(theatre) })
        const step = (id: string, kind: string, en: string, es: string) => ({ id, kind, title: { en, es }, instruction: { en, es } })
        const steps = [step('identity', 'identity', 'Identity', 'Identidad'), step('apn', 'apn', 'APN', 'APN'), step('wifi', 'wifi', 'Wi-Fi', 'Wi-Fi'), step('sign-off', 'signOff', 'Sign-off', 'Firma')]
        await call('templates.save', { template: { id: 'connections', version: 1, name: { en: 'Connections', es: 'Conexiones' }, kind: 'diagnosis', description: { en: 'Connections', es: 'Conexiones' }, steps }, basedOn: null })
        const made = await call('jobs.create', { templateId: 'connections', deviceKey: device.imei, vehicleText: '', customer: 'Customer One', scannedImei: device.imei, besideOpenJob: true })
        const id = made.outcome === 'created' ? made.id : ''
        await place(`#/job/${id}`)(theatre)
        await call('jobs.start', { id })
        await until('both are received', async () => (await stateOf(theatre, id, 'apn')) === 'received' && (await stateOf(theatre, id, 'wifi')) === 'received')
        await showStep(theatre, /^APN/)
        await page.locator('.stage [data-shape="received"]').first().waitFor()
      }
    }
  ]
}
