import type { Finding, SystemPage } from '../../../preload/contract/app/app.ts'
import type { SeenDevice } from '../../../preload/contract/device/discovery.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { mdnsPort, recentMs } from './cardSocket.ts'
import type { CardReport } from './cardWatch.ts'
import { findFirewall, type FirewallState } from './firewall.ts'
import { findGateways } from './gatewayRoutes.ts'
import { findPortHolders } from './portHolders.ts'

/** How to open the firewall on this system; a command only for a person at a terminal. */
function firewallHint(isTerminal: boolean): Message {
  if (process.platform === 'darwin') return message('selfTest.firewallMac')
  if (process.platform === 'win32') return message('selfTest.firewallWindows')
  return isTerminal
    ? message('selfTest.firewallCommand', { port: mdnsPort })
    : message('selfTest.firewall', { port: mdnsPort })
}

const firewallPages: { readonly [Platform in NodeJS.Platform]?: SystemPage } = {
  win32: 'firewall',
  darwin: 'localNetwork'
}

function trafficOf({ card, traffic, hosts }: CardReport): Message {
  const counts = { address: card.address, sent: traffic.packetsSent, heard: traffic.packetsHeard, names: hosts }
  return traffic.malformed > 0
    ? message('selfTest.trafficUnreadable', { ...counts, unreadable: traffic.malformed })
    : message('selfTest.traffic', counts)
}

function cardFinding(report: CardReport, hasDevices: boolean, firewall: Message): Finding {
  const { card, traffic } = report
  const what = trafficOf(report)
  const name = card.isLoopback
    ? message('selfTest.loopbackName', { card: card.name })
    : message('selfTest.cardName', { card: card.name })
  const withError = (said: Message): Message =>
    traffic.lastError ? message('selfTest.lastError', { said, error: traffic.lastError }) : said
  const failed = (why: Message, remedy: Message): Finding => ({
    name,
    ok: false,
    detail: withError(message('selfTest.trafficThen', { traffic: what, why })),
    remedy,
    group: 'network',
    part: 'cards'
  })
  const works: Finding = { name, ok: true, detail: withError(what), remedy: null, group: 'network', part: 'cards' }
  if (traffic.problem) return failed(traffic.problem, message('selfTest.closeHolder', { port: mdnsPort }))
  if (card.isLoopback) return works
  if (traffic.packetsSent === 0) return failed(message('selfTest.nothingSent'), message('selfTest.connectCard'))
  if (traffic.packetsHeard === 0 && traffic.echoes === 0) return failed(message('selfTest.noEcho'), firewall)
  if (traffic.packetsHeard === 0 && !hasDevices)
    return failed(message('selfTest.nobodyElse'), message('selfTest.guestWifi', { firewall }))
  return works
}

/** What a firewall can be judged by: the packets that arrived count more than what the system says. */
export interface FirewallEvidence {
  /** Packets of other machines, and of our own, on all cards. */
  heard: number
  echoes: number
  sent: number
  state: FirewallState
}

/**
 * Whether the firewall keeps announcements away. A packet from another machine proves that it does not; silence proves
 * nothing.
 */
export function judgeFirewall(
  { heard, echoes, sent, state }: FirewallEvidence,
  remedy: Message,
  platform: NodeJS.Platform = process.platform
): Finding {
  const page = firewallPages[platform]
  const line = { name: message('selfTest.firewallName'), group: 'network', part: 'firewall' } as const
  const blocked = (detail: Message): Finding => ({
    ...line,
    ok: false,
    state: 'blocked',
    detail,
    remedy,
    ...(page ? { fix: page } : {})
  })
  const unsure = (detail: Message): Finding => ({ ...line, ok: true, notTested: true, detail, remedy: null })
  const { kind, name } = state
  if (heard > 0)
    return {
      ...line,
      ok: true,
      detail: message('selfTest.firewallLetsIn', { heard, withinMs: recentMs }),
      remedy: null
    }
  if (kind === 'blocksFitter') return blocked(message('selfTest.firewallBlocks', { name }))
  if (sent > 0 && echoes === 0) return blocked(message('selfTest.firewallNoEcho', { port: mdnsPort }))
  if (kind === 'off') return unsure(message('selfTest.firewallOff', { name }))
  if (kind === 'allowsFitter') return unsure(message('selfTest.firewallAllows', { name }))
  return unsure(kind === 'on' ? message('selfTest.firewallOn', { name }) : message('selfTest.firewallUnknown'))
}

