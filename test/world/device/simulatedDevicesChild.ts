import { startSimulation } from '../../../simulator/simulation.ts'

// Simulated devices in a process of their own, so that a measurement of ours does not count their work.
const devices = Number(process.argv[2] ?? 20)
const simulation = await startSimulation({ devices, gateway: false, openSystemInfo: true })
process.stdout.write(
  `${JSON.stringify(simulation.devices.map(({ host, port, imei, user, password }) => ({ host, port, imei, user, password })))}\n`
)
process.stdin.resume()
process.stdin.on('end', () => void simulation.stop().then(() => process.exit(0)))
// What was asked is kept by the simulator for its users; here it would only grow.
setInterval(() => {
  for (const device of simulation.devices) device.requests.length = 0
}, 5_000).unref()
