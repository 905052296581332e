import { readTokens } from '../../ui/theme.ts'

/** The map colours of the current theme; a canvas cannot use tokens. */
export interface MapColours {
  land: string
  water: string
  border: string
  park: string
  yard: string
  building: string
  road: string
  casing: string
  main: string
  mainCasing: string
  rail: string
  label: string
  waterLabel: string
  panel: string
  device: string
  gateway: string
  /** Classes of speed, slowest first. */
  speeds: readonly [string, string, string, string]
}

const tokens: { readonly [Name in Exclude<keyof MapColours, 'speeds'>]: string } = {
  land: '--map-land',
  water: '--map-water',
  border: '--map-rail',
  park: '--map-park',
  yard: '--map-yard',
  building: '--map-building',
  road: '--map-road',
  casing: '--map-casing',
  main: '--map-main',
  mainCasing: '--map-main-casing',
  rail: '--map-rail',
  label: '--map-label',
  waterLabel: '--map-water-label',
  panel: '--panel',
  device: '--device',
  gateway: '--gateway'
}

const speedTokens = { s1: '--speed-1', s2: '--speed-2', s3: '--speed-3', s4: '--speed-4' } as const
const orGrey = (colour: string): string => colour || '#808080'

export function readMapColours(): MapColours {
  const { s1, s2, s3, s4 } = readTokens(speedTokens)
  const named = Object.fromEntries(
    Object.entries(readTokens(tokens)).map(([name, colour]) => [name, orGrey(colour)])
  ) as unknown as Omit<MapColours, 'speeds'>
  return { ...named, speeds: [orGrey(s1), orGrey(s2), orGrey(s3), orGrey(s4)] }
}
