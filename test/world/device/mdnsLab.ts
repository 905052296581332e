import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { isValidImei } from '../../../preload/contract/base/imei.ts'

/** A made-up IMEI with the right check digit. */
export function imeiOf(number: number): string {
  const body = `861234${String(number).padStart(8, '0')}`
  for (let digit = 0; digit < 10; digit += 1) if (isValidImei(`${body}${digit}`)) return `${body}${digit}`
  throw new Error('No check digit fits.')
}

/** Why a lab cannot run here; undefined when it can. */
export function labObstacle(): string | undefined {
  if (process.platform !== 'linux') return 'network namespaces exist on Linux only'
  if (process.getuid?.() !== 0) return 'only root can make network namespaces'
  const missing = ['ip', 'avahi-daemon', 'unshare'].filter(
    (tool) => !['/usr/sbin', '/sbin', '/usr/bin', '/bin'].some((folder) => existsSync(join(folder, tool)))
  )
  return missing.length > 0
    ? `missing: ${missing.join(', ')} (apt-get install iproute2 avahi-daemon util-linux)`
    : undefined
}

export interface HostOptions {
  /** Host name without `.local`. */
  hostname: string
  /** Address and prefix length per bridge, e.g. `{ br0: '10.9.1.1/16' }`. */
  on: Record<string, string>
  /** Service types and ports that it advertises; none at all by default. */
  services?: { type: string; port: number }[]
  publishWorkstation?: boolean
  /** False: a host without mDNS. */
  hasMdns?: boolean
}

export interface LabHost {
  namespace: string
  startMdns(): void
  /** SIGTERM lets it say goodbye; SIGKILL is a cut power cable. */
  stopMdns(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
  /** A small web server in place of the device's API. */
  serve(args: { hostname?: string; mode?: 'open' | 'locked' | 'page'; port?: number; upS?: number }): Promise<void>
  stopServing(): Promise<void>
  /** Runs `ip` inside. */
  ip(...args: string[]): void
}

export interface Lab {
  folder: string
  tech: string
  /** The technician's and every host's namespace. */
  namespaces(): string[]
  addHost(options: HostOptions): LabHost
  ipIn(namespace: string, ...args: string[]): void
  spawnIn(namespace: string, command: string, args: string[], options?: { env?: NodeJS.ProcessEnv }): ChildProcess
  close(): Promise<void>
}

const stub = resolve(import.meta.dirname, 'deviceStub.ts')
let labs = 0

function ended(child: ChildProcess): Promise<void> {
  return child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((done) => child.once('exit', () => done()))
}

function confOf(options: HostOptions): string {
  return `[server]
host-name=${options.hostname}
use-ipv6=no
enable-dbus=no
ratelimit-interval-usec=1000000
ratelimit-burst=1000
[publish]
publish-workstation=${options.publishWorkstation ? 'yes' : 'no'}
publish-hinfo=no
`
}

function serviceFile(service: { type: string; port: number }): string {
  return `<?xml version="1.0" standalone='no'?><!DOCTYPE service-group SYSTEM "avahi-service.dtd">
<service-group><name replace-wildcards="yes">%h</name><service><type>${service.type}</type><port>${service.port}</port></service></service-group>
`
}

/** Bridges in one network namespace, a technician's machine on each of them (eth0, eth1, ...), and hosts to add. */
export function openLab(bridges: { name: string; tech: string }[] = [{ name: 'br0', tech: '10.9.0.1/16' }]): Lab {
  labs += 1
  const prefix = `fit${process.pid}n${labs}`
  const folder = mkdtempSync(join(tmpdir(), 'fitter-mdns-'))
  const namespaces: string[] = []
  const children = new Set<ChildProcess>()
  let links = 0

  const ip = (...args: string[]): void => void execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const addNamespace = (name: string): string => {
    const full = `${prefix}${name}`
    ip('netns', 'add', full)
    namespaces.push(full)
    ip('-n', full, 'link', 'set', 'lo', 'up')
    return full
  }
  const lan = addNamespace('lan')
  const tech = addNamespace('tech')

  const plug = (namespace: string, bridge: string, card: string, address: string): void => {
    links += 1
    ip('-n', lan, 'link', 'add', `v${links}`, 'type', 'veth', 'peer', 'name', card, 'netns', namespace)
    ip('-n', lan, 'link', 'set', `v${links}`, 'master', bridge, 'up')
    ip('-n', namespace, 'addr', 'add', address, 'brd', '+', 'dev', card)
    ip('-n', namespace, 'link', 'set', card, 'up')
  }

  const spawnIn: Lab['spawnIn'] = (namespace, command, args, options = {}) => {
    const child = spawn('ip', ['netns', 'exec', namespace, command, ...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...options.env }
    })
    children.add(child)
    child.once('exit', () => children.delete(child))
    return child
  }

