import { message } from '../../../preload/contract/messages.ts'
import { faultNames } from '../../../simulator/faults.ts'
import { faultStories } from '../../../simulator/faultStories.ts'
import { simulatedForms } from '../../../simulator/forms.ts'
import { startSimulation } from '../../../simulator/simulation.ts'
import { storyNames } from '../../../simulator/stories.ts'
import { tellStory } from '../../../simulator/tellStory.ts'
import type { Command } from '../command.ts'
import { readWhole } from '../input/inputs.ts'
import { exitCodes } from '../output/exitCodes.ts'
import { usageError } from '../output/usage.ts'

export const runSimulate: Command = async (context, rest, values) => {
  if (values.jobs !== undefined) {
    const { devices, seed, story, fault, form, mdns, gateway } = values
    if ([devices, seed, story, fault, form, mdns, gateway].some((value) => value !== undefined))
      throw usageError(message('terminal.jobsAlone'))
    return (await import('./simulateJobs.ts')).runSimulateJobs(context, rest, values)
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
