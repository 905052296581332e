import L from 'leaflet'
import 'leaflet/dist/leaflet.css'

export interface MapPosition {
  latitude: number
  longitude: number
  /** Radius of the circle in which the device is, in metres. */
  accuracyM: number | undefined
  /** Degrees from north; undefined while it stands still. */
  bearing: number | undefined
}

/** A map without any map material from outside: a grid of degrees, a scale, the device, its accuracy and its way. */
export interface DeviceMap {
  show(position: MapPosition): void
  /** Shapes around it, each with its name; those that are there already are replaced. */
  showFences(fences: readonly MapFence[]): void
  centre(): void
  close(): void
}

/** Coordinates are [longitude, latitude]. */
export interface MapFence {
  name: string
  inside: boolean | null
  shape:
    | { type: 'Polygon'; rings: readonly (readonly (readonly [number, number])[])[] }
    | { type: 'Circle'; center: readonly [number, number]; radiusM: number }
    | { type: 'LineString'; points: readonly (readonly [number, number])[]; radiusM: number }
}

const steps = [0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30]
const mostLines = 6
/** What a label needs, so that no two of them meet. */
const labelRoomPx = { x: 96, y: 34 }
const longestWay = 600

/** Leaflet changes its own objects all the time: they stay in this closure and never become reactive. */
export function openDeviceMap(element: HTMLElement, labels: { zoomIn: string; zoomOut: string }): DeviceMap {
  // Without animations nothing is left to happen on a map that is gone: Leaflet ends them by timers that it never clears.
  const still = { zoomAnimation: false, fadeAnimation: false, markerZoomAnimation: false, inertia: false }
  const map = L.map(element, { zoomControl: false, attributionControl: false, minZoom: 2, maxZoom: 20, zoomSnap: 0.5, ...still })
  L.control.zoom({ position: 'topright', zoomInTitle: labels.zoomIn, zoomOutTitle: labels.zoomOut }).addTo(map)
  L.control.scale({ position: 'topleft', imperial: false, maxWidth: 160 }).addTo(map)
  const grid = L.layerGroup().addTo(map)
  const fenceLayer = L.layerGroup().addTo(map)
  const way = L.polyline([], { className: 'map-way', interactive: false })
  const circle = L.circle([0, 0], { radius: 0, className: 'map-accuracy', interactive: false })
  const dot = L.circleMarker([0, 0], { radius: 8, className: 'map-device', interactive: false })
  const heading = L.polyline([], { className: 'map-heading', interactive: false })
  let isPlaced = false
  let isMovedByHand = false
  let latest: MapPosition | undefined
  const sizes = new ResizeObserver(() => map.invalidateSize({ animate: false }))
  sizes.observe(element)
  map.on('moveend resize', drawGrid)
  map.on('dragstart', () => {
    isMovedByHand = true
  })

  function drawGrid(): void {
    if (!isPlaced) return
    grid.clearLayers()
    const bounds = map.getBounds()
    const { x: widthPx, y: heightPx } = map.getSize()
    const latitudes = gridValues(bounds.getSouth(), bounds.getNorth(), heightPx / labelRoomPx.y)
    const longitudes = gridValues(bounds.getWest(), bounds.getEast(), widthPx / labelRoomPx.x)
    const isFree = (at: [number, number]) => {
      const { x, y } = map.latLngToContainerPoint(at)
      return x > labelRoomPx.x || y < heightPx - labelRoomPx.y
    }
    for (const latitude of latitudes.values) {
      line([latitude, bounds.getWest()], [latitude, bounds.getEast()])
      // The corner belongs to the labels along the lower edge.
      if (isFree([latitude, bounds.getWest()])) label([latitude, bounds.getWest()], degrees(latitude, 'N', 'S', latitudes.digits), 'map-label-west')
    }
    for (const longitude of longitudes.values) {
      line([bounds.getSouth(), longitude], [bounds.getNorth(), longitude])
      label([bounds.getSouth(), longitude], degrees(longitude, 'E', 'W', longitudes.digits), 'map-label-south')
    }
  }

  function line(from: [number, number], to: [number, number]): void {
    L.polyline([from, to], { className: 'map-grid', interactive: false }).addTo(grid)
  }

  function label(at: [number, number], text: string, className: string): void {
    const shown = document.createElement('span')
    shown.textContent = text
    L.marker(at, { icon: L.divIcon({ html: shown, className: `map-label ${className}`, iconSize: undefined as never }), interactive: false, keyboard: false }).addTo(grid)
  }

  return {
    show(position) {
      latest = position
      const at = L.latLng(position.latitude, position.longitude)
      if (!isPlaced) {
        isPlaced = true
        map.setView(at, 17, { animate: false })
        way.addTo(map)
        circle.addTo(map)
        heading.addTo(map)
        dot.addTo(map)
      } else if (!isMovedByHand && !map.getBounds().pad(-0.2).contains(at)) map.panTo(at, { animate: false })
      circle.setLatLng(at).setRadius(position.accuracyM ?? 0)
      dot.setLatLng(at)
      heading.setLatLngs(position.bearing === undefined ? [] : [at, ahead(map, at, position.bearing)])
      const points = way.getLatLngs() as L.LatLng[]
      if (!points.at(-1)?.equals(at, 1e-6)) way.setLatLngs([...points, at].slice(-longestWay))
      if (grid.getLayers().length === 0) drawGrid()
    },
    showFences(fences) {
      fenceLayer.clearLayers()
      for (const fence of fences) {
        const name = document.createElement('span')
        name.textContent = fence.name
        shapeLayer(fence).bindTooltip(name, { sticky: true }).addTo(fenceLayer)
      }
    },
    centre() {
      isMovedByHand = false
      if (latest) map.setView([latest.latitude, latest.longitude], Math.max(map.getZoom(), 15), { animate: false })
    },
    close() {
      sizes.disconnect()
      const wheel = map.scrollWheelZoom as unknown as { _timer?: ReturnType<typeof setTimeout> }
      map.remove()
      // The wheel zooms a moment later, and would find no map.
      clearTimeout(wheel._timer)
    }
  }
}

