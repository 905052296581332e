import { trainingFaults, type TrainingAct, type TrainingVehicle } from '../../preload/contract/training.ts'
import { startSimulation, type SimulatedDevice, type Simulation } from '../../simulator/simulation.ts'
import type { InputLine } from '../../simulator/vehicle.ts'

export interface TrainingOptions {
  devices?: number
  seed?: number
  changed(vehicles: TrainingVehicle[]): void
}

/** A simulated yard: vehicles with devices, and their gateway, on this computer alone. */
export interface Training {
  gateway: { url: string; user: string; password: string }
  devices: { imei: string; address: string; user: string; password: string }[]
  describe(): { vehicles: TrainingVehicle[]; device: { user: string; password: string }; gateway: Training['gateway'] }
  act(imei: string, act: TrainingAct): void
  stop(): Promise<void>
}

const tellEveryMs = 500
/** A truck with everything on it, so that each screen has something to show. */
const fitted = {
  expander: { io_exp_in1: false, io_exp_in2: true, io_exp_in3: false, io_exp_in4: false, io_exp_out1: false, io_exp_out2: false, io_exp_out3: false, io_exp_out4: false, io_exp_out1_short: false },
  fields: {
    ecu_tires_psi: '000105,001104,016098,017071,018099,019101',
    ecu_tires_tmp: '00031,00130,01633,01741,01832,01931',
    ecu_tpms_warnings: '0171000',
    ecu_tpms_provision: '000206,0000000184512,0010000184513,0160000184520,0170000184521,0180000184522,0190000184523',
    ea_a: 1271,
    ea_b: 548,
    adas_distance_from_front_vehicle: 32,
    adas_headway_measurement: 2.4
  },
  cameras: [0, 1]
}
const shownInputs: InputLine[] = ['IN1', 'IN2', 'IN3']

export async function startTraining(options: TrainingOptions): Promise<Training> {
  const simulation = await startSimulation({
    devices: options.devices ?? 2,
    seed: options.seed ?? 7,
    gateway: true,
    history: true,
    mdns: true,
    reportEveryMs: 3_000,
    helperStory: 'installation-fast'
  })
  const { gateway } = simulation
  const [first] = simulation.devices
  if (!gateway || !first) throw new Error('The simulation started without a gateway or a device')
  for (const { imei } of simulation.devices) gateway.fit(imei, fitted)
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
    devices: simulation.devices.map(({ imei, host, port, user, password }) => ({ imei, address: `${host}:${port}`, user, password })),
    describe: () => ({ vehicles: describeAll(), device, gateway: site }),
    act(imei, act) {
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
          gateway.tapKey(imei, act.id)
          break
        case 'tagSeen':
          gateway.tagSeen(imei, act.mac)
          break
        case 'event':
          gateway.reportEvent(imei, act.label)
          break
        case 'gateway':
          isOnline = act.online
          gateway.setOnline(act.online)
          break
      }
      tell()
    },
    async stop() {
      clearInterval(timer)
      await simulation.stop()
    }
  }
}

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
    // Rounded, so that the ripple of the supply does not make it news twice a second.
    supplyMv: Math.round(state.supplyMv / 100) * 100,
    inputs: shownInputs.map((line) => ({ line, label: vehicle.labels[line], on: state.inputs[line] })),
    powerCut: state.powerCut,
    gatewayOnline,
    starterBlocked: state.starterBlocked,
    faults: trainingFaults.map((name) => ({ name, on: faults().includes(name) })),
    helper: state.helper
  }
}
