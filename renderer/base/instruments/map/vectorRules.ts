import {
  CenteredTextSymbolizer,
  LineLabelSymbolizer,
  LineSymbolizer,
  PolygonSymbolizer,
  exp,
  type Feature,
  type LabelRule,
  type PaintRule
} from 'protomaps-leaflet'
import type { MapColours } from './mapColours.ts'

/** Names of road classes in the two usual schemas (Protomaps: `kind`, OpenMapTiles: `class`). */
const mainRoads = ['highway', 'major_road', 'motorway', 'trunk', 'primary', 'secondary']
const minorRoads = ['minor_road', 'other', 'tertiary', 'minor', 'service', 'street']
const parks = [
  'park',
  'national_park',
  'protected_area',
  'nature_reserve',
  'forest',
  'wood',
  'cemetery',
  'golf_course',
  'grass',
  'village_green',
  'playground',
  'garden'
]
const yards = [
  'industrial',
  'commercial',
  'railway',
  'aerodrome',
  'school',
  'hospital',
  'university',
  'military',
  'pedestrian'
]

function kindOf(feature: Feature): string {
  const kind = feature.props['kind'] ?? feature.props['class']
  return typeof kind === 'string' ? kind : ''
}

const isOneOf = (kinds: readonly string[]) => (_zoom: number, feature: Feature) => kinds.includes(kindOf(feature))

const minorWidth = exp(1.6, [
  [11, 0.4],
  [14, 2],
  [16, 7],
  [18, 16],
  [20, 40]
])
const mainWidth = exp(1.6, [
  [5, 0.6],
  [11, 2.4],
  [14, 5],
  [16, 11],
  [18, 24],
  [20, 56]
])

/** The rules for drawing the offline map in the theme's colours: ground, water, roads over their casings, buildings. */
export function paintRulesFor(colours: MapColours): PaintRule[] {
  const fill = (dataLayer: string, color: string, kinds?: readonly string[]): PaintRule => ({
    dataLayer,
    symbolizer: new PolygonSymbolizer({ fill: color }),
    ...(kinds ? { filter: isOneOf(kinds) } : {})
  })
  const roadLayers = ['roads', 'transportation']
  const ways = (kinds: readonly string[], color: string, width: (zoom: number) => number): PaintRule[] =>
    roadLayers.map((dataLayer) => ({
      dataLayer,
      symbolizer: new LineSymbolizer({ color, width, lineCap: 'round', lineJoin: 'round' }),
      filter: isOneOf(kinds)
    }))
  return [
    fill('earth', colours.land),
    ...['landuse', 'landcover', 'park'].flatMap((layer) => [
      fill(layer, colours.yard, yards),
      fill(layer, colours.park, parks)
    ]),
    {
      dataLayer: 'water',
      symbolizer: new PolygonSymbolizer({ fill: colours.water }),
      filter: (_zoom, feature) => feature.geomType === 3
    },
    ...['water', 'waterway'].map((dataLayer): PaintRule => ({
      dataLayer,
      symbolizer: new LineSymbolizer({
        color: colours.water,
        width: exp(1.6, [
          [9, 0.5],
          [14, 2],
          [18, 10]
        ])
      }),
      filter: (_zoom, feature) => feature.geomType === 2
    })),
    ...roadLayers.map((dataLayer): PaintRule => ({
      dataLayer,
      minzoom: 14,
      symbolizer: new LineSymbolizer({ color: colours.casing, width: 1.2, dash: [3, 3] }),
      filter: isOneOf(['path', 'track'])
    })),
    ...ways(minorRoads, colours.casing, (zoom) => minorWidth(zoom) + 1.6),
    ...ways(mainRoads, colours.mainCasing, (zoom) => mainWidth(zoom) + 1.8),
    ...ways(minorRoads, colours.road, minorWidth),
    ...ways(mainRoads, colours.main, mainWidth),
    ...ways(
      ['rail'],
      colours.rail,
      exp(1.6, [
        [8, 0.4],
        [18, 4]
      ])
    ),
    fill('buildings', colours.building),
    fill('building', colours.building),
    ...['boundaries', 'boundary'].map((dataLayer): PaintRule => ({
      dataLayer,
      symbolizer: new LineSymbolizer({ color: colours.border, width: 1, dash: [6, 3] })
    }))
  ]
}

/** Names of roads, waters and places, in the person's language when the file has it. */
export function labelRulesFor(colours: MapColours, language: string): LabelRule[] {
  const labelProps = [`name:${language}`, 'name']
  const family = 'Inter Variable, sans-serif'
  const text = (color: string, size: number, weight = 500) => ({
    labelProps,
    fill: color,
    stroke: colours.land,
    width: 2.5,
    font: `${weight} ${size}px ${family}`
  })
  const onWays = (dataLayer: string, minzoom: number, kinds: readonly string[]): LabelRule => ({
    dataLayer,
    minzoom,
    symbolizer: new LineLabelSymbolizer(text(colours.label, 12)),
    filter: isOneOf(kinds)
  })
  return [
    ...['places', 'place'].flatMap((dataLayer): LabelRule[] => [
      {
        dataLayer,
        maxzoom: 6,
        symbolizer: new CenteredTextSymbolizer(text(colours.label, 13, 600)),
        filter: isOneOf(['country'])
      },
      {
        dataLayer,
        minzoom: 6,
        maxzoom: 14,
        symbolizer: new CenteredTextSymbolizer(text(colours.label, 13, 600)),
        filter: isOneOf(['locality', 'city', 'town', 'village'])
      }
    ]),
    ...['roads', 'transportation_name'].flatMap((dataLayer) => [
      onWays(dataLayer, 12, mainRoads),
      onWays(dataLayer, 16, minorRoads)
    ]),
    ...['water', 'water_name'].map((dataLayer): LabelRule => ({
      dataLayer,
      minzoom: 8,
      symbolizer: new CenteredTextSymbolizer({ ...text(colours.waterLabel, 12), stroke: colours.water }),
      filter: (_zoom, feature) => feature.geomType !== 2
    }))
  ]
}
