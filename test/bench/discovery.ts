import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import type { DeviceTable } from '../../preload/contract/device/discovery.ts'
import { imeiOf, labObstacle, openLab, readJsonLines, type Lab } from '../world/device/mdnsLab.ts'

/**
 * Our discovery beside Avahi's own tools, alternating on the same network of 20 devices. Avahi's daemon is started anew
 * before each of its turns and has finished starting, so that its cache is empty but its start is not counted; ours
 * runs in a fresh process, counted from the call that starts the search.
 *
 *   npm run bench -- discovery [--pairs 15] [--loss-pairs 15] [--loss-runs 15] [--minutes 10] [--only cold,loss,lossRuns,packets]
 */
const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '15' },
    'loss-pairs': { type: 'string', default: '15' },
    'loss-runs': { type: 'string', default: '15' },
    minutes: { type: 'string', default: '10' },
    only: { type: 'string', default: 'cold,loss,lossRuns,packets' }
  }
})
const parts = values.only.split(',')
const deviceCount = 20
const unlistedImei = imeiOf(200)
const script = resolve(import.meta.dirname, '..', 'world', 'device', 'discoveryChild.ts')

interface Line {
  atMs: number
  table?: DeviceTable
  result?: unknown
  of?: string
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))
const median = (numbers: number[]): number => {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? NaN
}

async function openNetwork(): Promise<Lab> {
  const lab = openLab()
  for (let number = 1; number <= deviceCount; number += 1) {
    lab.addHost({
      hostname: `ft4-${imeiOf(number)}`,
      on: { br0: `10.9.1.${number}/16` },
      services: [{ type: '_http._tcp', port: 8080 }]
    })
  }
  // A host that advertises nothing is in nobody's list: only a question for its very name finds it.
  lab.addHost({ hostname: `ft4-${unlistedImei}`, on: { br0: '10.9.1.200/16' } })
  await pause(4000)
  return lab
}

/**
 * Each machine misses 30 % of what reaches it. (Dropping where packets leave would not be loss: the sender is told.)
 */
function dropPackets(lab: Lab, namespaces: string[], isOn: boolean): void {
  const rule = join(lab.folder, 'loss.nft')
  writeFileSync(
    rule,
    'table inet loss {\n chain out {\n  type filter hook input priority 0;\n  udp dport 5353 numgen random mod 10 < 3 drop\n  udp sport 5353 udp dport != 5353 numgen random mod 10 < 3 drop\n }\n}\n'
  )
  for (const namespace of namespaces) {
    execFileSync(
      'ip',
      isOn
        ? ['netns', 'exec', namespace, 'nft', '-f', rule]
        : ['netns', 'exec', namespace, 'nft', 'delete', 'table', 'inet', 'loss']
    )
  }
}

/** Avahi's daemon with a bus of its own in the technician's namespace, its cache empty. */
async function startAvahi(
  lab: Lab
): Promise<{ run: (command: string[]) => ReturnType<Lab['spawnIn']>; stop: () => Promise<void> }> {
  const own = join(lab.folder, 'tech')
  mkdirSync(own, { recursive: true })
  const bus = join(own, 'bus')
  writeFileSync(
    join(own, 'bus.conf'),
    `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>unix:path=${bus}</listen><auth>EXTERNAL</auth><policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`
  )
  writeFileSync(
    join(own, 'avahi.conf'),
    '[server]\nhost-name=techbox\nuse-ipv6=no\nallow-interfaces=eth0\nenable-dbus=yes\n[publish]\npublish-workstation=no\npublish-hinfo=no\n'
  )
  const env = { DBUS_SYSTEM_BUS_ADDRESS: `unix:path=${bus}` }
  const dbus = lab.spawnIn(lab.tech, 'dbus-daemon', [
    `--config-file=${join(own, 'bus.conf')}`,
    '--nofork',
    '--print-address'
  ])
  await new Promise((done) => dbus.stdout?.once('data', done))
  const daemon = lab.spawnIn(
    lab.tech,
    'unshare',
    [
      '-m',
      'sh',
      '-c',
      `mount -t tmpfs tmpfs /run && mkdir -p /run/avahi-daemon && exec avahi-daemon --no-drop-root --no-chroot --no-rlimits -f ${own}/avahi.conf`
    ],
    { env }
  )
  await new Promise<void>((done, fail) => {
    let log = ''
    daemon.once('exit', () => fail(new Error(`avahi-daemon ended: ${log}`)))
    daemon.stderr?.on('data', (chunk: Buffer) => {
      log += chunk.toString()
      if (log.includes('Server startup complete')) done()
    })
  })
  return {
    run: (command) => lab.spawnIn(lab.tech, 'stdbuf', ['-oL', ...command], { env }),
    stop: async () => {
      daemon.removeAllListeners('exit')
      const ends = [daemon, dbus].map((child) => new Promise((done) => child.once('exit', done)))
      daemon.kill('SIGKILL')
      dbus.kill('SIGKILL')
      await Promise.all(ends)
    }
  }
}

