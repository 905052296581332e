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
}

const tokens: { readonly [Name in keyof MapColours]: string } = {
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

export function readMapColours(): MapColours {
  return Object.fromEntries(Object.entries(readTokens(tokens)).map(([name, colour]) => [name, colour || '#808080'])) as unknown as MapColours
}
