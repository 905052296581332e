import { message } from '../../../preload/contract/messages.ts'
import { faultNames } from '../../../simulator/faults.ts'
import { faultStories } from '../../../simulator/faultStories.ts'
import { simulatedForms } from '../../../simulator/forms.ts'
import { startSimulation } from '../../../simulator/simulation.ts'
import { storyNames } from '../../../simulator/stories.ts'
import { tellStory } from '../../../simulator/tellStory.ts'
import type { Command } from '../command.ts'
import { readWhole, requireInput } from '../input/inputs.ts'
import { exitCodes } from '../output/exitCodes.ts'
import { sayOften } from '../output/progress.ts'
import { usageError } from '../output/usage.ts'

export const runSimulate: Command = async (context, rest, values) => {
  if (values.jobs !== undefined) {
    const { devices, seed, story, fault, form, mdns, gateway } = values
    if ([devices, seed, story, fault, form, mdns, gateway].some((value) => value !== undefined))
      throw usageError(message('terminal.jobsAlone'))
    return fillDataFolder(context, rest, values)
  }
  const devices = readWhole(values.devices, { what: '--devices', least: 1, most: 200, usual: 1 })
  const seed = readWhole(values.seed, { what: '--seed', least: 1, most: 2 ** 31 - 1, usual: 1 })
  const named = values.story ?? 'installation'
  // A fault starts while someone installs the device.
  const faultStory = faultStories.find(({ name }) => name === named)
  const story = faultStory ? 'installation' : storyNames.find((name) => name === named)
  if (!story)
    throw usageError(
      message('terminal.noSuch', {
        kind: 'story',
        name: named,
        choices: [...storyNames, ...faultStories.map(({ name }) => name)].join(', ')
      })
    )
  const faults = (values.fault ?? []).map((name) => {
    const fault = faultNames.find((known) => known === name)
    if (!fault) throw usageError(message('terminal.noSuch', { kind: 'fault', name, choices: faultNames.join(', ') }))
    return fault
  })
  const form = simulatedForms.find((name) => name === (values.form ?? 'document'))
  if (!form)
    throw usageError(
      message('terminal.noSuch', { kind: 'form', name: values.form ?? '', choices: simulatedForms.join(', ') })
    )
  const simulation = await startSimulation({
    devices,
    seed,
    form,
    story,
    faults,
    mdns: values.mdns ?? false,
    gateway: values.gateway === true || faultStory !== undefined,
    fitted: faultStory !== undefined
  })
  const { gateway } = simulation
  if (faultStory && gateway) for (const device of simulation.devices) tellStory(faultStory, { device, gateway })
  const first = {
    gateway: gateway ? { url: gateway.url, user: gateway.user, password: gateway.password } : null,
    devices: simulation.devices.map(({ host, port, imei, model, user, password }) => ({
      host,
      port,
      imei,
      model,
      user,
      password
    }))
  }
  // Not redacted: these are the simulator's own passwords, and the user needs them.
  process.stdout.write(`${JSON.stringify(first)}\n`)
  for (const problem of simulation.announced.problems) context.terminal.say(problem)
  context.terminal.say(message('terminal.simulatorRuns'))
  if (!context.signal.aborted) {
    await new Promise<void>((resolve) => {
      const alive = setInterval(() => undefined, 60_000)
      context.signal.addEventListener('abort', () => {
        clearInterval(alive)
        resolve()
      })
    })
  }
  const violations = simulation.violations()
  await simulation.stop()
  for (const violation of violations) context.terminal.say(JSON.stringify(violation))
  return exitCodes.done
}

/** Fills an empty folder with a log of made-up jobs, so that anyone can try Fitter with years of them. */
const fillDataFolder: Command = async ({ terminal, signal }, _rest, values) => {
  const jobs = readWhole(values.jobs, { what: '--jobs', least: 1, most: 1_000_000, usual: 1 })
  // Never the folder in use.
  const folder = requireInput(values.data, '--data DIR')
  // A simulated device needs neither store nor checklists.
  const [{ fillWithMadeUpJobs }, { sourceResourcesFolder }] = await Promise.all([
    import('../../job/training/madeUpJobs.ts'),
    import('../../app/core.ts')
  ])
  const startedMs = performance.now()
  const say = sayOften(terminal, (done, all) => message('terminal.makingUpJobs', { done, all }))
  await fillWithMadeUpJobs(
    folder,
    { jobs, resourcesFolder: sourceResourcesFolder },
    { signal, progress: (done) => say(done, jobs) }
  )
  const tookS = Math.round((performance.now() - startedMs) / 100) / 10
  terminal.result({ jobs, folder, tookS }, message('terminal.jobsMadeUp', { n: jobs, folder, tookS }))
  return exitCodes.done
}
