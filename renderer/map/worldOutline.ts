import worldAddress from 'world-atlas/countries-50m.json?url'

/** A polygon with its holes, in the square of the Mercator projection (0 to 1 from the north-west corner), and what it spans. */
export interface WorldShape {
  rings: readonly Float64Array[]
  west: number
  north: number
  east: number
  south: number
}

/** The parts of a TopoJSON file that are read here. */
interface Topology {
  transform: { scale: [number, number]; translate: [number, number] }
  arcs: [number, number][][]
  objects: { countries: { geometries: ({ type: 'Polygon'; arcs: number[][] } | { type: 'MultiPolygon'; arcs: number[][][] } | { type: null })[] } }
}

let kept: Promise<WorldShape[]> | undefined

/** The countries of the world, once for all maps. It comes with the application, nothing is asked outside. */
export function loadWorld(): Promise<WorldShape[]> {
  kept ??= readWorld().catch((error: unknown) => {
    // The next map tries again.
    kept = undefined
    throw error
  })
  return kept
}

async function readWorld(): Promise<WorldShape[]> {
  const answer = await fetch(worldAddress)
  return shapesOf((await answer.json()) as Topology)
}

/** The polygons of a TopoJSON file: its arcs are shared by neighbours, and each point counts from the one before. */
export function shapesOf({ transform, arcs, objects }: Topology): WorldShape[] {
  const lines = arcs.map((arc) => {
    let [x, y] = [0, 0]
    return arc.map(([dx, dy]): [number, number] => {
      x += dx
      y += dy
      return [x * transform.scale[0] + transform.translate[0], y * transform.scale[1] + transform.translate[1]]
    })
  })
  const polygons = objects.countries.geometries.flatMap((geometry) => (geometry.type === 'Polygon' ? [geometry.arcs] : geometry.type === 'MultiPolygon' ? geometry.arcs : []))
  return polygons.map((rings) => toShape(rings.map((ring) => joinArcs(ring, lines))))
}

function joinArcs(ring: readonly number[], lines: readonly (readonly [number, number][])[]): Float64Array {
  const points = ring.flatMap((number, index) => {
    // A negative number is that arc backwards.
    const line = number < 0 ? (lines[~number] ?? []).toReversed() : (lines[number] ?? [])
    return index === 0 ? line : line.slice(1)
  })
  return Float64Array.from(points.flatMap(([longitude, latitude]) => [mercatorX(longitude), mercatorY(latitude)]))
}

function toShape(rings: Float64Array[]): WorldShape {
  const shape = { rings, west: 1, north: 1, east: 0, south: 0 }
  for (const [index, value] of (rings[0] ?? []).entries()) {
    if (index % 2 === 0) {
      shape.west = Math.min(shape.west, value)
      shape.east = Math.max(shape.east, value)
    } else {
      shape.north = Math.min(shape.north, value)
      shape.south = Math.max(shape.south, value)
    }
  }
  return shape
}

function mercatorX(longitude: number): number {
  return longitude / 360 + 0.5
}

function mercatorY(latitude: number): number {
  const sine = Math.sin((Math.max(-85.06, Math.min(85.06, latitude)) * Math.PI) / 180)
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
}

export interface OutlineColours {
  land: string
  water: string
  border: string
}

/** Draws one square of the world, `size` pixels wide, where the whole world is `2 ** z` squares wide. */
export function drawWorld(context: CanvasRenderingContext2D, world: readonly WorldShape[], tile: { x: number; y: number; z: number; size: number }, colours: OutlineColours): void {
  const { x, y, z, size } = tile
  const scale = size * 2 ** z
  const [left, top] = [x * size, y * size]
  const margin = 2 / scale
  context.fillStyle = colours.water
  context.fillRect(0, 0, size, size)
  context.fillStyle = colours.land
  context.strokeStyle = colours.border
  context.lineWidth = 1
  context.lineJoin = 'round'
  for (const shape of world) {
    const isOutside = shape.east < left / scale - margin || shape.west > (left + size) / scale + margin || shape.south < top / scale - margin || shape.north > (top + size) / scale + margin
    if (isOutside) continue
    const filled = new Path2D()
    const drawn = new Path2D()
    for (const ring of shape.rings) addRing({ filled, drawn }, ring, { scale, left, top })
    context.fill(filled, 'evenodd')
    context.stroke(drawn)
  }
}

/** The seam at 180 degrees is the edge of the paper, not of a country: it is filled up to, but not drawn. */
function addRing({ filled, drawn }: { filled: Path2D; drawn: Path2D }, ring: Float64Array, { scale, left, top }: { scale: number; left: number; top: number }): void {
  let isPenUp = true
  let [lastX, lastY, lastOnSeam] = [Infinity, Infinity, false]
  for (let index = 0; index + 1 < ring.length; index += 2) {
    const worldX = ring[index] ?? 0
    const x = worldX * scale - left
    const y = (ring[index + 1] ?? 0) * scale - top
    const isLast = index + 3 >= ring.length
    if (index > 0 && !isLast && Math.abs(x - lastX) < 0.5 && Math.abs(y - lastY) < 0.5) continue
    const isOnSeam = worldX < 1e-6 || worldX > 1 - 1e-6
    if (index === 0) filled.moveTo(x, y)
    else filled.lineTo(x, y)
    if (isPenUp || (isOnSeam && lastOnSeam)) drawn.moveTo(x, y)
    else drawn.lineTo(x, y)
    isPenUp = false
    ;[lastX, lastY, lastOnSeam] = [x, y, isOnSeam]
  }
  filled.closePath()
}