interface Times {
  firstMs: number
  lastMs: number
  endMs: number
  atOneSecond: number
}

async function browseWithAvahi(lab: Lab, flags: string, limitMs: number): Promise<Times> {
  const avahi = await startAvahi(lab)
  const startedMs = performance.now()
  const child = avahi.run(['avahi-browse', flags, '-p', '-k', '_http._tcp'])
  const seen = new Map<string, number>()
  const isAll = new Promise<void>((done) => {
    if (child.stdout) {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const fields = line.split(';')
        if (fields[0] === '=' && fields[6] && !seen.has(fields[6])) seen.set(fields[6], performance.now() - startedMs)
        if (seen.size >= deviceCount && flags === '-r') done()
      })
    }
    child.once('exit', () => done())
  })
  await Promise.race([isAll, pause(limitMs)])
  const endMs = performance.now() - startedMs
  child.kill('SIGKILL')
  await avahi.stop()
  return summary([...seen.values()], endMs)
}

function summary(times: number[], endMs: number): Times {
  return {
    firstMs: Math.min(...times),
    lastMs: times.length >= deviceCount ? Math.max(...times) : Infinity,
    endMs,
    atOneSecond: times.filter((ms) => ms <= 1000).length
  }
}

async function resolveWithAvahi(lab: Lab, imei: string): Promise<number> {
  const avahi = await startAvahi(lab)
  const startedMs = performance.now()
  const child = avahi.run(['avahi-resolve', '-4', '-n', `ft4-${imei}.local`])
  await new Promise((done) => child.stdout?.once('data', done))
  const tookMs = performance.now() - startedMs
  await avahi.stop()
  return tookMs
}

async function searchOurselves(lab: Lab, limitMs: number): Promise<Times> {
  const child = readJsonLines<Line>(lab.spawnIn(lab.tech, process.execPath, [script]))
  const seen = new Map<string, number>()
  let settledMs = 0
  await child
    .until((line) => (line.table?.devices.length ?? 0) >= deviceCount, 'all devices', limitMs)
    .catch(() => undefined)
  // The list is settled when nothing in it changes any more for a second.
  let count = -1
  while (count !== child.lines.length) {
    count = child.lines.length
    await pause(1000)
  }
  for (const line of child.lines) {
    for (const device of line.table?.devices ?? []) if (!seen.has(device.key)) seen.set(device.key, device.firstSeenMs)
    if (line.table) settledMs = line.atMs
  }
  await child.stop()
  return summary([...seen.values()], settledMs)
}

/**
 * A known IMEI to its address: with the search just started (cold), with it running for 2 s (warm), and for a host that
 * the running search cannot list (unlisted).
 */
async function findOurselves(lab: Lab, imei: string): Promise<{ coldMs: number; warmMs: number; unlistedMs: number }> {
  const child = readJsonLines<Line>(lab.spawnIn(lab.tech, process.execPath, [script, `find=${imei}`]))
  const cold = await child.until((line) => line.of === 'firstFind', 'the device')
  await pause(2000)
  child.send({ do: 'timeFind', text: imei })
  const warm = await child.until((line) => line.of === 'timeFind', 'the device again')
  const from = child.lines.length
  child.send({ do: 'timeFind', text: unlistedImei })
  const unlisted = await child.until(
    (line) => line.of === 'timeFind' && child.lines.indexOf(line) >= from,
    'the unlisted device'
  )
  await child.stop()
  return { coldMs: Number(cold.result), warmMs: Number(warm.result), unlistedMs: Number(unlisted.result) }
}

