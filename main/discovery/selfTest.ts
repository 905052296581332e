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

function remedyForSilence(): string {
  const firewall = blockedRemedy[process.platform] ?? `Let UDP port ${mdnsPort} through the firewall.`
  return `Check that the device has power and is on this network. ${firewall} Guest Wi-Fi often keeps machines apart: then type the device's address.`
}

function cardFinding({ card, traffic, hosts }: CardReport): Finding {
  const what = `${card.address}: ${traffic.packetsSent} packets sent, ${traffic.packetsHeard} heard, ${traffic.malformed} malformed, ${hosts} device names.`
  const name = `Network card ${card.name}`
  const lastError = traffic.lastError ? ` Last error: ${traffic.lastError}.` : ''
  if (traffic.problem) {
    return { name, ok: false, detail: `${what} ${traffic.problem}${lastError}`, remedy: `Close the program that holds port ${mdnsPort}, or go on: devices that answer directly are found all the same.` }
  }
  if (traffic.packetsSent === 0 && card.kind !== 'loopback') {
    return { name, ok: false, detail: `${what} Nothing could be sent.${lastError}`, remedy: 'Check that the card is connected and has an address of its network.' }
  }
  if (hosts === 0 && card.kind !== 'loopback') return { name, ok: false, detail: `${what} No device answered.${lastError}`, remedy: remedyForSilence() }
  return { name, ok: true, detail: what + lastError, remedy: '' }
}

/** One line per card, the port, the gateways, and each device that is not as it should be; one remedy each. */
export async function runSelfTest(reports: CardReport[], devices: SeenDevice[]): Promise<Finding[]> {
  const findings = reports.map(cardFinding)
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
