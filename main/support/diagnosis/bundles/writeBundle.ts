import { open, rm } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import type { BundlePartKind } from '../../../../preload/contract/support/bundles.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { createZipFile } from '../../../job/reports/zip.ts'
import { bundleFormat, bundleLimits, bundleVersion, manifestName, type Manifest, type ManifestPart } from './format.ts'

export interface NewPart {
  kind: BundlePartKind
  name: string
  /** Texts are written as UTF-8. */
  pieces: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>
  /** Known after all pieces were created. */
  facts?(): { items: number | null; from: string | null; to: string | null }
}

export type ManifestHead = Omit<Manifest, 'format' | 'version' | 'parts' | 'masked' | 'changedEntries'>

export interface NewBundle {
  /** Read after all parts were written: only then is the number of redactions known. */
  head(): ManifestHead & Pick<Manifest, 'masked' | 'changedEntries'>
  parts: AsyncIterable<NewPart> | Iterable<NewPart>
  signal: AbortSignal
  wrote?(part: ManifestPart): void
}

/**
 * Writes a support bundle, readable only by its owner and on the disk when it resolves. Throws INVALID_REQUEST if it is
 * too large to open.
 */
export async function writeBundle(file: string, { head, parts, signal, wrote }: NewBundle): Promise<Manifest> {
  const handle = await open(file, 'wx', 0o600)
  try {
    const zip = createZipFile(handle, (bytes) => {
      if (bytes > bundleLimits.fileBytes) throw new AppError('INVALID_REQUEST', message('bundles.becomesTooLarge'))
    })
    const written: ManifestPart[] = []
    const at = new Date()
    let unpackedBytes = 0
    for await (const { kind, name, pieces, facts } of parts) {
      const { bytes, sha256 } = await zip.add(name, asBytes(pieces, signal), at)
      unpackedBytes += bytes
      if (unpackedBytes > bundleLimits.unpackedBytes || written.length >= bundleLimits.parts)
        throw new AppError('INVALID_REQUEST', message('bundles.becomesTooLarge'))
      const part: ManifestPart = { name, kind, bytes, sha256, ...(facts?.() ?? { items: null, from: null, to: null }) }
      written.push(part)
      wrote?.(part)
    }
    const manifest: Manifest = { format: bundleFormat, version: bundleVersion, ...head(), parts: written }
    await zip.add(manifestName, [Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`, 'utf8')], at)
    await zip.end()
    await handle.sync()
    await handle.close()
    return manifest
  } catch (error) {
    await handle.close()
    await rm(file, { force: true })
    throw error
  }
}

const blockLength = 256 * 1024

/** Short lines are joined, so that the archive writer is called less often. */
async function* asBytes(pieces: NewPart['pieces'], signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let block: string[] = []
  let length = 0
  for await (const piece of pieces) {
    if (typeof piece !== 'string') {
      yield piece
      continue
    }
    block.push(piece)
    length += piece.length
    if (length < blockLength) continue
    yield Buffer.from(block.join(''), 'utf8')
    block = []
    length = 0
    if (signal.aborted) throw new AppError('CANCELLED', message('bundles.stopped'))
    // Yields, because code that watches an output must run first.
    await setImmediate()
  }
  if (length > 0) yield Buffer.from(block.join(''), 'utf8')
}