function report(name: string, ours: number[], theirs: number[], goal: number, unit = 'ms'): void {
  const ratios = ours.map((value, index) => value / (theirs[index] ?? NaN))
  const ratio = median(ratios)
  const show = (value: number): string => (value < 10 ? value.toFixed(2) : value.toFixed(0))
  process.stdout.write(
    `${name}: ours ${show(median(ours))} ${unit}, Avahi ${show(median(theirs))} ${unit}, median ratio ${ratio.toFixed(3)} (goal <= ${goal}) ${ratio <= goal ? 'met' : 'MISSED'}\n  ours  ${ours.map(show).join(' ')}\n  Avahi ${theirs.map(show).join(' ')}\n`
  )
}

async function runCold(lab: Lab, pairs: number): Promise<void> {
  const [ours, browse, terminate]: [Times[], Times[], Times[]] = [[], [], []]
  const [resolved, cold, warm, unlisted]: [number[], number[], number[], number[]] = [[], [], [], []]
  for (let pair = 0; pair < pairs; pair += 1) {
    browse.push(await browseWithAvahi(lab, '-r', 30_000))
    ours.push(await searchOurselves(lab, 30_000))
    terminate.push(await browseWithAvahi(lab, '-rt', 30_000))
    const found = await findOurselves(lab, imeiOf(1 + (pair % deviceCount)))
    cold.push(found.coldMs)
    warm.push(found.warmMs)
    unlisted.push(found.unlistedMs)
    resolved.push(await resolveWithAvahi(lab, imeiOf(1 + (pair % deviceCount))))
    process.stderr.write(`pair ${pair + 1} of ${pairs}\n`)
  }
  const of = (list: Times[], key: keyof Times): number[] => list.map((item) => item[key])
  report('First device (against avahi-browse -r)', of(ours, 'firstMs'), of(browse, 'firstMs'), 0.35)
  report('Last device (against avahi-browse -r)', of(ours, 'lastMs'), of(browse, 'lastMs'), 0.6)
  report('List settled (against the end of avahi-browse -rt)', of(ours, 'endMs'), of(terminate, 'endMs'), 0.6)
  report('Known IMEI to address, search running (against avahi-resolve -n)', warm, resolved, 0.05)
  report('Known IMEI to address, search running, host not listed (against avahi-resolve -n)', unlisted, resolved, 0.05)
  report('Known IMEI to address, search just started (against avahi-resolve -n)', cold, resolved, 0.05)
}

async function runLoss(lab: Lab, namespaces: string[], pairs: number): Promise<void> {
  const [ours, browse, terminate]: [Times[], Times[], Times[]] = [[], [], []]
  dropPackets(lab, namespaces, true)
  for (let pair = 0; pair < pairs; pair += 1) {
    ours.push(await searchOurselves(lab, 40_000))
    terminate.push(await browseWithAvahi(lab, '-rt', 40_000))
    browse.push(await browseWithAvahi(lab, '-r', 40_000))
    process.stderr.write(`loss pair ${pair + 1} of ${pairs}\n`)
  }
  dropPackets(lab, namespaces, false)
  const counts = (list: Times[]): string => list.map((item) => item.atOneSecond).join(' ')
  const [mine, theirs] = [
    median(ours.map((item) => item.atOneSecond)),
    median(terminate.map((item) => item.atOneSecond))
  ]
  process.stdout.write(
    `30 % loss, devices at 1 s: ours ${mine}, avahi-browse -rt ${theirs} (goal: as many) ${mine >= theirs ? 'met' : 'MISSED'}\n  ours  ${counts(ours)}\n  Avahi ${counts(terminate)}\n`
  )
  report(
    '30 % loss, all 20 (against avahi-browse -r)',
    ours.map((item) => item.lastMs),
    browse.map((item) => item.lastMs),
    1.05
  )
}

