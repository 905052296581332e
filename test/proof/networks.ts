import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

/**
 * Real networks: a computer whose default way leads to the hotspot of a device that has no internet, with a second card
 * that has. `npm run proof -- networks` (Linux, as root). The gateway has to be reached over the second card; when that
 * card is unplugged and plugged in again, within 5 s.
 */
const child = resolve(import.meta.dirname, '..', 'world', 'device', 'networkChild.ts')
const prefix = `fitnet${process.pid}`
const [hotspot, internet, laptop] = ['hot', 'net', 'lap'].map((name) => `${prefix}${name}`) as [string, string, string]
const gatewayAddress = '10.99.0.10'
const goalMs = 5_000

type Line = Record<string, unknown>

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'inherit'] })
}

function build(): void {
  for (const name of [hotspot, internet, laptop]) {
    ip('netns', 'add', name)
    ip('-n', name, 'link', 'set', 'lo', 'up')
  }
  ip('-n', laptop, 'link', 'add', 'wlan0', 'type', 'veth', 'peer', 'name', 'ap0', 'netns', hotspot)
  ip('-n', laptop, 'link', 'add', 'usb0', 'type', 'veth', 'peer', 'name', 'cell0', 'netns', internet)
  ip('-n', hotspot, 'addr', 'add', '192.168.43.1/24', 'dev', 'ap0')
  ip('-n', hotspot, 'link', 'set', 'ap0', 'up')
  ip('-n', internet, 'addr', 'add', '10.64.0.1/30', 'dev', 'cell0')
  ip('-n', internet, 'addr', 'add', `${gatewayAddress}/32`, 'dev', 'lo')
  ip('-n', internet, 'link', 'set', 'cell0', 'up')
  ip('-n', laptop, 'addr', 'add', '192.168.43.20/24', 'dev', 'wlan0')
  ip('-n', laptop, 'link', 'set', 'wlan0', 'up')
  ip('-n', laptop, 'route', 'add', 'default', 'via', '192.168.43.1')
  plugIn()
  // What begins at this card's address leaves through it: Windows and macOS do so by themselves, Linux where it is told
  // to.
  ip('-n', laptop, 'rule', 'add', 'from', '10.64.0.2', 'table', '100')
}

function plugIn(): void {
  ip('-n', laptop, 'addr', 'replace', '10.64.0.2/30', 'dev', 'usb0')
  ip('-n', laptop, 'link', 'set', 'usb0', 'up')
  ip('-n', laptop, 'route', 'replace', 'default', 'via', '10.64.0.1', 'dev', 'usb0', 'table', '100')
}

function unplug(): void {
  ip('-n', laptop, 'addr', 'flush', 'dev', 'usb0')
  ip('-n', laptop, 'link', 'set', 'usb0', 'down')
}

function start(
  namespace: string,
  ...args: string[]
): { process: ChildProcess; until(is: (line: Line) => boolean, what: string): Promise<Line> } {
  const process_ = spawn('ip', ['netns', 'exec', namespace, process.execPath, child, ...args], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const lines: Line[] = []
  let wake: () => void = () => undefined
  createInterface({ input: process_.stdout }).on('line', (text) => {
    lines.push(JSON.parse(text) as Line)
    wake()
  })
  return {
    process: process_,
    async until(is, what) {
      const limit = Date.now() + 60_000
      for (;;) {
        const index = lines.findIndex(is)
        if (index >= 0) return lines.splice(0, index + 1).at(-1) as Line
        if (Date.now() > limit) throw new Error(`Not within a minute: ${what}`)
        await new Promise<void>((resolve) => {
          wake = resolve
          setTimeout(resolve, 500)
        })
      }
    }
  }
}

/** True when the gateway was reached over the second card each time, and soon enough. */
export async function proveNetworks(rounds = 3): Promise<boolean> {
  const running: ChildProcess[] = []
  const folder = mkdtempSync(join(tmpdir(), 'fitter-proof-networks-'))
  try {
    build()
    const gateway = start(internet, 'gateway', gatewayAddress)
    running.push(gateway.process)
    const { url, user, password } = (await gateway.until((line) => 'url' in line, 'the gateway')) as {
      url: string
      user: string
      password: string
    }
    const fitter = start(laptop, 'fitter', url, user, password, folder)
    running.push(fitter.process)
    const first = await fitter.until((line) => 'outcome' in line, 'the first answer')
    console.log(
      `Default way into a hotspot without internet: ${String(first['outcome'])} over ${JSON.stringify(first['way'])} after ${String(first['tookMs'])} ms`
    )
    let isGood = first['outcome'] === 'ok' && (first['way'] as { card?: string } | null)?.card === 'usb0'
    for (let round = 0; round < rounds; round++) {
      unplug()
      await fitter.until((line) => line['state'] === 'unreachable', 'away')
      await new Promise((resolve) => setTimeout(resolve, 8_000 + round * 1_300))
      const pluggedMs = Date.now()
      plugIn()
      const back = await fitter.until((line) => line['state'] === 'reachable', 'back')
      const tookMs = Number(back['atMs']) - pluggedMs
      console.log(
        `Plugged in again: reachable over ${String((back['way'] as { card?: string } | null)?.card)} after ${tookMs} ms`
      )
      isGood &&= tookMs <= goalMs && (back['way'] as { card?: string } | null)?.card === 'usb0'
    }
    return isGood
  } finally {
    for (const one of running) one.kill()
    for (const name of [hotspot, internet, laptop]) ip('netns', 'del', name)
    rmSync(folder, { recursive: true, force: true })
  }
}
