import L from 'leaflet'
import 'leaflet/dist/leaflet.css'
import type { Units } from '../../../../preload/base/messages/settings.ts'
import { makeBase } from './bases.ts'
import { drawDegreeGrid } from './degreeGrid.ts'
import { watchTheme } from '../../ui/theme.ts'
import { readMapColours } from './mapColours.ts'
import type { MapBase, MapFence, TrackPlace } from './mapPositions.ts'
import { partsOf, thinTrack } from './thinTrack.ts'
import { createSpeedTrack, type SpeedPart, type StopMark } from './speedTrack.ts'
import { createWitnessMarks, latLngOf, type Marks } from './witnessMarks.ts'

/** A map on the page. */
export type PlaceMapView = ReturnType<typeof openPlaceMap>

export interface PlaceMapOptions {
  base: MapBase
  units: Units
  /** A base map could not be read; reported at most once for each. */
  baseFailed(base: MapBase['kind']): void
  stopChosen?(index: number): void
}

/** Close enough to recognise the surroundings of a parked vehicle. */
const streetZoom = 17
const closestZoom = 20
const panPx = 96
const mostPadPx = 90
const padShare = 0.15
/** How far the label of a mark reaches to its left, and the share of a narrow map that it may keep free. */
const labelPx = 186
const labelShare = 0.42
/** The buttons at the right. */
const toolsPx = 76
/** Maximum points of a track: more than a screen can show. */
const mostPoints = 5_000
/** More names than this would cover the map; beyond it they appear under the pointer. */
const mostFenceNames = 4

