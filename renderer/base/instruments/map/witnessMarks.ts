import L from 'leaflet'
import type { Position } from '../../../../preload/base/maps/distance.ts'
import { placeText } from '../../../../preload/base/maps/position.ts'
import type { WitnessPlace } from './mapPositions.ts'

/** A position with its label. */
export interface Mark extends WitnessPlace {
  text: string
}

export interface Marks {
  device: Mark | null
  gateway: Mark | null
  replay: Mark | null
  /** The distance between two places in the person's units. */
  sayDistance(metres: number): string
}

/** At a shorter distance, the line between both would be hidden by their marks. */
const leastLinePx = 26
const gapPx = 26

/** Disc, diamond, the line between them, and their labels. They belong to the map they were added to. */
export interface WitnessMarks {
  show(marks: Marks): void
  /** Places the labels so that they cover neither mark; after each zoom. */
  arrange(): void
}

export function createWitnessMarks(map: L.Map): WitnessMarks {
  const circle = L.circle([0, 0], { radius: 0, className: 'map-accuracy', interactive: false })
  const heading = L.polyline([], { className: 'map-heading', interactive: false })
  const line = L.polyline([], { className: 'map-apart', interactive: false })
  const disc = L.circleMarker([0, 0], { radius: 9, className: 'map-device', interactive: false })
  // Its corners stay visible when both are at the same place.
  map.createPane('under').classList.add('map-under')
  const diamond = L.marker([0, 0], {
    pane: 'under',
    icon: icon('map-gateway', diamondShape()),
    interactive: false,
    keyboard: false
  })
  const replay = L.circleMarker([0, 0], { radius: 8, className: 'map-replay', interactive: false })
  const deviceTag = tag('map-tag-device')
  const gatewayTag = tag('map-tag-gateway')
  const replayTag = tag('map-tag-replay')
  const distance = tag('map-distance')
  let shown: Marks | undefined

  function put(layers: readonly L.Layer[], isThere: boolean): void {
    for (const layer of layers) {
      if (isThere && !map.hasLayer(layer)) layer.addTo(map)
      else if (!isThere && map.hasLayer(layer)) layer.remove()
    }
  }

  function arrange(): void {
    if (!shown) return
    const { device, gateway } = shown
    const here = device && map.latLngToContainerPoint(latLngOf(device))
    const there = gateway && map.latLngToContainerPoint(latLngOf(gateway))
    // Two overlapping marks change sides with every reading: their labels stay.
    const isApart = here && there && here.distanceTo(there) >= leastLinePx
    const isLeft = isApart ? there.x <= here.x : true
    const isBelow = isApart ? there.y >= here.y : true
    deviceTag.side(isLeft ? 'right' : 'left', isBelow ? 'above' : 'below')
    gatewayTag.side(isLeft ? 'left' : 'right', isBelow ? 'below' : 'above')
    replayTag.side('right', 'below')
    if (!here || !there || !device || !gateway) return
    const lengthPx = here.distanceTo(there)
    line.setLatLngs(lengthPx < leastLinePx ? [] : [latLngOf(device), latLngOf(gateway)])
    // Beside the line, on its lower side, away from both labels.
    const [dx, dy] = !isApart ? [1, 0] : [(there.x - here.x) / lengthPx, (there.y - here.y) / lengthPx]
    const turn = dx >= 0 ? 1 : -1
    const middle = here.add(there).divideBy(2)
    distance.marker.setLatLng(map.containerPointToLatLng([middle.x - dy * turn * gapPx, middle.y + dx * turn * gapPx]))
  }

  return {
    arrange,
    show(marks) {
      shown = marks
      const { device, gateway } = marks
      put([circle, heading, disc, deviceTag.marker], device !== null)
      put([diamond, gatewayTag.marker], gateway !== null)
      put([line, distance.marker], device !== null && gateway !== null)
      put([replay, replayTag.marker], marks.replay !== null)
      if (device) {
        circle.setLatLng(latLngOf(device)).setRadius(device.accuracyM ?? 0)
        disc.setLatLng(latLngOf(device))
        heading.setLatLngs(device.bearing === undefined ? [] : ahead(map, latLngOf(device), device.bearing))
        deviceTag.say(latLngOf(device), device.text, placeText(device))
      }
      if (gateway) {
        diamond.setLatLng(latLngOf(gateway))
        diamond.getElement()?.classList.toggle('map-old', gateway.isOld === true)
        gatewayTag.say(latLngOf(gateway), gateway.text, placeText(gateway))
      }
      if (marks.replay) {
        replay.setLatLng(latLngOf(marks.replay))
        replayTag.say(latLngOf(marks.replay), marks.replay.text)
      }
      if (device && gateway)
        distance.say(latLngOf(device), marks.sayDistance(latLngOf(device).distanceTo(latLngOf(gateway))))
      arrange()
    }
  }
}

export function latLngOf({ latitude, longitude }: Position): L.LatLng {
  return L.latLng(latitude, longitude)
}

/** A label beside a position. Its element is reused, so that a new second changes only a text. */
function tag(className: string) {
  const box = document.createElement('div')
  const [title, detail] = [document.createElement('b'), document.createElement('span')]
  box.append(title)
  const marker = L.marker([0, 0], { icon: icon(`map-tag ${className}`, box), interactive: false, keyboard: false })
  return {
    marker,
    say(place: L.LatLng, text: string, more?: string) {
      marker.setLatLng(place)
      if (title.textContent !== text) title.textContent = text
      if (more === undefined) return
      if (!detail.parentNode) box.append(detail)
      if (detail.textContent !== more) detail.textContent = more
    },
    side(across: 'left' | 'right', along: 'above' | 'below') {
      box.className = `${across} ${along}`
    }
  }
}

function icon(className: string, html: HTMLElement): L.DivIcon {
  return L.divIcon({ className, html, iconSize: [0, 0] })
}

function diamondShape(): HTMLElement {
  const shape = document.createElement('i')
  shape.className = 'diamond'
  return shape
}

/** An arrow head in front of the disc. */
function ahead(map: L.Map, place: L.LatLng, bearing: number): L.LatLng[] {
  const point = map.latLngToContainerPoint(place)
  const turned = (degrees: number, length: number) => {
    const angle = ((bearing + degrees) * Math.PI) / 180
    return map.containerPointToLatLng([point.x + Math.sin(angle) * length, point.y - Math.cos(angle) * length])
  }
  return [turned(-24, 17), turned(0, 28), turned(24, 17)]
}
