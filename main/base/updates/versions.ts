/** A version as semver 2.0.0 defines it. */
export interface Version {
  numbers: readonly [number, number, number]
  /** `beta`, `1` of `1.5.0-beta.1`; empty for a stable version. */
  pre: readonly string[]
}

const form =
  /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})(?:-((?:0|[1-9]\d*|\d*[a-z-][0-9a-z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-z-][0-9a-z-]*))*))?$/i

/** Undefined for anything that is not an exact version. Build metadata is not used and not accepted. */
export function parseVersion(text: string): Version | undefined {
  const [, major, minor, patch, pre] = (text.length <= 80 && form.exec(text)) || []
  return major === undefined
    ? undefined
    : { numbers: [Number(major), Number(minor), Number(patch)], pre: pre === undefined ? [] : pre.split('.') }
}

/** Negative when `one` is older than `other`. */
export function compareVersions(one: Version, other: Version): number {
  for (const [at, number] of one.numbers.entries()) {
    const difference = number - (other.numbers[at] ?? 0)
    if (difference !== 0) return difference
  }
  if (one.pre.length === 0 || other.pre.length === 0) return other.pre.length - one.pre.length
  for (const [at, part] of one.pre.entries()) {
    const beside = other.pre[at]
    if (beside === undefined) return 1
    const difference = comparePre(part, beside)
    if (difference !== 0) return difference
  }
  return one.pre.length - other.pre.length
}

function comparePre(one: string, other: string): number {
  const [isNumber, isOtherNumber] = [one, other].map((part) => /^\d+$/.test(part))
  if (isNumber && isOtherNumber) return Number(one) - Number(other)
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
  return one === other ? 0 : one < other ? -1 : 1
}

/** Whether a version is allowed by a pin: `1.4.2`, `1.4.x` or `1.x`. */
export function matchesPin(version: string, pin: string): boolean {
  if (!pin.endsWith('x')) return version === pin
  return !version.includes('-') && version.startsWith(pin.slice(0, pin.indexOf('x')))
}