async function mdnsFinding(reports: CardReport[]): Promise<Finding> {
  const programs = await findPortHolders(mdnsPort)
  const [first] = programs
  const line = { name: message('selfTest.portName', { port: mdnsPort }), group: 'network', part: 'mdns' } as const
  if (reports.some((report) => report.traffic.problem)) {
    return {
      ...line,
      ok: false,
      detail: first ? message('selfTest.portTakenBy', { programs }) : message('selfTest.portTaken'),
      remedy: first ? message('selfTest.stopHolder', { program: first }) : message('selfTest.stopUnknownHolder')
    }
  }
  const said = first ? message('selfTest.portShared', { programs }) : message('selfTest.portFree')
  const heard = reports
    .filter(({ card }) => !card.isLoopback)
    .reduce((sum, { traffic }) => sum + traffic.heardLately, 0)
  const detail = message('selfTest.heardLately', { said, n: heard, withinMs: recentMs })
  // Without a packet nothing says whether names would arrive: that is no problem found, and nothing that works.
  return { ...line, ok: true, ...(heard === 0 ? { notTested: true as const } : {}), detail, remedy: null }
}

/** One line per card, the port, the gateways, and each device with a problem; one remedy each. */
export async function checkOwnNetwork(
  reports: CardReport[],
  devices: SeenDevice[],
  isTerminal: boolean
): Promise<Finding[]> {
  const firewall = firewallHint(isTerminal)
  const outside = reports.filter(({ card }) => !card.isLoopback)
  // This computer itself tells something only where there is nothing else, or when it does not work.
  const findings = reports
    .filter(({ card, traffic }) => !card.isLoopback || outside.length === 0 || traffic.problem)
    .map((item) => cardFinding(item, devices.length > 0, firewall))
  if (outside.length === 0) {
    findings.unshift({
      name: message('selfTest.cardsName'),
      ok: false,
      detail: message('selfTest.noCard'),
      remedy: message('selfTest.plugIn'),
      group: 'network',
      part: 'cards'
    })
  }
  const [state, mdns, addresses] = await Promise.all([findFirewall(), mdnsFinding(reports), findGateways()])
  const total = (count: (report: CardReport) => number): number =>
    outside.reduce((sum, report) => sum + count(report), 0)
  findings.push(
    judgeFirewall(
      {
        heard: total(({ traffic }) => traffic.heardLately),
        echoes: total(({ traffic }) => traffic.echoes),
        sent: total(({ traffic }) => traffic.packetsSent),
        state
      },
      firewall
    ),
    mdns
  )
  findings.push({
    name: message('selfTest.gatewaysName'),
    ok: true,
    detail:
      addresses.length > 0
        ? message('selfTest.gatewaysAsked', { addresses, count: addresses.length })
        : message('selfTest.noGateways'),
    remedy: null,
    group: 'network',
    part: 'cards'
  })
  const present = devices.filter((device) => device.standing !== 'lost')
  findings.push({
    name: message('selfTest.devicesName'),
    ok: present.length > 0,
    detail: present.length > 0 ? message('selfTest.devicesFound', { n: present.length }) : message('selfTest.noDevice'),
    remedy: present.length > 0 ? null : message('selfTest.powerAndNetwork', { firewall }),
    group: 'devices',
    part: 'devices'
  })
  for (const device of devices) {
    if (!['conflict', 'impostor', 'wrongService', 'lost'].includes(device.standing)) continue
    findings.push({
      name: message('selfTest.deviceName', { device: device.hostname ?? device.key }),
      ok: false,
      detail: device.detail,
      remedy: remedyForDevice(device),
      group: 'devices',
      part: 'devices'
    })
  }
  return findings
}

function remedyForDevice(device: SeenDevice): Message {
  if (device.standing === 'conflict') return message('selfTest.compareLabel')
  if (device.standing === 'impostor') return message('selfTest.doNotWork')
  if (device.standing === 'wrongService') return message('common.checkTheAddress')
  return message('selfTest.checkPower')
}
