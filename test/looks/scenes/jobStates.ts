import { jpegPicture } from '../../world/data/pictures.ts'
import { inLargeType, newestJob, openJob, place, prepareYard, runUntilAsked, showStep, stateOf, until, type Act } from './act.ts'

/** A job in the middle: it needs hands, an output is on, its device is lost, it is to be signed. */
export const jobStates: Act = {
  name: 'job-states',
  simulation: { seed: 74 },
  scenes: [
    {
      name: 'job-waits',
      async open(theatre) {
        await prepareYard(theatre)
        const id = await openJob(theatre)
        await until('the ignition waits for the key', async () => (await theatre.call('jobs.live', { id })).steps.some(({ stepId, act }) => stepId === 'ignition' && act))
        await showStep(theatre, /^Output 1|^Salida 1/)
      }
    },
    {
      name: 'job-your-turn',
      async open(theatre) {
        const id = await newestJob(theatre)
        await runUntilAsked(theatre, id, 'alignment')
        theatre.device.vehicle.turnKey('on')
        await showStep(theatre, /^Ignition|^Encendido|^Contacto/)
      }
    },
    inLargeType('cab'),
    {
      name: 'job-inputs-start',
      async open(theatre) {
        const { call } = theatre
        const id = await newestJob(theatre)
        await call('jobs.pause', { id })
        const wires = [['IN1', 'Panic button', 'white and red', 'Press it twice, under the dash'], ['IN2', 'Driver’s door', 'blue and black', 'Open and close it twice'], ['IN4', 'Cargo door', 'green', 'Open and close it twice']] as const
        const item = { kind: 'inputs', inputs: wires.map(([line]) => line), wires: Object.fromEntries(wires.map(([line, name, wire, instruction]) => [line, { name: { en: name }, wire: { en: wire }, instruction: { en: instruction } }])) }
        await call('orders.change', { id, order: { reference: 'A-7', vehicle: '', customer: '', notes: '', items: [item] as never } })
        await call('jobs.start', { id })
        await until('the inputs wait', async () => (await call('jobs.live', { id })).steps.some(({ stepId, prompt }) => stepId === 'inputs' && prompt))
        await showStep(theatre, /^Inputs|^Entradas/)
      }
    },
    inLargeType('cab-inputs'),
    {
      name: 'job-output-on',
      async open(theatre) {
        const { call, page } = theatre
        const id = await newestJob(theatre)
        await call('jobs.pause', { id })
        await call('orders.change', { id, order: null })
        await call('jobs.start', { id })
        await runUntilAsked(theatre, id, 'output-1')
        await showStep(theatre, /^Output 1|^Salida 1/)
        await call('jobs.answer', { id, stepId: 'output-1', answer: { armed: true } })
        await until('the output is on', async () => (await call('jobs.live', { id })).steps.some(({ prompt }) => prompt?.kind === 'effect'))
        await page.locator('.answers').waitFor()
      }
    },
    inLargeType('cab-output'),
    {
      name: 'job-device-lost',
      async open(theatre) {
        const { call, device, page } = theatre
        const id = await newestJob(theatre)
        await call('jobs.answer', { id, stepId: 'output-1', answer: { effect: true } })
        await until('the output passed', async () => (await stateOf(theatre, id, 'output-1')) === 'pass')
        await showStep(theatre, /^Ignition|^Encendido|^Contacto/)
        device.setFault('hang', true)
        await page.getByText(/(has not answered|no responde)/).first().waitFor()
      }
    },
    {
      ...inLargeType('cab-lost'),
      leave: async ({ device, page }) => {
        await page.keyboard.press('Escape')
        device.setFault('hang', false)
      }
    },
    {
      name: 'job-lost-output',
      async open(theatre) {
        const { call, device, page } = theatre
        const id = await newestJob(theatre)
        await call('jobs.runStep', { id, stepId: 'output-1' })
        await runUntilAsked(theatre, id, 'output-1')
        await showStep(theatre, /^Output 1|^Salida 1/)
        await call('jobs.answer', { id, stepId: 'output-1', answer: { armed: true } })
        await until('the output is on', async () => (await call('jobs.live', { id })).steps.some(({ prompt }) => prompt?.kind === 'effect'))
        await page.locator('.answers').waitFor()
        device.setFault('hang', true)
        await page.locator('.job-line.were-on').waitFor()
      },
      leave: async (theatre) => {
        theatre.device.setFault('hang', false)
        const id = await newestJob(theatre)
        await until('the output is off', async () => (await stateOf(theatre, id, 'output-1')) !== 'running')
      }
    },
    {
      name: 'job-sign-off',
      async open(theatre) {
        const { call } = theatre
        const id = await newestJob(theatre)
        for (const { id: stepId } of (await call('jobs.show', { id })).steps) {
          const isSettled = ['pass', 'warn', 'waived', 'deferred', 'notApplicable'].includes(await stateOf(theatre, id, stepId))
          const isWatching = ['external-power', 'position', 'network', 'delivered', 'same-place', 'clock'].includes(stepId)
          if (isWatching) await until(`${stepId} ended`, async () => ['pass', 'warn', 'fail', 'unreadable'].includes(await stateOf(theatre, id, stepId)))
          else if (!isSettled && stepId !== 'sign-off') await call('jobs.waive', { id, stepId, reason: 'The part comes with the next visit' })
        }
        await runUntilAsked(theatre, id, 'sign-off')
        await showStep(theatre, /^Sign-off|^Firma/)
      }
    },
    {
      name: 'job-guide',
      async open(theatre) {
        const { call, device } = theatre
        const text = (en: string, es: string) => ({ title: { en, es }, instruction: { en: `${en}.`, es: `${es}.` } })
        const wires = [
          { line: 'IGN', wire: { en: 'black and blue, at the ignition lock', es: 'negro y azul, en la chapa de contacto' } },
          { line: 'PWR', wire: { en: 'red, at the fuse box', es: 'rojo, en la caja de fusibles' } }
        ]
        const picture = `data:image/jpeg;base64,${jpegPicture(320, 240, (x, y) => ((x >> 4) + (y >> 4)) * 12).toString('base64')}`
        const van = {
          id: 'van', version: 1, kind: 'installation', name: { en: 'Delivery van', es: 'Furgoneta de reparto' }, description: { en: 'Van', es: 'Furgoneta' },
          plug: { columns: 4, pins: ['PWR', 'GND', 'IGN', 'OUT1', 'IN1', 'IN2', 'IN3', 'AN1'].map((line, n) => ({ pin: String(n + 1), line })) },
          steps: [{ id: 'identity', kind: 'identity', ...text('Identity', 'Identidad') }, { id: 'ignition', kind: 'ignition', ...text('Ignition', 'Encendido'), guide: { wires, picture } }, { id: 'sign-off', kind: 'signOff', ...text('Sign-off', 'Firma') }]
        }
        await call('templates.import', { text: JSON.stringify(van) })
        await call('jobs.pause', { id: await newestJob(theatre) })
        const made = await call('jobs.create', { templateId: 'van', deviceKey: device.imei, customer: 'Customer One', scannedImei: device.imei, besideOpenJob: true })
        const id = made.outcome === 'created' ? made.id : ''
        await place(`#/job/${id}`)(theatre)
        await call('jobs.start', { id })
        await until('the ignition waits for the key', async () => (await call('jobs.live', { id })).steps.some(({ stepId, act }) => stepId === 'ignition' && act))
        await showStep(theatre, /^Ignition|^Encendido/)
      }
    },
    {
      name: 'job-waits-supply',
      async open(theatre) {
        const { call, device } = theatre
        const step = (id: string, kind: string, en: string, es: string) => ({ id, kind, title: { en, es }, instruction: { en, es } })
        const steps = [step('identity', 'identity', 'Identity', 'Identidad'), step('external-power', 'externalPower', 'External power', 'Alimentación externa'), { ...step('output-1', 'output', 'Output 1', 'Salida 1'), engineOff: true }, step('alignment', 'alignment', 'Auto-alignment', 'Alineación automática'), step('sign-off', 'signOff', 'Sign-off', 'Firma')]
        await call('templates.import', { text: JSON.stringify({ id: 'relay-only', version: 1, kind: 'installation', name: { en: 'Relay only', es: 'Solo relé' }, description: { en: 'Relay', es: 'Relé' }, steps }) })
        await call('settings.change', { profile: 'standard' })
        await call('jobs.pause', { id: await newestJob(theatre) })
        const made = await call('jobs.create', { templateId: 'relay-only', deviceKey: device.imei, customer: 'Customer One', scannedImei: device.imei, besideOpenJob: true })
        const id = made.outcome === 'created' ? made.id : ''
        await place(`#/job/${id}`)(theatre)
        await call('jobs.start', { id })
        await until('the supply is watched', async () => (await call('jobs.live', { id })).steps.some(({ stepId }) => stepId === 'external-power'))
        await showStep(theatre, /^Output 1|^Salida 1/)
        await theatre.page.locator('[role=timer]').waitFor()
      },
      leave: async ({ call }) => void (await call('settings.change', { profile: 'short-holds' }))
    },
    {
      name: 'job-many-steps',
      async open(theatre) {
        const { call, device } = theatre
        const title = (n: number) => ({ title: { en: `Question ${String(n)} about the vehicle`, es: `Pregunta ${String(n)} sobre el vehículo` }, instruction: { en: 'Answer.', es: 'Responda.' } })
        const steps = Array.from({ length: 25 }, (_, n) => ({ id: `q${String(n)}`, kind: 'question', ...title(n + 1) }))
        const many = {
          id: 'many', version: 1, kind: 'installation', name: { en: 'Many steps', es: 'Muchos pasos' }, description: { en: 'Many', es: 'Muchos' },
          steps: [{ id: 'identity', kind: 'identity', title: { en: 'Identity', es: 'Identidad' }, instruction: { en: 'Scan.', es: 'Escanee.' } }, ...steps, { id: 'sign-off', kind: 'signOff', title: { en: 'Sign-off', es: 'Firma' }, instruction: { en: 'Sign.', es: 'Firme.' } }]
        }
        await call('templates.import', { text: JSON.stringify(many) })
        await call('jobs.pause', { id: await newestJob(theatre) })
        const made = await call('jobs.create', { templateId: 'many', deviceKey: device.imei, customer: 'Customer One', scannedImei: device.imei, besideOpenJob: true })
        const id = made.outcome === 'created' ? made.id : ''
        await place(`#/job/${id}`)(theatre)
        await call('jobs.start', { id })
        await theatre.page.locator('section.steps li').nth(26).waitFor({ state: 'attached' })
      }
    }
  ]
}
