import { readdirSync, readFileSync } from 'node:fs'

/** Who may import whom (docs/architecture.md). Type-only imports count too: they tie folders together just the same. */

const architecture = readFileSync(new URL('docs/architecture.md', import.meta.url), 'utf8')
const foldersIn = (folder) =>
  readdirSync(new URL(folder, import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

/** The wings from top to bottom: the table in docs/architecture.md is their only definition. */
const wings = [...architecture.matchAll(/^\| `(\w+)` +\|/gm)].map(([, wing]) => wing)
for (const floor of ['main', 'renderer'])
  for (const folder of foldersIn(floor))
    if (!wings.includes(folder) && folder !== 'public')
      throw new Error(`${floor}/${folder} is no wing of docs/architecture.md`)
/** The desktop program is started as a terminal, too. */
const upward = '^main/app/electron/index\\.ts$'
const wingRules = ['main', 'renderer'].flatMap((floor) =>
  wings.slice(1).map((wing, above) => ({
    name: `${floor}-${wing}-imports-no-wing-above`,
    comment: 'The wings stand in docs/architecture.md from top to bottom.',
    severity: 'error',
    from: { path: `^${floor}/${wing}/`, pathNot: upward },
    to: { path: `^${floor}/(${wings.slice(0, above + 1).join('|')})/` }
  }))
)

/** The rooms with whom each may import: two tables in docs/architecture.md are their only definition. */
const rooms = [...architecture.matchAll(/^\| `((main|renderer)\/[\w/]+)` +\| (.*?) +\|/gm)].map(
  ([, room, floor, allowed]) => ({
    room,
    floor,
    mayImport: [...allowed.matchAll(/`([\w/]+)`/g)].map(([, name]) => `${floor}/${name}`)
  })
)
const isRoom = (path) => rooms.some(({ room }) => room === path)
for (const wing of foldersIn('main'))
  for (const folder of isRoom(`main/${wing}`) ? [] : foldersIn(`main/${wing}`))
    if (!isRoom(`main/${wing}/${folder}`))
      throw new Error(`main/${wing}/${folder} is missing in the table of docs/architecture.md`)
/** Some rooms lie in the room that is a whole wing, such as `main/app/electron` in `main/app`. */
const innerOf = (room) => rooms.flatMap((other) => (other.room.startsWith(`${room}/`) ? [other.room] : []))
const places = (list) => `^(${list.join('|')})/`
const roomRules = rooms.map(({ room, floor, mayImport }) => {
  const others = rooms.flatMap((other) =>
    other.floor === floor && other.room !== room && !mayImport.includes(other.room) ? [other.room] : []
  )
  const inner = innerOf(room)
  // What lies in a permitted room is permitted, except where that is another room.
  const permitted = [room, ...mayImport].filter((one) => others.some((other) => one.startsWith(`${other}/`)))
  return {
    name: `${room.replaceAll('/', '-')}-imports-only-what-the-table-allows`,
    comment: 'The tables of rooms stand in docs/architecture.md.',
    severity: 'error',
    from: { path: `^${room}/`, ...(inner.length > 0 && { pathNot: places(inner) }) },
    to: { path: places(others), ...(permitted.length > 0 && { pathNot: places(permitted) }) }
  }
})

/** One outside library per folder: the library, and the only folders that may import it. */
const librariesOf = [
  ['bonjour-service', '^(main/device/discovery|simulator)/'],
  ['multicast-dns', '^(main/device/discovery|simulator)/'],
  ['dns-packet', '^(main/device/discovery|simulator)/'],
  ['axios', '^main/(device|gateway)/'],
  ['better-sqlite3', '^main/data/store/'],
  ['keytar', '^main/base/secrets/'],
  ['semver', '^main/base/updates/'],
  ['yazl', '^main/job/reports/'],
  ['yauzl', '^main/support/diagnosis/bundles/'],
  ['pg', '^main/team/'],
  ['pdfkit', '^main/job/reports/'],
  ['ws', '^(main/app/browserHost|simulator)/'],
  ['intl-messageformat', '^preload/base/messages/'],
  ['leaflet', '^renderer/base/instruments/map/'],
  ['protomaps-leaflet', '^renderer/base/instruments/map/'],
  ['pmtiles', '^renderer/base/instruments/map/'],
  ['world-atlas', '^(renderer/base/instruments/map|main/job/reports)/'],
  ['uqr', '^main/job/reports/'],
  ['uplot', '^renderer/base/instruments/charts/'],
  ['@zxing/library', '^renderer/device/devices/label/'],
  ['electron', '^(main/app/electron/|preload/index\\.ts$)']
].map(([library, folders]) => ({
  name: `only-its-folder-imports-${library}`,
  severity: 'error',
  from: { path: '^(main|preload|renderer|simulator)/', pathNot: folders },
  to: { path: `(^|node_modules/)(@types/|@github/)?${library}(/|$)` }
}))

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'every-import-is-found',
      comment: 'Modules of bin/catalogues.ts and bin/guide.ts exist only while the page is built.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^virtual:fitter-' }
    },
    {
      name: 'delivered-code-imports-no-development-package',
      comment: 'Such a package is missing in the packaged application. Electron itself and types are the exceptions.',
      severity: 'error',
      from: { path: '^(main|preload|renderer|simulator)/' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only'],
        pathNot: '(^|/)(electron|@types)(/|$)'
      }
    },
    {
      name: 'the-contract-imports-only-its-schema-library',
      severity: 'error',
      from: { path: '^preload/contract/' },
      to: { pathNot: '^(preload/contract/|node_modules/zod/)' }
    },
    {
      name: 'the-preload-imports-only-electron-and-the-contract',
      severity: 'error',
      from: { path: '^preload/[^/]+\\.ts$' },
      to: { pathNot: '^preload/|(^|/)electron(/|$)' }
    },
    {
      name: 'the-formatting-of-messages-is-pure',
      comment: 'The core and the page print with it: it needs neither Node nor a browser.',
      severity: 'error',
      from: { path: '^preload/base/messages/' },
      to: {
        pathNot: '^preload/base/messages/|^preload/contract/messages\\.ts$|(^|/)intl-messageformat/',
        dependencyTypesNot: ['type-only']
      }
    },
    {
      name: 'the-table-of-keys-is-pure',
      comment: 'The core checks what a person chose by the same table that the page binds.',
      severity: 'error',
      from: { path: '^preload/app/keys/' },
      to: { pathNot: '^preload/app/keys/' }
    },
    {
      name: 'the-histories-of-signals-are-pure',
      comment: 'The core keeps them and the page draws from them.',
      severity: 'error',
      from: { path: '^preload/base/signals/' },
      to: { pathNot: '^preload/base/signals/' }
    },
    {
      name: 'the-page-never-imports-main',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { path: '^(main|simulator|bin|demo|test)/' }
    },
    {
      name: 'the-page-never-imports-node',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { dependencyTypes: ['core'] }
    },
    {
      name: 'what-is-known-of-events-is-pure',
      comment: 'The core and the page go by the same fields, conditions and limits.',
      severity: 'error',
      from: { path: '^preload/gateway/events/' },
      to: { pathNot: '^preload/gateway/events/', dependencyTypesNot: ['type-only'] }
    },
    {
      name: 'what-a-step-says-is-pure',
      comment: 'The window and the reports say the same.',
      severity: 'error',
      from: { path: '^preload/job/' },
      to: { pathNot: '^preload/job/|^preload/contract/messages\\.ts$', dependencyTypesNot: ['type-only'] }
    },
    {
      name: 'the-page-takes-only-types-from-the-contract',
      comment: 'Messages become text in the page by the same code as in the core.',
      severity: 'error',
      from: { path: '^renderer/' },
      to: {
        path: '^preload/',
        pathNot: '^preload/(base/|app/|gateway/|job/|support/|contract/messages\\.ts$)',
        dependencyTypesNot: ['type-only']
      }
    },
    {
      name: 'main-never-imports-the-page',
      severity: 'error',
      from: { path: '^main/' },
      to: { path: '^(renderer|bin|demo|test)/', pathNot: '^bin/build\\.ts$' }
    },
    {
      name: 'only-the-command-line-builds-the-page',
      comment: 'It runs from the sources, as `fitter serve` does; the packaged application has no builder.',
      severity: 'error',
      from: { path: '^main/', pathNot: '^main/terminal/' },
      to: { path: '^bin/' }
    },
    {
      name: 'the-simulator-never-imports-main',
      comment: 'It is an independent reading of the API documents: a shared mistake would hide itself.',
      severity: 'error',
      from: { path: '^simulator/' },
      to: { path: '^(main|renderer|bin|demo|test)/' }
    },
    {
      name: 'the-simulator-takes-only-the-imei-of-the-contract',
      severity: 'error',
      from: { path: '^simulator/' },
      to: { path: '^preload/', pathNot: '^preload/contract/base/imei\\.ts$' }
    },
    {
      name: 'only-training-imports-the-simulator',
      comment: 'And the command line, which runs it on its own.',
      severity: 'error',
      from: { path: '^(main|preload|renderer)/', pathNot: '^main/(job/training|terminal)/' },
      to: { path: '^simulator/' }
    },
    {
      name: 'main-holds-folders-only',
      severity: 'error',
      from: { path: '^main/[^/]+$' },
      to: {}
    },
    ...wingRules,
    ...roomRules,
    ...librariesOf
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(out|test-results)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.vue', '.json', '.d.ts']
    }
  }
}
