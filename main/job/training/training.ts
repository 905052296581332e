import { trainingFaults, type TrainingAct, type TrainingVehicle } from '../../../preload/contract/app/training.ts'
import { startSimulation, type SimulatedDevice, type Simulation } from '../../../simulator/simulation.ts'
import type { Scene } from '../../../simulator/tellStory.ts'
import type { InputLine } from '../../../simulator/vehicle.ts'

export interface TrainingOptions {
  devices?: number
  changed(vehicles: TrainingVehicle[]): void
}

const tellEveryMs = 500
const shownInputs: InputLine[] = ['IN1', 'IN2', 'IN3']

/** A simulated yard: vehicles with devices, and their gateway, only on this computer. */
export async function startTraining(options: TrainingOptions) {
  const simulation = await startSimulation({
    devices: options.devices ?? 2,
    seed: 7,
    form: 'maker',
    gateway: true,
    history: true,
    // Gives each screen some content.
    fitted: true,
    mdns: true,
    reportEveryMs: 3_000,
    helperStory: 'installation-fast'
  })
  const { gateway } = simulation
  const [first] = simulation.devices
  if (!gateway || !first) throw new Error('The simulation started without a gateway or a device')
  let isOnline = true
  let told = ''
  const timer = setInterval(tell, tellEveryMs)

  function describeAll(): TrainingVehicle[] {
    return simulation.devices.map((device) => describe(device, isOnline))
  }

  function tell(): void {
    const vehicles = describeAll()
    const text = JSON.stringify(vehicles)
    if (text === told) return
    told = text
    options.changed(vehicles)
  }

  const device = { user: first.user, password: first.password }
  const site = { url: gateway.url, user: gateway.user, password: gateway.password }
  return {
    gateway: site,
    devices: simulation.devices.map(({ imei, host, port, user, password }) => ({
      imei,
      address: `${host}:${port}`,
      user,
      password
    })),
    describe: () => ({ vehicles: describeAll(), device, gateway: site }),
    act(imei: string, act: TrainingAct): void {
      const device = findDevice(simulation, imei)
      if (!device) return
      const { vehicle } = device
      switch (act.act) {
        case 'key':
          vehicle.turnKey(act.to)
          break
        case 'input':
          vehicle.setInput(act.line as InputLine, act.on)
          break
        case 'power':
          vehicle.cutPower(act.cut)
          break
        case 'speed':
          vehicle.driveAt(act.kmh)
          break
        case 'fault':
          device.setFault(act.name, act.on)
          break
        case 'helper':
          vehicle.setHelper(act.on)
          break
        case 'tapKey':
          vehicle.accessories.tapKeyFob(act.id)
          break
        case 'tagSeen':
          vehicle.accessories.hearTag(act.mac)
          break
        case 'event':
          vehicle.accessories.reportEvent(act.label)
          break
        case 'gateway':
          isOnline = act.online
          gateway.setOnline(act.online)
          break
      }
      tell()
    },
    scene(imei: string): Scene | undefined {
      const device = findDevice(simulation, imei)
      return device && { device, gateway }
    },
    async stop(): Promise<void> {
      clearInterval(timer)
      await simulation.stop()
    }
  }
}

export type Training = Awaited<ReturnType<typeof startTraining>>

function findDevice(simulation: Simulation, imei: string): SimulatedDevice | undefined {
  return simulation.devices.find((device) => device.imei === imei)
}

function describe({ imei, vehicle, faults }: SimulatedDevice, gatewayOnline: boolean): TrainingVehicle {
  const state = vehicle.state()
  return {
    imei,
    key: state.key,
    engineOn: state.engineOn,
    speedKmh: Math.round(state.fix.speedKmh * 10) / 10,
    chosenKmh: Math.min(130, Math.round(vehicle.chosenKmh())),
    // Rounded, so that the supply's ripple does not cause an update twice a second.
    supplyMv: Math.round(state.supplyMv / 100) * 100,
    inputs: shownInputs.map((line) => ({ line, label: vehicle.labels[line], on: state.inputs[line] })),
    powerCut: state.powerCut,
    gatewayOnline,
    starterBlocked: state.starterBlocked,
    faults: trainingFaults.map((name) => ({ name, on: faults().includes(name) })),
    helper: state.helper
  }
}
