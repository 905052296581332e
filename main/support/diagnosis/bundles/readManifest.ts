import type { Json } from '../../../../preload/contract/define.ts'
import { message } from '../../../../preload/contract/messages.ts'
import {
  bundleFormat,
  bundleLimits,
  bundleVersion,
  manifest,
  manifestName,
  partKinds,
  type Manifest,
  type ManifestPart
} from './format.ts'
import { refusal, type ZipReader } from './zipReader.ts'

type Fields = Record<string, Json>

/** Migrations between versions: the first one turns a manifest of version 1 into version 2, and so on. */
const steps: readonly ((older: Fields) => Fields)[] = []

/**
 * The manifest in the current form. Throws INVALID_REQUEST for a file that is not a manifest, or of a later version.
 */
export function readManifest(value: Json): Manifest {
  if (value === null || typeof value !== 'object' || Array.isArray(value) || value['format'] !== bundleFormat)
    throw refusal(message('bundles.notABundle'))
  const { version } = value
  if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 1)
    throw refusal(message('bundles.damaged', { part: manifestName }))
  if (version > bundleVersion) throw refusal(message('bundles.newer', { version }))
  const present = steps.slice(version - 1).reduce<Fields>((older, step) => step(older), value)
  const read = manifest.safeParse(present)
  if (!read.success) throw refusal(message('bundles.damaged', { part: manifestName }), read.error)
  return read.data
}

/** The manifest lists exactly the files in the archive, and none of them exceeds the limit of its kind. */
export function checkParts({ parts }: Manifest, sizes: ZipReader['sizes']): Map<string, ManifestPart> {
  const byName = new Map<string, ManifestPart>()
  const kinds = new Set<string>()
  for (const part of parts) {
    const { name, kind, bytes } = part
    const { name: pattern, form } = partKinds[kind]
    const isSecond = form !== 'picture' && kind !== 'snapshot' && kinds.has(kind)
    if (isSecond || byName.has(name) || !pattern.test(name)) throw refusal(message('bundles.strangeFile'))
    if (!sizes.has(name)) throw refusal(message('bundles.partMissing'))
    if (sizes.get(name) !== bytes) throw refusal(message('bundles.damaged', { part: name }))
    if (bytes > mostBytes[form]) throw refusal(message('bundles.tooLarge'))
    kinds.add(kind)
    byName.set(name, part)
  }
  // The manifest does not list itself.
  const unknown = [...sizes.keys()].find((name) => name !== manifestName && !byName.has(name))
  if (unknown !== undefined) throw refusal(message('bundles.unknownFile', { name: unknown }))
  return byName
}

const mostBytes = {
  json: bundleLimits.jsonBytes,
  text: bundleLimits.manifestBytes,
  lines: bundleLimits.linesBytes,
  picture: bundleLimits.pictureBytes
} as const
