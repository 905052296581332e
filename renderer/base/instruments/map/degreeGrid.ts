import L from 'leaflet'

const steps = [0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30]
const mostLines = 6
/** The space for a label, so that no two labels overlap. */
const labelRoomPx = { x: 96, y: 34 }
/** The size of a label, with some space around it. */
const labelPx = { width: 74, height: 22 }
/** What lies over the map: no label is drawn below it. */
const overlays = '.legend, .corner, .tools, .leaflet-control-scale'

/** Lines of latitude and longitude, redrawn for each view. */
export function drawDegreeGrid(map: L.Map, grid: L.LayerGroup): void {
  grid.clearLayers()
  const bounds = map.getBounds()
  const { x: widthPx, y: heightPx } = map.getSize()
  const latitudes = gridValues(bounds.getSouth(), bounds.getNorth(), heightPx / labelRoomPx.y)
  const longitudes = gridValues(bounds.getWest(), bounds.getEast(), widthPx / labelRoomPx.x)
  const covers = coveredOf(map)
  const isFree = (at: [number, number], isSouth: boolean) => {
    const point = map.latLngToContainerPoint(at)
    const [left, top] = isSouth ? [point.x, heightPx - labelPx.height] : [0, point.y - labelPx.height]
    return !covers.some(
      (box) => left < box.right && left + labelPx.width > box.left && top < box.bottom && top + labelPx.height > box.top
    )
  }
  for (const latitude of latitudes.values) {
    line(grid, [latitude, bounds.getWest()], [latitude, bounds.getEast()])
    const at: [number, number] = [latitude, bounds.getWest()]
    if (isFree(at, false)) label(grid, at, degrees(latitude, 'N', 'S', latitudes.digits), 'map-label-west')
  }
  for (const longitude of longitudes.values) {
    line(grid, [bounds.getSouth(), longitude], [bounds.getNorth(), longitude])
    const at: [number, number] = [bounds.getSouth(), longitude]
    if (isFree(at, true)) label(grid, at, degrees(longitude, 'E', 'W', longitudes.digits), 'map-label-south')
  }
}

/** The places of the overlays, in pixels of the map. */
function coveredOf(map: L.Map): { left: number; right: number; top: number; bottom: number }[] {
  const container = map.getContainer()
  const origin = container.getBoundingClientRect()
  return [...(container.parentElement?.querySelectorAll(overlays) ?? [])]
    .map((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect()
      return {
        left: left - origin.left,
        right: right - origin.left,
        top: top - origin.top,
        bottom: bottom - origin.top
      }
    })
    .filter(({ left, right }) => right > left)
}

/** A degree never covers the label of a mark. */
const underMarks = -100_000

function line(grid: L.LayerGroup, from: [number, number], to: [number, number]): void {
  L.polyline([from, to], { className: 'map-grid', interactive: false, pane: 'grid' }).addTo(grid)
}

function label(grid: L.LayerGroup, at: [number, number], text: string, className: string): void {
  const shown = document.createElement('span')
  shown.textContent = text
  L.marker(at, {
    icon: L.divIcon({ html: shown, className: `map-label ${className}`, iconSize: undefined as never }),
    interactive: false,
    keyboard: false,
    zIndexOffset: underMarks
  }).addTo(grid)
}

function gridValues(from: number, to: number, roomFor: number): { values: number[]; digits: number } {
  const wanted = Math.max(1, Math.min(mostLines, Math.floor(roomFor)))
  const step = steps.find((one) => (to - from) / one <= wanted) ?? 30
  const digits = Math.max(0, -Math.floor(Math.log10(step)))
  const first = Math.ceil(from / step)
  const count = Math.min(60, Math.floor(to / step) - first + 1)
  return {
    digits,
    values: Array.from({ length: Math.max(0, count) }, (_, index) => Number(((first + index) * step).toFixed(digits)))
  }
}

function degrees(value: number, positive: string, negative: string, digits: number): string {
  return `${Math.abs(value).toFixed(digits)}° ${value < 0 ? negative : positive}`
}
