import L from 'leaflet'
import type { MapColours } from './mapColours.ts'
import type { MapBase } from './mapPositions.ts'
import { drawWorld, loadWorld } from './worldOutline.ts'

/** The outline has the scale of a world map: zoomed in further, it would show the sea where a street is. */
const outlineUntilZoom = 8

/**
 * The layers of a base map in the theme's colours, lowest first; calls `failed` when a layer cannot be read. The
 * outline is under each of them.
 */
export async function makeBase(base: MapBase, colours: MapColours, failed: () => void): Promise<L.Layer[]> {
  const outline = outlineLayer(colours)
  if (base.kind === 'outline') return [outline]
  if (base.kind === 'online')
    return [outline, L.tileLayer(base.address, { maxNativeZoom: base.maxZoom, maxZoom: 20 }).on('tileerror', failed)]
  // The offline map has its own readers and painters, loaded only when such a map is used.
  const { offlineLayer } = await import('./offlineLayer.ts')
  return [outline, offlineLayer(base, colours, failed)]
}

function outlineLayer(colours: MapColours): L.GridLayer {
  const Outline = L.GridLayer.extend({
    createTile(coords: L.Coords, done: L.DoneCallback): HTMLElement {
      const canvas = document.createElement('canvas')
      const ratio = Math.min(2, window.devicePixelRatio || 1)
      canvas.width = canvas.height = 256 * ratio
      const context = canvas.getContext('2d')
      loadWorld().then(
        (world) => {
          if (context) {
            context.scale(ratio, ratio)
            drawWorld(
              context,
              world,
              { x: coords.x, y: coords.y, z: coords.z, size: 256 },
              { land: colours.land, water: colours.water, border: colours.border }
            )
          }
          done(undefined, canvas)
        },
        (error: Error) => done(error, canvas)
      )
      return canvas
    }
  }) as unknown as new (options: L.GridLayerOptions) => L.GridLayer
  return new Outline({ maxZoom: outlineUntilZoom, className: 'map-outline' })
}
