/** The colours of a map in the theme that is on; what is drawn on a canvas cannot name a token. */
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
  device: '--device'
}

export function readMapColours(): MapColours {
  const style = getComputedStyle(document.documentElement)
  return Object.fromEntries(Object.entries(tokens).map(([name, token]) => [name, style.getPropertyValue(token).trim() || '#808080'])) as unknown as MapColours
}

/** Calls `changed` when the theme does, until the returned function is called. */
export function watchTheme(changed: () => void): () => void {
  const observer = new MutationObserver(changed)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}
