import { createRandom, noiseAt } from '../random.ts'

export interface WifiNetwork {
  ssid: string
  auth: string
  /** Empty when the network is open. */
  password: string
  signalDbm: number
}

const joinTakesMs = 800

/** Wi-Fi and hotspot of a device: saved networks, networks in range, the connected one. */
export class Radios {
  readonly networks: WifiNetwork[]
  readonly #seed: number
  readonly #now: () => number
  readonly #saved = new Map<string, string>()
  #isWifiOn = true
  #joiningSinceMs: number
  #hotspot: { name: string; password: string }
  #isHotspotOn = true

  /** `hasPhones`: a phone’s hotspot with a curly apostrophe and two hidden networks are in range as well. */
  constructor(seed: number, hotspotName: string, now: () => number, hasPhones = false) {
    this.#seed = seed
    this.#now = now
    this.#joiningSinceMs = now() - joinTakesMs
    this.#hotspot = { name: hotspotName, password: 'not-a-secret-hotspot' }
    const random = createRandom(seed + 17)
    const network = (ssid: string, auth: string, password: string) => ({
      ssid,
      auth,
      password,
      signalDbm: -45 - Math.floor(random() * 40)
    })
    this.networks = [
      network('Yard', 'WPA2-PSK', 'not-a-secret-yard'),
      network('Workshop 2 / north', 'WPA/WPA2 PSK', 'not-a-secret/north?'),
      network('Guests', 'None', ''),
      network('Depot', '802.1x EAP', 'not-a-secret-depot'),
      ...(hasPhones
        ? [
            network('Ana’s iPhone', 'WPA2-PSK', 'not-a-secret-phone'),
            network('\0'.repeat(8), 'WPA2-PSK', ''),
            network('\0'.repeat(12), 'WPA2-PSK', '')
          ]
        : [])
    ]
  }

  setWifi(on: boolean): void {
    this.#isWifiOn = on
    this.#joiningSinceMs = this.#now()
  }

  saveNetwork(ssid: string, password: string): void {
    this.#saved.delete(ssid)
    this.#saved.set(ssid, password)
    this.#joiningSinceMs = this.#now()
  }

  removeNetwork(ssid: string): boolean {
    return this.#saved.delete(ssid)
  }

  savedNetworks(): string[] {
    return [...this.#saved.keys()]
  }

  isWifiOn(): boolean {
    return this.#isWifiOn
  }

  /** The connected network: the latest saved one that is in range and has the right password. */
  joined(): WifiNetwork | undefined {
    if (!this.#isWifiOn || this.#now() - this.#joiningSinceMs < joinTakesMs) return undefined
    return this.savedNetworks()
      .toReversed()
      .map((ssid) => this.networks.find((network) => network.ssid === ssid))
      .find((network) => network !== undefined && this.#saved.get(network.ssid) === network.password)
  }

  /** Networks in range; none while the Wi-Fi is stopped. */
  scan(): { ssid: string; signal: number; auth: string }[] {
    if (!this.#isWifiOn) return []
    const second = Math.floor(this.#now() / 1000)
    return this.networks.map(({ ssid, auth, signalDbm }) => ({
      ssid,
      signal: signalDbm + Math.round(2 * noiseAt(this.#seed, ssid, second)),
      auth
    }))
  }

  editHotspot(name: string, password: string): void {
    this.#hotspot = { name, password }
  }

  /** The Wi-Fi cannot be in a network and make one. */
  setHotspot(on: boolean): void {
    this.#isHotspotOn = on
    if (on) this.setWifi(false)
  }

  hotspotState(): Record<string, string> {
    if (!this.#isHotspotOn) return { state: 'Disabled' }
    return {
      state: 'Enabled',
      ssid: this.#hotspot.name,
      pass: '*'.repeat(Math.max(8, this.#hotspot.password.length)),
      routing: 'Enabled'
    }
  }
}
