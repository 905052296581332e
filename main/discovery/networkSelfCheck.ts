import type { Finding } from '../../preload/contract/app/app.ts'
import type { SeenDevice } from '../../preload/contract/device/discovery.ts'
import { message, type Message } from '../../preload/contract/messages.ts'
import { mdnsPort } from './cardSocket.ts'
import type { CardReport } from './cardWatch.ts'
import { findGateways } from './gatewayRoutes.ts'
import { findPortHolders } from './portHolders.ts'

/** How to open the firewall on this system; a command only for a person at a terminal. */
function firewallHint(isTerminal: boolean): Message {
  if (process.platform === 'darwin') return message('selfTest.firewallMac')
  if (process.platform === 'win32') return message('selfTest.firewallWindows')
  return isTerminal ? message('selfTest.firewallCommand', { port: mdnsPort }) : message('selfTest.firewall', { port: mdnsPort })
}

function trafficOf({ card, traffic, hosts }: CardReport): Message {
  const counts = { address: card.address, sent: traffic.packetsSent, heard: traffic.packetsHeard, names: hosts }
  return traffic.malformed > 0 ? message('selfTest.trafficUnreadable', { ...counts, unreadable: traffic.malformed }) : message('selfTest.traffic', counts)
}

function cardFinding(report: CardReport, hasDevices: boolean, firewall: Message): Finding {
  const { card, traffic } = report
  const what = trafficOf(report)
  const name = card.isLoopback ? message('selfTest.loopbackName', { card: card.name }) : message('selfTest.cardName', { card: card.name })
  const withError = (said: Message): Message => (traffic.lastError ? message('selfTest.lastError', { said, error: traffic.lastError }) : said)
  const failed = (why: Message, remedy: Message): Finding => ({ name, ok: false, detail: withError(message('selfTest.trafficThen', { traffic: what, why })), remedy, group: 'network' })
  const works: Finding = { name, ok: true, detail: withError(what), remedy: null, group: 'network' }
  if (traffic.problem) return failed(traffic.problem, message('selfTest.closeHolder', { port: mdnsPort }))
  if (card.isLoopback) return works
  if (traffic.packetsSent === 0) return failed(message('selfTest.nothingSent'), message('selfTest.connectCard'))
  if (traffic.packetsHeard === 0 && traffic.echoes === 0) return failed(message('selfTest.noEcho'), firewall)
  if (traffic.packetsHeard === 0 && !hasDevices) return failed(message('selfTest.nobodyElse'), message('selfTest.guestWifi', { firewall }))
  return works
}

async function portFinding(isHeld: boolean): Promise<Finding> {
  const programs = await findPortHolders(mdnsPort)
  const [first] = programs
  const name = message('selfTest.portName', { port: mdnsPort })
  if (isHeld) {
    return {
      name,
      ok: false,
      detail: first ? message('selfTest.portTakenBy', { programs }) : message('selfTest.portTaken'),
      remedy: first ? message('selfTest.stopHolder', { program: first }) : message('selfTest.stopUnknownHolder'),
      group: 'network'
    }
  }
  return { name, ok: true, detail: first ? message('selfTest.portShared', { programs }) : message('selfTest.portFree'), remedy: null, group: 'network' }
}

/** One line per card, the port, the gateways, and each device with a problem; one remedy each. */
export async function checkOwnNetwork(reports: CardReport[], devices: SeenDevice[], isTerminal: boolean): Promise<Finding[]> {
  const firewall = firewallHint(isTerminal)
  const findings = reports.map((item) => cardFinding(item, devices.length > 0, firewall))
  if (!reports.some((report) => !report.card.isLoopback)) {
    findings.unshift({ name: message('selfTest.cardsName'), ok: false, detail: message('selfTest.noCard'), remedy: message('selfTest.plugIn'), group: 'network' })
  }
  findings.push(await portFinding(reports.some((report) => report.traffic.problem)))
  const addresses = await findGateways()
  findings.push({
    name: message('selfTest.gatewaysName'),
    ok: true,
    detail: addresses.length > 0 ? message('selfTest.gatewaysAsked', { addresses, count: addresses.length }) : message('selfTest.noGateways'),
    remedy: null,
    group: 'network'
  })
  const present = devices.filter((device) => device.standing !== 'lost')
  findings.push({
    name: message('selfTest.devicesName'),
    ok: present.length > 0,
    detail: present.length > 0 ? message('selfTest.devicesFound', { n: present.length }) : message('selfTest.noDevice'),
    remedy: present.length > 0 ? null : message('selfTest.powerAndNetwork', { firewall }),
    group: 'devices'
  })
  for (const device of devices) {
    if (!['conflict', 'impostor', 'wrongService', 'lost'].includes(device.standing)) continue
    findings.push({ name: message('selfTest.deviceName', { device: device.hostname ?? device.key }), ok: false, detail: device.detail, remedy: remedyForDevice(device), group: 'devices' })
  }
  return findings
}

function remedyForDevice(device: SeenDevice): Message {
  if (device.standing === 'conflict') return message('selfTest.compareLabel')
  if (device.standing === 'impostor') return message('selfTest.doNotWork')
  if (device.standing === 'wrongService') return message('common.checkTheAddress')
  return message('selfTest.checkPower')
}
