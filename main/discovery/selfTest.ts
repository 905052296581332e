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

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`
}

function firewallHint(): string {
  return blockedRemedy[process.platform] ?? `Let UDP port ${mdnsPort} through the firewall.`
}

function cardFinding({ card, traffic, hosts }: CardReport, hasDevices: boolean): Finding {
  const [sent, heard, names] = [count(traffic.packetsSent, 'question'), count(traffic.packetsHeard, 'packet'), count(hosts, 'device name')]
  const what =
    traffic.malformed > 0
      ? `${card.address}: ${sent} sent, ${heard} heard from others, ${traffic.malformed} of them unreadable, ${names} among them.`
      : `${card.address}: ${sent} sent, ${heard} heard from others, ${names} among them.`
  const name = card.kind === 'loopback' ? `This computer itself (${card.name})` : `Network card ${card.name}`
  const lastError = traffic.lastError ? ` Last error: ${traffic.lastError}.` : ''
  const failed = (why: string, remedy: string): Finding => ({ name, ok: false, detail: `${what} ${why}${lastError}`, remedy })
  if (traffic.problem) return failed(traffic.problem, `Close the program that holds port ${mdnsPort}. Until then, find the device by its label or its address.`)
  if (card.kind === 'loopback') return { name, ok: true, detail: what + lastError, remedy: '' }
  if (traffic.packetsSent === 0) return failed('Nothing could be sent.', 'Check that the card is connected to the right network: unplug and plug in the cable, or join the Wi-Fi again.')
  if (traffic.packetsHeard === 0 && traffic.echoes === 0) return failed('Not even its own questions came back: this computer blocks announcements.', firewallHint())
  if (traffic.packetsHeard === 0 && !hasDevices) {
    return failed('No other machine announces itself here.', `${firewallHint()} Guest Wi-Fi often keeps machines apart: then use the device's own hotspot or a cable, or type its address.`)
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
  const who = holders.length > 0 ? `Also on the port: ${holders.join(', ')}.` : 'The system names no other program on the port.'
  findings.push({
    name: `mDNS port ${mdnsPort}`,
    ok: !isHeld,
    detail: isHeld ? `Another program keeps the port to itself, so announcements do not reach Fitter. ${who}` : `Announcements can reach Fitter. ${who}`,
    remedy: isHeld ? `Stop ${holders[0] ?? 'the program that holds it'}, then ask again.` : ''
  })
  const gateways = await findGateways()
  findings.push({
    name: 'Default gateways',
    ok: true,
    detail: gateways.length > 0 ? `${gateways.join(', ')} was asked whether it is a device with its hotspot on.` : 'There is none. On the hotspot of a device, the device would be here.',
    remedy: ''
  })
  const present = devices.filter((device) => device.standing !== 'lost')
  findings.push({
    name: 'Devices',
    ok: present.length > 0,
    detail: present.length > 0 ? `${count(present.length, 'device')} found.` : 'No device answered.',
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
  if (device.standing === 'impostor') return 'Do not work on it. Read the IMEI on the label, and look that one up.'
  if (device.standing === 'wrongService') return 'Check the address. A device answers on port 8080; something else is there.'
  return 'Check its power, and that this computer is on its network; then ask again.'
}
