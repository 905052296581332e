/**
 * A polygon with its holes, in the square of the Mercator projection (0 to 1 from the north-west corner), and its
 * bounds.
 */
export interface WorldShape {
  rings: readonly Float64Array[]
  west: number
  north: number
  east: number
  south: number
}

export interface Topology {
  transform: { scale: [number, number]; translate: [number, number] }
  arcs: [number, number][][]
  objects: {
    countries: {
      geometries: (
        { type: 'Polygon'; arcs: number[][] } | { type: 'MultiPolygon'; arcs: number[][][] } | { type: null }
      )[]
    }
  }
}

/** The polygons of a TopoJSON file: neighbours share its arcs, and each point is relative to the one before. */
export function shapesOf({ transform, arcs, objects }: Topology): WorldShape[] {
  const lines = arcs.map((arc) => {
    let [x, y] = [0, 0]
    return arc.map(([dx, dy]): [number, number] => {
      x += dx
      y += dy
      return [x * transform.scale[0] + transform.translate[0], y * transform.scale[1] + transform.translate[1]]
    })
  })
  const polygons = objects.countries.geometries.flatMap((geometry) =>
    geometry.type === 'Polygon' ? [geometry.arcs] : geometry.type === 'MultiPolygon' ? geometry.arcs : []
  )
  return polygons.map((rings) => toShape(rings.map((ring) => joinArcs(ring, lines))))
}

function joinArcs(ring: readonly number[], lines: readonly (readonly [number, number][])[]): Float64Array {
  const points = ring.flatMap((number, index) => {
    // A negative number means the arc in reverse.
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

/** 0 at the west end of the world, 1 at its east end. */
export function mercatorX(longitude: number): number {
  return longitude / 360 + 0.5
}

/** 0 at the north end of the map, 1 at its south end. */
export function mercatorY(latitude: number): number {
  const sine = Math.sin((Math.max(-85.06, Math.min(85.06, latitude)) * Math.PI) / 180)
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
}
