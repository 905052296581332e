import worldAddress from 'world-atlas/countries-50m.json?url'
import { shapesOf, type Topology, type WorldShape } from '../../../../preload/base/maps/worldShapes.ts'

let kept: Promise<WorldShape[]> | undefined

/** The countries of the world, shared by all maps. Part of the application: nothing is fetched. */
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

export interface OutlineColours {
  land: string
  water: string
  border: string
}

/** Draws one square of the world, `size` pixels wide, where the whole world is `2 ** z` squares wide. */
export function drawWorld(
  context: CanvasRenderingContext2D,
  world: readonly WorldShape[],
  tile: { x: number; y: number; z: number; size: number },
  colours: OutlineColours
): void {
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
    const isOutside =
      shape.east < left / scale - margin ||
      shape.west > (left + size) / scale + margin ||
      shape.south < top / scale - margin ||
      shape.north > (top + size) / scale + margin
    if (isOutside) continue
    const filled = new Path2D()
    const drawn = new Path2D()
    for (const ring of shape.rings) addRing({ filled, drawn }, ring, { scale, left, top })
    context.fill(filled, 'evenodd')
    context.stroke(drawn)
  }
}

/** The seam at 180 degrees is the edge of the paper, not of a country: filled, but not stroked. */
function addRing(
  { filled, drawn }: { filled: Path2D; drawn: Path2D },
  ring: Float64Array,
  { scale, left, top }: { scale: number; left: number; top: number }
): void {
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