  for (const [index, bridge] of bridges.entries()) {
    ip('-n', lan, 'link', 'add', bridge.name, 'type', 'bridge', 'mcast_snooping', '0')
    ip('-n', lan, 'link', 'set', bridge.name, 'up')
    plug(tech, bridge.name, `eth${index}`, bridge.tech)
  }

  const addHost = (options: HostOptions): LabHost => {
    const namespace = addNamespace(`d${namespaces.length}`)
    const own = join(folder, namespace)
    mkdirSync(join(own, 'services'), { recursive: true })
    writeFileSync(join(own, 'avahi.conf'), confOf(options))
    for (const [index, service] of (options.services ?? []).entries())
      writeFileSync(join(own, 'services', `s${index}.service`), serviceFile(service))
    for (const [index, [bridge, address]] of Object.entries(options.on).entries())
      plug(namespace, bridge, `eth${index}`, address)
    ip('-n', namespace, 'route', 'add', 'default', 'dev', 'eth0')
    let mdns: ChildProcess | undefined
    let server: ChildProcess | undefined
    const startMdns = (): void => {
      const script = `mount -t tmpfs tmpfs /run && mkdir -p /run/avahi-daemon && mount --bind ${own}/services /etc/avahi/services && exec avahi-daemon --no-drop-root --no-chroot --no-rlimits -f ${own}/avahi.conf`
      mdns = spawnIn(namespace, 'unshare', ['-m', 'sh', '-c', script])
      mdns.stdout?.resume()
      mdns.stderr?.resume()
    }
    if (options.hasMdns !== false) startMdns()
    return {
      namespace,
      startMdns,
      stopMdns: async (signal) => {
        mdns?.kill(signal)
        if (mdns) await ended(mdns)
      },
      serve: async ({ hostname = options.hostname, mode = 'open', port = 8080, upS = 12 }) => {
        const child = spawnIn(namespace, process.execPath, [
          stub,
          hostname,
          mode,
          String(port),
          String(upS),
          Object.values(options.on)[0]?.split('/')[0] ?? ''
        ])
        server = child
        child.stderr?.resume()
        await new Promise((done) => child.stdout?.once('data', done))
      },
      stopServing: async () => {
        server?.kill('SIGKILL')
        if (server) await ended(server)
      },
      ip: (...args) => ip('-n', namespace, ...args)
    }
  }

  return {
    folder,
    tech,
    namespaces: () => namespaces.slice(1),
    addHost,
    ipIn: (namespace, ...args) => ip('-n', namespace, ...args),
    spawnIn,
    close: async () => {
      const running = [...children]
      for (const child of running) child.kill('SIGKILL')
      await Promise.all(running.map(ended))
      for (const namespace of namespaces) ip('netns', 'del', namespace)
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** A child process that speaks JSON lines. */
export interface JsonLines<Line> {
  lines: Line[]
  send(value: unknown): void
  /** The first line that `isIt`, also among those that came before. */
  until(isIt: (line: Line) => boolean, what: string, limitMs?: number): Promise<Line>
  stop(): Promise<void>
}

export function readJsonLines<Line>(child: ChildProcess): JsonLines<Line> {
  const lines: Line[] = []
  const waiting = new Set<() => void>()
  let complaint = ''
  child.stderr?.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
  if (child.stdout) {
    createInterface({ input: child.stdout }).on('line', (text) => {
      lines.push(JSON.parse(text) as Line)
      for (const look of [...waiting]) look()
    })
  }
  return {
    lines,
    send: (value) => void child.stdin?.write(`${JSON.stringify(value)}\n`),
    until: (isIt, what, limitMs = 10_000) =>
      new Promise((done, fail) => {
        let from = 0
        const look = (): void => {
          for (; from < lines.length; from += 1) {
            const line = lines[from]
            if (line === undefined || !isIt(line)) continue
            clearTimeout(timer)
            waiting.delete(look)
            done(line)
            return
          }
        }
        const timer = setTimeout(() => {
          waiting.delete(look)
          fail(
            new Error(
              `Not seen within ${limitMs} ms: ${what}. Last line: ${String(JSON.stringify(lines.at(-1))).slice(0, 4000)}. ${complaint}`
            )
          )
        }, limitMs)
        waiting.add(look)
        look()
      }),
    stop: async () => {
      child.kill('SIGKILL')
      await ended(child)
    }
  }
}
