import { createInterface } from 'node:readline'
import { createDiscovery, probeDevice } from '../../../main/device/discovery/index.ts'

// Runs discovery in whatever network namespace it was started in and tells every change as a line of JSON.
const startedMs = performance.now()
const discovery = createDiscovery({ probe: probeDevice, models: () => ['ft4', 'ft5'] })
const tell = (line: object): void =>
  void process.stdout.write(`${JSON.stringify({ atMs: Math.round(performance.now() - startedMs), ...line })}\n`)

const timeFind = async (imei: string): Promise<number> => {
  const fromMs = performance.now()
  await discovery.findImei(imei)
  return performance.now() - fromMs
}

discovery.onChange(() => tell({ table: discovery.table() }))
const find = process.argv.find((item) => item.startsWith('find='))
if (find) tell({ of: 'firstFind', result: await timeFind(find.slice(5)) })
tell({ table: discovery.watch() })

interface Command {
  do: 'timeFind' | 'ask' | 'addAddress' | 'findImei' | 'selfTest' | 'sweep' | 'gateways' | 'usage'
  text?: string
}

const act = async (command: Command): Promise<unknown> => {
  const text = command.text ?? ''
  if (command.do === 'addAddress') return discovery.addAddress(text)
  if (command.do === 'findImei') return discovery.findImei(text)
  if (command.do === 'selfTest') return discovery.selfTest()
  if (command.do === 'sweep') return discovery.sweep(text)
  if (command.do === 'gateways') return discovery.gatewayAddresses()
  if (command.do === 'timeFind') return timeFind(text)
  if (command.do === 'usage') return process.cpuUsage()
  discovery.ask()
  return null
}

createInterface({ input: process.stdin }).on('line', (text) => {
  const command = JSON.parse(text) as Command
  void act(command).then((result) => tell({ result, of: command.do }))
})
