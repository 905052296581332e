import { readdirSync, readFileSync } from 'node:fs'

/** Who may import whom (docs/architecture.md). Type-only imports count too: they tie folders together just the same. */

/** The edges between the folders of main/: the table in docs/architecture.md is their only definition. */
const table = readFileSync(new URL('docs/architecture.md', import.meta.url), 'utf8')
const edges = [...table.matchAll(/^\| `(\w+)` +\| (.*?) +\|/gm)].map(([, folder, allowed]) => ({
  folder,
  mayImport: [...allowed.matchAll(/`(\w+)`/g)].map(([, name]) => name)
}))
const foldersOfMain = readdirSync(new URL('main', import.meta.url))
for (const folder of foldersOfMain) {
  if (!edges.some((edge) => edge.folder === folder))
    throw new Error(`main/${folder} is missing in the table of docs/architecture.md`)
}
const edgeRules = edges.map(({ folder, mayImport }) => ({
  name: `main-${folder}-imports-only-what-the-table-allows`,
  comment: 'The table of permitted edges stands in docs/architecture.md.',
  severity: 'error',
  from: { path: `^main/${folder}/` },
  to: { path: '^main/', pathNot: `^main/(${[folder, ...mayImport].join('|')})/` }
}))

/** The edges between the features of the page: the table of features in docs/architecture.md is their only definition. */
const featureEdges = [...table.matchAll(/^\| `features\/(\w+)` +\| (.*?) +\|/gm)].map(([, feature, allowed]) => ({
  feature,
  mayImport: [...allowed.matchAll(/`(\w+)`/g)].map(([, name]) => name)
}))
for (const feature of readdirSync(new URL('renderer/features', import.meta.url))) {
  if (!featureEdges.some((edge) => edge.feature === feature))
    throw new Error(`renderer/features/${feature} is missing in the table of docs/architecture.md`)
}
const featureRules = featureEdges.map(({ feature, mayImport }) => ({
  name: `feature-${feature}-imports-only-what-the-table-allows`,
  comment:
    'What another feature shows is reached by a route, or by what the shell offers. The table stands in docs/architecture.md.',
  severity: 'error',
  from: { path: `^renderer/features/${feature}/` },
  to: { path: '^renderer/(features|frame)/', pathNot: `^renderer/features/(${[feature, ...mayImport].join('|')})/` }
}))

/** One outside library per folder: the library, and the only folders that may import it. */
const librariesOf = [
  ['bonjour-service', '^(main/discovery|simulator)/'],
  ['multicast-dns', '^(main/discovery|simulator)/'],
  ['dns-packet', '^(main/discovery|simulator)/'],
  ['axios', '^main/(device|gateway)/'],
  ['better-sqlite3', '^main/store/'],
  ['keytar', '^main/secrets/'],
  ['yauzl', '^main/diagnosis/bundles/'],
  ['pg', '^main/team/'],
  ['pdfkit', '^main/reports/'],
  ['ws', '^(main/browserHost|simulator)/'],
  ['intl-messageformat', '^preload/messages/'],
  ['leaflet', '^renderer/instruments/map/'],
  ['protomaps-leaflet', '^renderer/instruments/map/'],
  ['pmtiles', '^renderer/instruments/map/'],
  ['world-atlas', '^(renderer/instruments/map|main/reports)/'],
  ['uqr', '^main/reports/'],
  ['uplot', '^renderer/instruments/charts/'],
  ['@zxing/library', '^renderer/features/devices/label/'],
  ['electron', '^(main/electron/|preload/index\\.ts$)']
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
      from: { path: '^preload/messages/' },
      to: {
        pathNot: '^preload/messages/|^preload/contract/messages\\.ts$|(^|/)intl-messageformat/',
        dependencyTypesNot: ['type-only']
      }
    },
    {
      name: 'the-table-of-keys-is-pure',
      comment: 'The core checks what a person chose by the same table that the page binds.',
      severity: 'error',
      from: { path: '^preload/keys/' },
      to: { pathNot: '^preload/keys/' }
    },
    {
      name: 'the-histories-of-signals-are-pure',
      comment: 'The core keeps them and the page draws from them.',
      severity: 'error',
      from: { path: '^preload/signals/' },
      to: { pathNot: '^preload/signals/' }
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
      from: { path: '^preload/events/' },
      to: { pathNot: '^preload/events/', dependencyTypesNot: ['type-only'] }
    },
    {
      name: 'what-a-step-says-is-pure',
      comment: 'The window and the page on a phone say the same.',
      severity: 'error',
      from: { path: '^preload/jobs/' },
      to: { pathNot: '^preload/jobs/|^preload/contract/messages\\.ts$', dependencyTypesNot: ['type-only'] }
    },
    {
      name: 'the-page-takes-only-types-from-the-contract',
      comment: 'Messages become text in the page by the same code as in the core.',
      severity: 'error',
      from: { path: '^renderer/' },
      to: {
        path: '^preload/',
        pathNot:
          '^preload/(messages/|keys/|maps/|signals/|events/|jobs/|activity/|photos/|defaultSettings\\.ts$|contract/messages\\.ts$)',
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
      from: { path: '^main/', pathNot: '^main/cli/' },
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
      to: { path: '^preload/', pathNot: '^preload/contract/imei\\.ts$' }
    },
    {
      name: 'only-training-imports-the-simulator',
      comment: 'And the command line, which runs it on its own.',
      severity: 'error',
      from: { path: '^(main|preload|renderer)/', pathNot: '^main/(training|cli)/' },
      to: { path: '^simulator/' }
    },
    {
      name: 'main-holds-folders-only',
      severity: 'error',
      from: { path: '^main/[^/]+$' },
      to: {}
    },
    {
      name: 'what-every-feature-uses-knows-no-feature',
      severity: 'error',
      from: { path: '^renderer/(shell|lists|instruments|ui)/' },
      to: { path: '^renderer/(features|frame)/' }
    },
    ...edgeRules,
    ...featureRules,
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
