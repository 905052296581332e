import { flipFuses, FuseState, FuseV1Options, FuseVersion, getCurrentFuseWire } from '@electron/fuses'
import { join } from 'node:path'
import { writeBillOfMaterials } from './deliveredPackages.ts'

/** What electron-builder tells after it has put the application together, before it is signed and packed. */
export interface PackContext {
  appOutDir: string
  electronPlatformName: string
  packager: { projectDir: string; appInfo: { productFilename: string }; executableName?: string }
}

/**
 * Every fuse of this Electron, one by one: a new one that is not named here, or one that can't be set, fails the build.
 * (electron-builder's own `electronFuses` knows an older list.)
 */
const wantedFuses = {
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableCookieEncryption]: true,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  [FuseV1Options.WasmTrapHandlers]: true
} as const

function findProgram({ appOutDir, electronPlatformName, packager }: PackContext): string {
  const product = packager.appInfo.productFilename
  if (electronPlatformName === 'darwin') return join(appOutDir, `${product}.app`)
  if (electronPlatformName === 'win32') return join(appOutDir, `${product}.exe`)
  return join(appOutDir, packager.executableName ?? product)
}

/** A fuse that this Electron no longer obeys can be written all the same, with a mere warning. */
async function refuseRemovedFuses(program: string): Promise<void> {
  const wire = (await getCurrentFuseWire(program)) as Partial<Record<FuseV1Options, FuseState>>
  for (const fuse of Object.keys(wantedFuses).map(Number) as FuseV1Options[]) {
    if (wire[fuse] !== FuseState.REMOVED) continue
    throw new Error(`This Electron no longer has the fuse ${FuseV1Options[fuse]}: it can not be set.`)
  }
}

export default async function afterPack(context: PackContext): Promise<void> {
  const program = findProgram(context)
  await refuseRemovedFuses(program)
  await flipFuses(program, {
    version: FuseVersion.V1,
    strictlyRequireAllFuses: true,
    resetAdHocDarwinSignature: context.electronPlatformName === 'darwin',
    ...wantedFuses
  })
  await writeBillOfMaterials(context.packager.projectDir, join(context.appOutDir, 'bill-of-materials.cdx.json'))
}
