import type { Finding } from '../../preload/contract/app.ts'
import type { SeenDevice } from '../../preload/contract/discovery.ts'
import { mdnsPort } from './cardSocket.ts'
import type { CardReport } from './cardWatch.ts'
import { findGateways } from './gatewayRoutes.ts'
import { findPortHolders } from './portHolders.ts'

const blockedRemedy: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Open System Settings, Privacy & Security, Local Network, and allow Fitter.',
  win32: 'Allow Fitter in the Windows firewall for private networks, and set this network to private.',
  linux: `Let UDP port ${mdnsPort} in and out through the firewall (for example: ufw allow ${mdnsPort}/udp).`
}

function firewallHint(): string {
  return blockedRemedy[process.platform] ?? `Let UDP port ${mdnsPort} through the firewall.`
}

function cardFinding({ card, traffic, hosts }: CardReport, hasDevices: boolean): Finding {
  const what = `${card.address}: ${traffic.packetsSent} packets sent, ${traffic.packetsHeard} heard from others, ${traffic.malformed} malformed, ${hosts} device names.`
  const name = `Network card ${card.name}`
  const lastError = traffic.lastError ? ` Last error: ${traffic.lastError}.` : ''
  const failed = (why: string, remedy: string): Finding => ({ name, ok: false, detail: `${what} ${why}${lastError}`, remedy })
  if (traffic.problem) return failed(traffic.problem, `Close the program that holds port ${mdnsPort}, or go on: devices that answer directly are found all the same.`)
  if (card.kind === 'loopback') return { name, ok: true, detail: what + lastError, remedy: '' }
  if (traffic.packetsSent === 0) return failed('Nothing could be sent.', 'Check that the card is connected and has an address of its network.')
  if (traffic.packetsHeard === 0 && traffic.echoes === 0) return failed('Not even our own questions came back: multicast is blocked.', firewallHint())
  if (traffic.packetsHeard === 0 && !hasDevices) {
    return failed('Nobody else speaks mDNS here.', `${firewallHint()} Guest Wi-Fi often keeps machines apart: then type the device's address.`)
  }
  return { name, ok: true, detail: what + lastError, remedy: '' }
}

/** One line per card, the port, the gateways, and each device that is not as it should be; one remedy each. */
export async function runSelfTest(reports: CardReport[], devices: SeenDevice[]): Promise<Finding[]> {
  const findings = reports.map((item) => cardFinding(item, devices.length > 0))
  if (!reports.some((report) => report.card.kind !== 'loopback')) {
    findings.unshift({
      name: 'Network cards',
      ok: false,
      detail: 'No network card has an IPv4 address.',
      remedy: "Plug the cable in, or join the Wi-Fi network or the device's own hotspot."
    })
  }
  const isHeld = reports.some((report) => report.traffic.problem)
  const holders = await findPortHolders(mdnsPort)
  const who = holders.length > 0 ? `Also on it: ${holders.join(', ')}.` : 'The system names no other program on it.'
  findings.push({
    name: `mDNS port ${mdnsPort}`,
    ok: !isHeld,
    detail: isHeld ? `The port is not shared with Fitter. ${who}` : `The port is open and shared. ${who}`,
    remedy: isHeld ? `Stop ${holders[0] ?? 'the program that holds it'}, then ask again.` : ''
  })
  const gateways = await findGateways()
  findings.push({
    name: 'Default gateways',
    ok: true,
    detail: gateways.length > 0 ? `Asked as possible device hotspots: ${gateways.join(', ')}.` : 'There is none; a device hotspot would show up here.',
    remedy: ''
  })
  const present = devices.filter((device) => device.standing !== 'lost')
  findings.push({
    name: 'Devices',
    ok: present.length > 0,
    detail: present.length > 0 ? `${present.length} in the table.` : 'No device answered.',
    remedy: present.length > 0 ? '' : `Check that the device has power and is on this network. ${firewallHint()} You can also type its address.`
  })
  for (const device of devices) {
    if (!['conflict', 'impostor', 'wrongService', 'lost'].includes(device.standing)) continue
    findings.push({ name: `Device ${device.hostname ?? device.key}`, ok: false, detail: device.detail, remedy: remedyForDevice(device) })
  }
  return findings
}

function remedyForDevice(device: SeenDevice): string {
  if (device.standing === 'conflict') return 'Compare the IMEI on the label with the table, and switch the other host off.'
  if (device.standing === 'impostor') return 'Read the IMEI on the label and look that one up.'
  if (device.standing === 'wrongService') return "Check the port; the device's API answers on port 8080."
  return 'Check its power and its network, then ask again.'
}
