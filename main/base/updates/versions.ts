import { parse, type SemVer } from 'semver'

/** Undefined for anything that is not an exact version. Build metadata is not used and not accepted. */
export function parseVersion(text: string): SemVer | undefined {
  const version = text.length <= 80 ? parse(text) : null
  return version?.version === text ? version : undefined
}
