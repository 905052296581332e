import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createCore, sourceResourcesFolder } from '../../main/app/core.ts'
import { putEmptyData } from '../world/data/emptyData.ts'

/**
 * `npm run bench -- idle [seconds] [devices]`: what the core costs while a person does nothing and 20 devices are in
 * sight, in the processor's own seconds, so that what else this computer does is not counted. The devices are in a
 * process of their own.
 */
const seconds = Number(process.argv[2] ?? 60)
const count = Number(process.argv[3] ?? 20)
const goals = { percentOfCore: 1, rssMb: 250 }

interface Listed {
  host: string
  port: number
  imei: string
  user: string
  password: string
}

const child = spawn(
  process.execPath,
  [join(import.meta.dirname, '..', 'world', 'device', 'simulatedDevicesChild.ts'), String(count)],
  { stdio: ['pipe', 'pipe', 'inherit'] }
)
const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
const folder = mkdtempSync(join(tmpdir(), 'fitter-bench-idle-'))
putEmptyData(folder)
const faults: unknown[] = []
const core = createCore({
  dataFolder: folder,
  resourcesFolder: sourceResourcesFolder,
  inMemorySecrets: true,
  reportFault: (fault) => faults.push(fault)
})
try {
  for (const { host, port, imei, user, password } of JSON.parse(line) as Listed[]) {
    await core.connections.devices.keep(imei, { user, password }, false)
    await core.connections.discovery.addAddress(`${host}:${port}`, { signal: AbortSignal.timeout(30_000) })
  }
  // Until what follows the first sight of a device is over.
  await new Promise((resolve) => setTimeout(resolve, 10_000))
  const inSight = core.connections.discovery.table().devices.length
  const before = process.cpuUsage()
  const beganMs = performance.now()
  let mostRss = 0
  while (performance.now() - beganMs < seconds * 1_000) {
    await new Promise((resolve) => setTimeout(resolve, 5_000))
    mostRss = Math.max(mostRss, process.memoryUsage.rss())
  }
  const { user, system } = process.cpuUsage(before)
  const percentOfCore = (user + system) / 10 / (performance.now() - beganMs)
  const rssMb = mostRss / 1e6
  const mark = (value: number, goal: number) => `${value.toFixed(2)}, goal ${goal}${value <= goal ? '' : '  MISSED'}`
  process.stdout.write(
    `${inSight} devices in sight for ${seconds} s: percent of a core ${mark(percentOfCore, goals.percentOfCore)}; resident MB ${mark(rssMb, goals.rssMb)}; faults ${faults.length}\n`
  )
} finally {
  await core.stop()
  child.stdin.end()
  rmSync(folder, { recursive: true, force: true })
}
