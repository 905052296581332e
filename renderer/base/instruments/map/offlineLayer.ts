import type L from 'leaflet'
import { PMTiles, type RangeResponse, type Source } from 'pmtiles'
import { leafletLayer } from 'protomaps-leaflet'
import type { MapColours } from './mapColours.ts'
import type { MapBase } from './mapPositions.ts'
import { labelRulesFor, paintRulesFor } from './vectorRules.ts'

/** Draws a PMTiles file, reading only the tiles in view. */
export function offlineLayer(
  base: Extract<MapBase, { kind: 'file' }>,
  colours: MapColours,
  failed: () => void
): L.GridLayer {
  const layer = leafletLayer({
    url: new PMTiles(rangesOf(base.address, failed)),
    paintRules: paintRulesFor(colours),
    labelRules: labelRulesFor(colours, base.language),
    maxDataZoom: base.maxZoom,
    maxZoom: 20,
    lang: base.language
  })
  return layer as unknown as L.GridLayer
}

/** The pieces of the file. Closing a map cancels its requests; that is not a failure. */
function rangesOf(address: string, failed: () => void): Source {
  return {
    getKey: () => address,
    async getBytes(offset, length, signal): Promise<RangeResponse> {
      try {
        const answer = await fetch(address, {
          headers: { Range: `bytes=${offset}-${offset + length - 1}` },
          ...(signal ? { signal } : {})
        })
        if (answer.status !== 206) throw new Error(`The map file was answered with ${answer.status}`)
        return { data: await answer.arrayBuffer() }
      } catch (error) {
        if (signal?.aborted !== true) failed()
        // The painter handles both as a missing tile and draws nothing.
        throw new DOMException(error instanceof Error ? error.message : String(error), 'AbortError')
      }
    }
  }
}
