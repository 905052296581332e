import { runChecklist } from '../../main/terminal/jobRunner.ts'
import { createTerminal } from '../../main/terminal/output/terminal.ts'
import { createCore, sourceResourcesFolder } from '../../main/app/core.ts'
import { createTerminalHandlers, routeCall } from '../../main/app/router.ts'
import { verifyChain } from '../../main/data/store/jobs/seal.ts'
import { AppError, type CallResult } from '../../preload/contract/errors.ts'
import type { Events } from '../../preload/contract/events.ts'
import type { FromLaptop, LaptopOrder, LogHere, Task, ToLaptop, Work } from './laptopTasks.ts'

/**
 * One laptop, with a core of its own over its own data folder. It does what it is told over its channel, and ends with
 * it.
 */
const { name, dataFolder, gatewayUrl, device, gateway, teamPassword } = JSON.parse(process.argv[2] ?? '') as LaptopOrder
/** Nobody hears what is said after the end. */
const tell = (words: FromLaptop): void =>
  void (process.connected && process.send?.(words, undefined, undefined, () => undefined))
const reportFault = (error: unknown): void =>
  tell({ say: `A fault: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}` })
const core = createCore({
  dataFolder,
  resourcesFolder: sourceResourcesFolder,
  profileId: 'short-holds',
  gatewayUrl,
  given: { device, gateway },
  teamPassword,
  inMemorySecrets: true,
  background: true,
  reportFault
})
const handlers = createTerminalHandlers(core, { dataFolder, reportFault })
const terminal = createTerminal({
  isJson: false,
  isQuiet: true,
  reader: { language: 'en' },
  redact: (text) => core.connections.redactor.text(text)
})
core.store.settings.change({ technician: name })
core.connections.discovery.watch()
core.events.onEvent((event, payload) => {
  if (event !== 'jobs.step') return
  const { jobId, step } = payload as Events['jobs.step']
  if (step.state !== 'running' && step.state !== 'waiting')
    tell({ ended: { jobId, stepId: step.id, state: step.state } })
})

async function makeJobOn(imei: string): Promise<string> {
  const found = await core.connections.discovery.findImei(imei, { timeoutMs: 20_000 })
  if (found.kind !== 'found') throw new Error(`${imei} was not heard over mDNS: ${found.detail}`)
  const vehicle = await core.connections.installation.findVehicleOfDevice(imei, AbortSignal.timeout(20_000))
  return core.jobs.create({
    templateId: 'standard-installation',
    device: { imei, model: found.device.model ?? '', address: core.connections.addressOf(found.device) ?? '' },
    vehicleText: vehicle?.name ?? '',
    customer: 'Customer One'
  })
}

/** Plays the person: reads the label, confirms what can be seen, chooses the trailer. */
async function work({ jobId, imei, trailer, until }: Work): Promise<string> {
  const leaving = new AbortController()
  const left = new Set(until)
  const stop = core.events.onEvent((event, payload) => {
    const { jobId: about, step } = payload as Events['jobs.step']
    if (event === 'jobs.step' && about === jobId && step.state === 'pass' && left.delete(step.id) && left.size === 0)
      leaving.abort()
  })
  try {
    const steps = {
      identity: { value: imei },
      'output-1': { armed: true, effect: true },
      alignment: { answer: true },
      link: { choose: trailer }
    }
    const { job } = await runChecklist(
      { signal: leaving.signal, terminal: { ...terminal, warn: () => undefined } },
      core,
      jobId,
      { steps, technician: name, customer: 'Customer One' }
    )
    return job.state
  } finally {
    stop()
  }
}

function logOf(jobId: string): LogHere {
  const entries = core.store.jobs.journal(jobId)
  return { hashes: entries.map(({ hash }) => hash), holds: verifyChain(jobId, entries).ok }
}

async function perform(task: Task): Promise<CallResult<unknown>> {
  if ('call' in task) return routeCall(handlers, task.call, task.input, reportFault)
  try {
    if ('makeJobOn' in task) return { ok: true, value: await makeJobOn(task.makeJobOn) }
    if ('work' in task) return { ok: true, value: await work(task.work) }
    return { ok: true, value: logOf(task.logOf) }
  } catch (error) {
    if (error instanceof AppError) return { ok: false, error: error.toData() }
    reportFault(error)
    return { ok: false, error: { code: 'INTERNAL', message: { id: 'app.fault', values: {} }, retryable: false } }
  }
}

process.on('message', ({ number, task }: ToLaptop) => void perform(task).then((result) => tell({ number, result })))
process.on('disconnect', () => void core.stop().then(() => process.exit(0)))
tell({ say: 'open' })