/** Ours alone, because what counts is that no run leaves a device out. */
async function runLossRuns(lab: Lab, runs: number): Promise<void> {
  const limitMs = 20_000
  dropPackets(lab, lab.namespaces(), true)
  const lastMs: number[] = []
  for (let number = 0; number < runs; number += 1) {
    lastMs.push((await searchOurselves(lab, 60_000)).lastMs)
    process.stderr.write(`loss run ${number + 1} of ${runs}\n`)
  }
  dropPackets(lab, lab.namespaces(), false)
  const whole = lastMs.filter((ms) => ms <= limitMs).length
  process.stdout.write(
    `30 % loss, all ${deviceCount} within ${limitMs / 1000} s: ${whole} of ${runs} runs (goal: each) ${whole === runs ? 'met' : 'MISSED'}\n  last device, ms: ${lastMs.map((ms) => ms.toFixed(0)).join(' ')}\n`
  )
}

async function runPackets(minutes: number): Promise<void> {
  const [ourLab, theirLab] = [await openNetwork(), await openNetwork()]
  const avahi = await startAvahi(theirLab)
  try {
    for (const lab of [ourLab, theirLab]) {
      const rule = join(lab.folder, 'count.nft')
      writeFileSync(
        rule,
        'table inet sent {\n chain out {\n  type filter hook output priority 0;\n  oifname eth0 udp dport 5353 counter\n }\n}\n'
      )
      execFileSync('ip', ['netns', 'exec', lab.tech, 'nft', '-f', rule])
    }
    const child = readJsonLines<Line>(ourLab.spawnIn(ourLab.tech, process.execPath, [script]))
    const theirs = avahi.run(['avahi-browse', '-r', '-p', '-k', '_http._tcp'])
    theirs.stdout?.resume()
    await pause(10_000)
    child.send({ do: 'usage' })
    const before = (await child.until((line) => line.of === 'usage', 'usage')).result as NodeJS.CpuUsage
    await pause(minutes * 60_000 - 10_000)
    const from = child.lines.length
    child.send({ do: 'usage' })
    const after = (await child.until((line) => line.of === 'usage' && child.lines.indexOf(line) >= from, 'usage'))
      .result as NodeJS.CpuUsage
    const sent = [ourLab, theirLab].map((lab) => {
      const text = execFileSync('ip', ['netns', 'exec', lab.tech, 'nft', 'list', 'table', 'inet', 'sent'], {
        encoding: 'utf8'
      })
      return Number(/packets (\d+)/.exec(text)?.[1])
    })
    report(
      `mDNS packets sent in ${minutes} min (against avahi-browse -r)`,
      [sent[0] ?? NaN],
      [sent[1] ?? NaN],
      1.1,
      'packets'
    )
    const spentMs = (after.user + after.system - before.user - before.system) / 1000
    const share = (spentMs / (minutes * 60_000 - 10_000)) * 100
    process.stdout.write(
      `Idle with ${deviceCount} devices: ${share.toFixed(2)} % of a core (goal < 1) ${share < 1 ? 'met' : 'MISSED'}\n`
    )
    await child.stop()
  } finally {
    await avahi.stop()
    await Promise.all([ourLab.close(), theirLab.close()])
  }
}

const obstacle = labObstacle()
if (obstacle) {
  process.stderr.write(`The benchmark needs a network of its own: ${obstacle}.\n`)
  process.exitCode = 2
} else {
  if (['cold', 'loss', 'lossRuns'].some((part) => parts.includes(part))) {
    const lab = await openNetwork()
    try {
      if (parts.includes('cold')) await runCold(lab, Number(values.pairs))
      if (parts.includes('loss')) await runLoss(lab, lab.namespaces(), Number(values['loss-pairs']))
      if (parts.includes('lossRuns')) await runLossRuns(lab, Number(values['loss-runs']))
    } finally {
      await lab.close()
    }
  }
  if (parts.includes('packets')) await runPackets(Number(values.minutes))
}
