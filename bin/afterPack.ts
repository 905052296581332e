import { flipFuses, FuseState, FuseV1Options, FuseVersion, getCurrentFuseWire } from '@electron/fuses'
import { join } from 'node:path'
import { writeBillOfMaterials } from './deliveredPackages.ts'

/** The arguments that electron-builder passes to this hook, after packing the application and before signing it. */
export interface PackContext {
  appOutDir: string
  electronPlatformName: string
  packager: { projectDir: string; appInfo: { productFilename: string }; executableName?: string }
}

/**
 * Every fuse of this Electron; one that is missing here or cannot be set fails the build (electron-builder's own list
 * is older).
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

function findResources({ appOutDir, electronPlatformName, packager }: PackContext): string {
  return electronPlatformName === 'darwin'
    ? join(appOutDir, `${packager.appInfo.productFilename}.app`, 'Contents', 'Resources')
    : join(appOutDir, 'resources')
}

/** Electron writes a fuse that it no longer supports anyway, with only a warning. */
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
    // macOS alone has the program for it; a package made elsewhere is signed later.
    resetAdHocDarwinSignature: context.electronPlatformName === 'darwin' && process.platform === 'darwin',
    ...wantedFuses
  })
  await writeBillOfMaterials(context.packager.projectDir, join(findResources(context), 'bill-of-materials.cdx.json'))
}
