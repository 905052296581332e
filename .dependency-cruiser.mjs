/** Who may import whom (docs: architecture). Type-only imports count too: they tie folders together just the same. */

const topics = 'accessories|discovery|device|gateway|jobs|operations|diagnosis|reports|store|secrets|tiles|vehicles|workspace'

/** One outside library per folder: the library, and the only folders that may import it. */
const librariesOf = [
  ['bonjour-service', '^(main/discovery|simulator)/'],
  ['multicast-dns', '^(main/discovery|simulator)/'],
  ['dns-packet', '^(main/discovery|simulator)/'],
  ['axios', '^main/(device|gateway)/'],
  ['better-sqlite3', '^main/store/'],
  ['keytar', '^main/secrets/'],
  ['pdfkit', '^main/reports/'],
  ['ws', '^(main/browserHost|simulator)/'],
  ['leaflet', '^renderer/map/'],
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
    { name: 'every-import-is-found', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'delivered-code-imports-no-development-package',
      comment: 'Such a package is missing in the packaged application. Electron itself and types are the exceptions.',
      severity: 'error',
      from: { path: '^(main|preload|renderer|simulator)/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'], pathNot: '(^|/)(electron|@types)(/|$)' }
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
      name: 'the-page-never-imports-main',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { path: '^(main|simulator|bin|test)/' }
    },
    {
      name: 'the-page-never-imports-node',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { dependencyTypes: ['core'] }
    },
    {
      name: 'the-page-takes-only-types-from-the-contract',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { path: '^preload/', dependencyTypesNot: ['type-only'] }
    },
    {
      name: 'main-never-imports-the-page',
      severity: 'error',
      from: { path: '^main/' },
      to: { path: '^(renderer|bin|test)/', pathNot: '^bin/build\\.ts$' }
    },
    {
      name: 'only-the-command-line-builds-the-page',
      comment: 'It runs from the sources, as `fitter serve` does; the packaged application has no builder.',
      severity: 'error',
      from: { path: '^main/', pathNot: '^main/cli/' },
      to: { path: '^bin/' }
    },
    {
      name: 'topics-do-not-import-each-other',
      comment: 'main/core.ts hands collaborators in. Single files beside it hold what several topics speak of.',
      severity: 'error',
      from: { path: `^main/(${topics})/` },
      to: { path: '^main/[^/]+/', pathNot: '^main/$1/' }
    },
    {
      name: 'topics-never-import-what-builds-them',
      severity: 'error',
      from: { path: `^main/(${topics})/` },
      to: { path: '^main/(core|workplace|frontEnd)\\b' }
    },
    {
      name: 'the-core-imports-no-front-end',
      severity: 'error',
      from: { path: '^main/', pathNot: '^main/(electron|browserHost|cli)/' },
      to: { path: '^main/(electron|browserHost|cli)/' }
    },
    {
      name: 'front-ends-do-not-import-each-other',
      comment: 'Except that the command line can serve the browser.',
      severity: 'error',
      from: { path: '^main/(electron|browserHost)/' },
      to: { path: '^main/(electron|browserHost|cli)/', pathNot: '^main/$1/' }
    },
    {
      name: 'the-simulator-never-imports-main',
      comment: 'It is an independent reading of the API documents: a shared mistake would hide itself.',
      severity: 'error',
      from: { path: '^simulator/' },
      to: { path: '^(main|renderer|bin|test)/' }
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
