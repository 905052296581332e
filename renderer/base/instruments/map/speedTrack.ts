import L from 'leaflet'
import type { MapColours } from './mapColours.ts'
import type { Position } from '../../../../preload/base/maps/distance.ts'
import type { TrackPlace } from './mapPositions.ts'

/** A stretch of a track: in a class of speed, where nobody knows the way, or where only the device knows it. */
export interface SpeedPart {
  kind: 0 | 1 | 2 | 3 | 'unknown' | 'deviceOnly'
  places: readonly TrackPlace[]
  /** Grey: another trip is chosen. */
  isFaint?: boolean
  text?: string
}

/** A numbered place where the vehicle stopped. */
export interface StopMark extends Position {
  number: number
  isChosen: boolean
}

/** Each class is wider as well as of another colour. */
const weights = [3.5, 4.5, 5.5, 6.5] as const
/** Numbers closer than this share one mark. */
const nearPx = 24
const mostNumbers = 3

export function createSpeedTrack(map: L.Map, renderer: L.Canvas, choose: (index: number) => void) {
  const lines = L.layerGroup().addTo(map)
  const numbers = L.layerGroup().addTo(map)
  let parts: readonly SpeedPart[] = []
  let stops: readonly StopMark[] = []
  let colours: MapColours | undefined

  function styleOf({ kind, isFaint }: SpeedPart, { speeds, device, gateway, label }: MapColours): L.PolylineOptions {
    const opacity = isFaint ? 0.35 : 1
    if (kind === 'deviceOnly') return { color: device, weight: 4, dashArray: '0.1 8', lineCap: 'round', opacity }
    if (kind === 'unknown')
      return { color: isFaint ? label : gateway, weight: 2, dashArray: '3 7', opacity: opacity * 0.8 }
    return { color: speeds[kind], weight: weights[kind], lineCap: 'round', opacity }
  }
  function draw(): void {
    lines.clearLayers()
    if (!colours) return
    const casing = colours.panel
    const shared = { renderer, pane: 'track', interactive: false, smoothFactor: 1 }
    const whole = parts.filter(({ kind }) => typeof kind === 'number')
    for (const { places } of whole)
      L.polyline(places as TrackPlace[] as [number, number][], { ...shared, color: casing, weight: 9 }).addTo(lines)
    // The chosen trip is above the others.
    for (const part of parts.toSorted((a, b) => Number(b.isFaint ?? false) - Number(a.isFaint ?? false))) {
      const line = L.polyline(part.places as TrackPlace[] as [number, number][], {
        ...shared,
        ...styleOf(part, colours)
      }).addTo(lines)
      const middle = part.places[Math.floor(part.places.length / 2)]
      if (part.text === undefined || !middle) continue
      const words = document.createElement('span')
      words.textContent = part.text
      line.bindTooltip(words, { permanent: true, direction: 'top', className: 'map-plate' })
      line.openTooltip([middle[0], middle[1]])
    }
  }
  /** Numbers that would cover each other share a mark. */
  function arrange(): void {
    numbers.clearLayers()
    const groups: { at: L.Point; of: number[] }[] = []
    stops.forEach((stop, index) => {
      const at = map.latLngToLayerPoint([stop.latitude, stop.longitude])
      const near = groups.find((group) => group.at.distanceTo(at) < nearPx)
      if (near) near.of.push(index)
      else groups.push({ at, of: [index] })
    })
    for (const { of } of groups) {
      const [first] = of
      const stop = first === undefined ? undefined : stops[first]
      if (first === undefined || !stop) continue
      const mark = document.createElement('b')
      const shown = of.map((index) => String(stops[index]?.number))
      mark.textContent = shown.length > mostNumbers ? `${shown[0] ?? ''}…${shown.at(-1) ?? ''}` : shown.join(', ')
      mark.className = of.some((index) => stops[index]?.isChosen) ? 'chosen' : ''
      L.marker([stop.latitude, stop.longitude], {
        icon: L.divIcon({ className: 'map-stop', html: mark, iconSize: [0, 0] }),
        keyboard: false
      })
        .on('click', () => choose(of.find((index) => !stops[index]?.isChosen) ?? first))
        .addTo(numbers)
    }
  }

  return {
    arrange,
    dress(next: MapColours): void {
      colours = next
      draw()
    },
    show(nextParts: readonly SpeedPart[], nextStops: readonly StopMark[]): void {
      parts = nextParts
      stops = nextStops
      draw()
      arrange()
    }
  }
}