function shapeLayer({ shape, inside }: MapFence): L.Path {
  const className = inside ? 'map-fence map-fence-inside' : 'map-fence'
  const turn = ([longitude, latitude]: readonly [number, number]): [number, number] => [latitude, longitude]
  if (shape.type === 'Circle') return L.circle(turn(shape.center), { radius: shape.radiusM, className })
  if (shape.type === 'LineString') return L.polyline(shape.points.map(turn), { className: `${className} map-fence-line` })
  return L.polygon(
    shape.rings.map((ring) => ring.map(turn)),
    { className }
  )
}

function ahead(map: L.Map, at: L.LatLng, bearing: number): L.LatLng {
  const point = map.latLngToContainerPoint(at)
  const angle = (bearing * Math.PI) / 180
  return map.containerPointToLatLng([point.x + Math.sin(angle) * 34, point.y - Math.cos(angle) * 34])
}

function gridValues(from: number, to: number, roomFor: number): { values: number[]; digits: number } {
  const wanted = Math.max(1, Math.min(mostLines, Math.floor(roomFor)))
  const step = steps.find((one) => (to - from) / one <= wanted) ?? 30
  const digits = Math.max(0, -Math.floor(Math.log10(step)))
  const first = Math.ceil(from / step)
  const count = Math.min(60, Math.floor(to / step) - first + 1)
  return { digits, values: Array.from({ length: Math.max(0, count) }, (_, index) => Number(((first + index) * step).toFixed(digits))) }
}

function degrees(value: number, positive: string, negative: string, digits: number): string {
  return `${Math.abs(value).toFixed(digits)}° ${value < 0 ? negative : positive}`
}
