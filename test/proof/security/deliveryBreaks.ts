import type { SecurityBreak } from './breaks.ts'

const fuses = 'test/device/integration/fuses.test.ts'
const chain = 'test/project/unit/bin/supplyChain.test.ts'
const hook = 'bin/afterPack.ts'
const packed = [fuses, 'is packed with %s: %s'] as const

const fuse = (rule: string, name: string, isOn: boolean): SecurityBreak => ({
  rule,
  file: hook,
  from: `[FuseV1Options.${name}]: ${isOn}`,
  to: `[FuseV1Options.${name}]: ${!isOn}`,
  caughtBy: packed
})

const fuseBreaks: SecurityBreak[] = [
  fuse('Fuse: the program is no Node', 'RunAsNode', false),
  fuse('Fuse: cookies are encrypted', 'EnableCookieEncryption', true),
  fuse('Fuse: NODE_OPTIONS has no effect', 'EnableNodeOptionsEnvironmentVariable', false),
  fuse('Fuse: --inspect has no effect', 'EnableNodeCliInspectArguments', false),
  fuse('Fuse: the archive is verified', 'EnableEmbeddedAsarIntegrityValidation', true),
  fuse('Fuse: nothing is loaded from outside of the archive', 'OnlyLoadAppFromAsar', true),
  fuse('Fuse: one snapshot of V8', 'LoadBrowserProcessSpecificV8Snapshot', false),
  fuse('Fuse: file: has no privileges', 'GrantFileProtocolExtraPrivileges', false),
  fuse('Fuse: traps of WebAssembly', 'WasmTrapHandlers', true),
  {
    rule: 'A fuse that nobody decided about fails the build',
    file: hook,
    from: 'strictlyRequireAllFuses: true',
    to: 'strictlyRequireAllFuses: false',
    caughtBy: [fuses, 'when this Electron has a fuse that nobody decided about']
  },
  {
    rule: 'A fuse that was removed fails the build',
    file: hook,
    from: '  await refuseRemovedFuses(program)\n',
    to: '  void refuseRemovedFuses\n',
    caughtBy: [fuses, 'when a fuse was removed from the program']
  },
  {
    rule: 'The build sets the fuses',
    file: 'electron-builder.yml',
    from: 'afterPack: ./bin/afterPack.ts',
    to: '# afterPack: ./bin/afterPack.ts',
    caughtBy: [fuses, 'packaging runs this hook']
  }
]

const chainBreaks: SecurityBreak[] = [
  {
    rule: 'Install scripts run by decision',
    file: 'package.json',
    from: '"better-sqlite3": false',
    to: '"better-sqlite3": true',
    caughtBy: [chain, 'install scripts run for these packages only']
  },
  {
    rule: 'Every install script is decided about',
    file: 'package.json',
    from: '    "electron-winstaller": false\n',
    to: '    "electron-winstaller-of-others": false\n',
    caughtBy: [chain, 'every package with an install script is decided about']
  },
  {
    rule: 'The lockfile names no address',
    file: 'package-lock.json',
    from: '    "node_modules/zod": {\n',
    to: '    "node_modules/zod": {\n      "resolved": "https://attacker.example/zod.tgz",\n',
    caughtBy: [chain, 'the lockfile names no address']
  },
  {
    rule: 'npm adds no address',
    file: '.npmrc',
    from: 'omit-lockfile-registry-resolved=true',
    to: 'omit-lockfile-registry-resolved=false',
    caughtBy: [chain, 'the lockfile names no address']
  },
  {
    rule: 'Versions are exact',
    file: 'package.json',
    from: '"zod": "',
    to: '"zod": "^',
    caughtBy: [chain, 'every own dependency has one exact version']
  },
  {
    rule: 'A package has its bill of materials',
    file: hook,
    from: '  await writeBillOfMaterials(',
    to: '  void (',
    caughtBy: [fuses, 'packaging runs this hook, and the hook writes the bill of materials']
  },
  {
    rule: 'The bill of materials has hashes',
    file: 'bin/deliveredPackages.ts',
    from: '{ hashes: [readHash(integrity)] }',
    to: '{}',
    caughtBy: [fuses, 'packaging runs this hook, and the hook writes the bill of materials']
  },
  {
    rule: 'macOS grants nothing else',
    file: 'resources/packaging/entitlements.mac.plist',
    from: '    <key>com.apple.security.device.camera</key>\n',
    to: '    <key>com.apple.security.cs.disable-library-validation</key>\n    <true/>\n    <key>com.apple.security.device.camera</key>\n',
    caughtBy: [chain, 'macOS grants just-in-time code and the camera']
  },
  {
    rule: 'The installer calls netsh by its full path',
    file: 'resources/packaging/installer.nsh',
    from: `'"$SYSDIR\\netsh.exe" advfirewall firewall delete`,
    to: `'netsh advfirewall firewall delete`,
    caughtBy: [chain, 'the Windows installer calls programs by their full path']
  }
]

/** What is delivered: fuses, packages, lockfile, bill of materials. */
export const deliveryBreaks: readonly SecurityBreak[] = [...fuseBreaks, ...chainBreaks]
