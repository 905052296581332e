import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runChecklist } from '../main/terminal/jobRunner.ts'
import { createTerminal } from '../main/terminal/output/terminal.ts'
import { createCore } from '../main/app/core.ts'
import { startSimulation } from '../simulator/simulation.ts'
import { projectFolder } from './build.ts'

const profileId = 'short-holds'
const outFolder = join(projectFolder, 'out')
const dataFolder = join(outFolder, 'demo-data')
const startedMs = performance.now()

function say(text: string): void {
  console.log(`${((performance.now() - startedMs) / 1000).toFixed(1).padStart(5)} s  ${text}`)
}

/** The main job without a window: simulator with real mDNS and HTTP, the whole standard checklist, the report. */
async function demonstrate(): Promise<number> {
  rmSync(dataFolder, { recursive: true, force: true })
  const simulation = await startSimulation({
    devices: 1,
    mdns: true,
    gateway: true,
    form: 'maker',
    story: 'installation-fast',
    seed: 3
  })
  const [device] = simulation.devices
  const { gateway } = simulation
  if (!device || !gateway) throw new Error('The simulator started without a device or a gateway')
  say(`Simulator: ${device.hostname} on port ${device.port}, gateway at ${gateway.url}`)

  const core = createCore({
    dataFolder,
    resourcesFolder: join(projectFolder, 'resources'),
    profileId,
    gatewayUrl: gateway.url,
    given: { device, gateway },
    inMemorySecrets: true,
    reportFault: (error) => {
      throw error
    }
  })
  try {
    core.connections.discovery.watch()
    const found = await core.connections.discovery.findImei(device.imei, { timeoutMs: 10_000 })
    if (found.kind !== 'found') throw new Error(`The device was not heard over mDNS: ${found.detail}`)
    say(
      `Found over mDNS on ${found.device.card}: ${found.device.hostname} at ${core.connections.addressOf(found.device)}`
    )
    core.store.settings.change({ technician: 'Demonstration' })
    const vehicle = await core.connections.installation.findVehicleOfDevice(device.imei, AbortSignal.timeout(10_000))
    const id = core.jobs.create({
      templateId: 'standard-installation',
      device: { imei: device.imei, model: device.model, address: core.connections.addressOf(found.device) ?? '' },
      vehicleText: vehicle?.name ?? '',
      customer: 'Demonstration yard'
    })
    const profile = core.shipped.profiles.get(profileId)
    const terminal = createTerminal({
      isJson: false,
      isQuiet: false,
      redact: (text) => core.connections.redactor.text(text)
    })
    say(
      `Job ${id}, profile "${terminal.text(profile?.name)}": external power is held ${profile?.externalPower.holdS} s instead of 60 s.`
    )
    const { job } = await runChecklist(
      { signal: new AbortController().signal, terminal: { ...terminal, say } },
      core,
      id,
      {
        // Acts as the technician: reads the label, confirms visible effects, chooses the trailer.
        steps: {
          identity: { value: device.imei },
          'output-1': { armed: true, effect: true },
          alignment: { answer: true },
          link: { choose: 'Trailer 12' }
        },
        technician: 'Demonstration',
        customer: 'Demonstration yard'
      }
    )
    for (const format of ['pdf', 'evidence', 'json', 'csv'] as const) {
      const report = await core.report({ jobId: id, format })
      const name = format === 'evidence' ? 'demo-report-evidence.pdf' : `demo-report.${format}`
      mkdirSync(outFolder, { recursive: true })
      writeFileSync(join(outFolder, name), report.content)
      say(`Report out/${name}, ${Math.ceil(report.content.length / 1024)} kB`)
    }
    const violations = simulation.violations()
    for (const violation of violations) say(`Not as documented: ${violation.why}`)
    say(`Job ${job.state}. ${job.stepsDone} of ${job.stepsTotal} steps.`)
    return job.state === 'done' && violations.length === 0 ? 0 : 1
  } finally {
    await core.stop()
    await simulation.stop()
  }
}

/** `npm run demo [-- --team]` */
if (process.argv.includes('--team')) {
  const { demonstrateTeam } = await import('../demo/team/demo.ts')
  process.exitCode = await demonstrateTeam()
} else {
  process.exitCode = await demonstrate()
}
