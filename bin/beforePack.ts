import { Arch } from 'electron-builder'

/**
 * The names of the native files of a target, as a glob: `win32-x64*`. The pattern of `electron-builder.yml` that leaves
 * the others out reads it from the environment, since its own `${platform}` is the platform of this computer. Both
 * halves of a universal application have to hold the same files.
 */
export default function beforePack({ electronPlatformName, arch }: { electronPlatformName: string; arch: Arch }): void {
  process.env.FITTER_NATIVE = electronPlatformName === 'darwin' ? 'darwin-*' : `${electronPlatformName}-${Arch[arch]}*`
}