/** Leaflet changes its own objects all the time: they stay in this closure and never become reactive. */
export function openPlaceMap(element: HTMLElement, options: PlaceMapOptions) {
  // Without animations nothing is pending on a removed map: Leaflet ends animations by timers that it never clears.
  const still = { zoomAnimation: false, fadeAnimation: false, markerZoomAnimation: false, inertia: false }
  // Sizes are watched below; Leaflet's own watch also uses such a timer.
  const map = L.map(element, {
    zoomControl: false,
    attributionControl: false,
    keyboard: false,
    trackResize: false,
    minZoom: 2,
    maxZoom: closestZoom,
    worldCopyJump: true,
    ...still
  })
  L.control
    .scale({
      position: 'bottomleft',
      metric: options.units === 'metric',
      imperial: options.units === 'imperial',
      maxWidth: 110
    })
    .addTo(map)
  // Below the marks, above the base map; on a canvas, because a day has thousands of points.
  map.createPane('track').classList.add('map-track')
  map.createPane('grid').classList.add('map-under-track')
  const canvas = createTrackCanvas()
  const road = L.polyline([], {
    renderer: canvas,
    pane: 'track',
    interactive: false,
    weight: 3.4,
    dashArray: '0.1 7',
    lineCap: 'round',
    smoothFactor: 1
  })
  const casing = L.polyline([], { renderer: canvas, pane: 'track', interactive: false, weight: 7, smoothFactor: 1.5 })
  const deviceLine = L.polyline([], {
    renderer: canvas,
    pane: 'track',
    interactive: false,
    weight: 3.4,
    opacity: 0.75,
    smoothFactor: 1.5
  })
  const grid = L.layerGroup().addTo(map)
  const fenceLayer = L.layerGroup().addTo(map)
  const speeds = createSpeedTrack(map, canvas, (index) => options.stopChosen?.(index))
  const marks = createWitnessMarks(map)
  /** What the map is fitted to, by its source. */
  const shown = new Map<'road' | 'track' | 'speeds', L.LatLngBounds>()
  let base = options.base
  let baseLayers: L.Layer[] = []
  let baseRound = 0
  let isPlaced = false
  let isMovedByHand = false
  let wantsFit = true
  /** Zoomed by a button only: the map still follows the vehicle. */
  let isZoomed = false
  /** Places that are shown alone, until someone moves the map. */
  let focus: L.LatLngBounds | undefined
  let latest: Marks | undefined

  const sizes = new ResizeObserver(() => {
    map.invalidateSize({ animate: false })
    if (focus) fitBounds(focus)
    else if (isPlaced && !isMovedByHand) fit()
  })
  sizes.observe(element)
  map.on('moveend resize', drawGrid)
  map.on('zoomend', () => {
    marks.arrange()
    speeds.arrange()
  })
  map.on('dragstart', byHand)
  element.addEventListener('wheel', byHand, { passive: true })
  element.addEventListener('keydown', press)
  const stopTheme = watchTheme(dress)
  map.setView([20, 0], 2, { animate: false })
  dress()

  function byHand(): void {
    isMovedByHand = true
    isZoomed = false
    focus = undefined
  }

  /** Leaflet's own keys animate, and the animation would continue on a removed map. */
  function press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target !== element) return
    const moves: Record<string, () => void> = {
      ArrowLeft: () => pan(-panPx, 0),
      ArrowRight: () => pan(panPx, 0),
      ArrowUp: () => pan(0, -panPx),
      ArrowDown: () => pan(0, panPx),
      '+': () => zoom(1),
      '=': () => zoom(1),
      '-': () => zoom(-1),
      '0': fit
    }
    const move = moves[event.key]
    if (!move) return
    event.preventDefault()
    event.stopPropagation()
    move()
  }

  function pan(x: number, y: number): void {
    byHand()
    map.panBy([x, y], { animate: false })
  }

  function zoom(steps: number): void {
    isMovedByHand = true
    isZoomed = true
    map.setZoom(map.getZoom() + steps, { animate: false })
  }

  function centre(): void {
    isMovedByHand = isZoomed = true
    focus = undefined
    const place = latest?.replay ?? latest?.device ?? latest?.gateway
    if (place) map.setView(latLngOf(place), Math.max(map.getZoom(), streetZoom - 2), { animate: false })
  }

  function drawGrid(): void {
    if (base.kind === 'outline' && isPlaced) drawDegreeGrid(map, grid)
    else grid.clearLayers()
  }

  /** Applies the theme's colours; canvases must be redrawn. */
  function dress(): void {
    const colours = readMapColours()
    casing.setStyle({ color: colours.panel })
    deviceLine.setStyle({ color: colours.device })
    road.setStyle({ color: colours.gateway })
    speeds.dress(colours)
    const mine = ++baseRound
    let isReported = false
    const failed = () => {
      if (mine !== baseRound || isReported) return
      isReported = true
      options.baseFailed(base.kind)
    }
    void makeBase(base, colours, failed).then(
      (layers) => {
        if (mine !== baseRound) return
        for (const layer of baseLayers) layer.remove()
        baseLayers = layers
        for (const layer of layers) layer.addTo(map)
      },
      () => failed()
    )
    drawGrid()
  }

  /** Everything that is shown; the places around a vehicle are not. */
  function content(): L.LatLngBounds | null {
    const bounds = L.latLngBounds([])
    for (const place of [latest?.device, latest?.gateway, latest?.replay]) if (place) bounds.extend(latLngOf(place))
    for (const one of shown.values()) bounds.extend(one)
    return bounds.isValid() ? bounds : null
  }
  function fit(): void {
    isMovedByHand = isZoomed = false
    focus = undefined
    const bounds = content()
    wantsFit = bounds === null
    if (bounds) fitBounds(bounds)
  }
  function fitBounds(bounds: L.LatLngBounds): void {
    isPlaced = true
    const { x, y } = map.getSize()
    // The labels of the marks need room at the sides.
    const [acrossPx, alongPx] = [Math.min(mostPadPx, x * padShare), Math.min(mostPadPx, y * padShare)]
    const leftPx = latest?.device && latest.gateway ? Math.min(labelPx, x * labelShare) : acrossPx
    map.fitBounds(bounds, {
      paddingTopLeft: [leftPx, alongPx],
      paddingBottomRight: [Math.max(acrossPx, x > toolsPx * 5 ? toolsPx : 0), alongPx],
      maxZoom: streetZoom,
      animate: false
    })
    drawGrid()
  }
  /** New content is shown whole, until someone moves the map by hand. */
  function follow(): void {
    if (wantsFit) return fit()
    const bounds = content()
    const main = latest?.replay ?? latest?.device ?? latest?.gateway
    if (bounds && !isMovedByHand && !map.getBounds().contains(bounds)) fitBounds(bounds)
    else if (isZoomed && main && !map.getBounds().contains(latLngOf(main)))
      map.panTo(latLngOf(main), { animate: false })
  }
  /** A track that appears is shown whole; its later points move the map only when they leave it. */
  function note(source: 'road' | 'track' | 'speeds', places: readonly (TrackPlace | null)[]): void {
    const isNew = !shown.has(source)
    const bounds = L.latLngBounds(places.flatMap((place): [number, number][] => (place ? [[place[0], place[1]]] : [])))
    if (!bounds.isValid()) return void shown.delete(source)
    shown.set(source, bounds)
    if (isNew && !isMovedByHand) fit()
    else follow()
  }

  function drawTrack(lines: readonly L.Polyline[], track: readonly (TrackPlace | null)[]): void {
    const parts = partsOf(track)
    const most = Math.max(2, Math.floor(mostPoints / Math.max(1, parts.length)))
    const points = parts.map((part) =>
      thinTrack(part, most).map(([latitude, longitude]) => L.latLng(latitude, longitude))
    )
    for (const line of lines) {
      line.setLatLngs(points)
      if (points.length > 0 && !map.hasLayer(line)) line.addTo(map)
      else if (points.length === 0) line.remove()
    }
  }

  return {
    zoom,
    centre,
    /** Shows everything, also after someone moved the map by hand; without content as soon as there is some. */
    fit,
    /** Shows these places alone. */
    fitTo(places: readonly TrackPlace[]): void {
      isMovedByHand = true
      focus = L.latLngBounds(places.map(([latitude, longitude]) => [latitude, longitude]))
      fitBounds(focus)
    },
    /** Both witnesses and the position of a replay; the map follows until someone moves it by hand. */
    show(next: Marks): void {
      latest = next
      follow()
      marks.show(next)
    },
    /** null is a gap: nobody read the position then. */
    showTrack(track: readonly (TrackPlace | null)[]): void {
      drawTrack([casing, deviceLine], track)
      note('track', track)
    },
    /** The gateway's track: dotted, under the device's track. */
    showRoad(places: readonly (TrackPlace | null)[]): void {
      drawTrack([road], places)
      note('road', places)
    },
    /** A track in classes of speed, and the places where the vehicle stopped. */
    showSpeeds(parts: readonly SpeedPart[], stops: readonly StopMark[]): void {
      speeds.show(parts, stops)
      note('speeds', [
        ...parts.flatMap(({ places }) => places),
        ...stops.map(({ latitude, longitude }): TrackPlace => [latitude, longitude])
      ])
    },
    /** Named shapes around the vehicle; they replace the earlier ones. */
    showFences(fences: readonly MapFence[]): void {
      fenceLayer.clearLayers()
      for (const fence of fences) {
        const name = document.createElement('span')
        name.textContent = fence.name
        const isNamed = fence.inside === true || fences.length <= mostFenceNames
        const tooltip: L.TooltipOptions = isNamed
          ? { permanent: true, direction: 'center', className: 'map-fence-name' }
          : { sticky: true }
        shapeLayer(fence).bindTooltip(name, tooltip).addTo(fenceLayer)
      }
    },
    setBase(next: MapBase): void {
      base = next
      dress()
    },
    close(): void {
      baseRound += 1
      stopTheme()
      sizes.disconnect()
      element.removeEventListener('wheel', byHand)
      element.removeEventListener('keydown', press)
      const wheel = map.scrollWheelZoom as unknown as { _timer?: ReturnType<typeof setTimeout> }
      map.off('moveend resize', drawGrid)
      map.remove()
      // The wheel zooms after a delay, when the map may be removed.
      clearTimeout(wheel._timer)
    }
  }
}

/** Leaflet forgets a frame that it requested when it draws before that frame: it would come when the canvas is gone. */
function createTrackCanvas(): L.Canvas {
  const draw = (L.Canvas.prototype as unknown as { _redraw(): void })._redraw
  const TrackCanvas = L.Canvas.extend({
    _redraw(this: { _ctx?: CanvasRenderingContext2D }) {
      if (this._ctx) draw.call(this)
    }
  }) as unknown as new (options: L.RendererOptions) => L.Canvas
  return new TrackCanvas({ pane: 'track', padding: 0.3 })
}

function shapeLayer({ shape, inside }: MapFence): L.Path {
  const className = inside ? 'map-fence map-fence-inside' : 'map-fence'
  const turn = ([longitude, latitude]: readonly [number, number]): [number, number] => [latitude, longitude]
  if (shape.type === 'Circle') return L.circle(turn(shape.center), { radius: shape.radiusM, className })
  if (shape.type === 'LineString')
    return L.polyline(shape.points.map(turn), { className: `${className} map-fence-line` })
  return L.polygon(
    shape.rings.map((ring) => ring.map(turn)),
    { className }
  )
}
