import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { openBundle } from '../../../main/support/diagnosis/bundles/openBundle.ts'
import type { NewPart } from '../../../main/support/diagnosis/bundles/writeBundle.ts'
import { sha256Hex } from '../../../main/data/store/jobs/seal.ts'
import { bundleParts, makeBundleFile } from '../../world/data/bundles/bundleFile.ts'
import { jpegPicture, withSegments } from '../../world/data/pictures.ts'
import { readZip } from '../../world/data/bundles/readZip.ts'

const goalMs = 2_000

/**
 * A bundle of this size, most of it photos, and the rest what was seen over time: opened, beside a bare unpacking of
 * the same.
 */
export async function benchBundle({
  megabytes,
  rounds,
  say
}: {
  megabytes: number
  rounds: number
  say(text: string): void
}): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fitter-bench-'))
  try {
    const file = await makeBundleFile(folder, {
      parts: [...(await bundleParts()), ...largeParts(megabytes * 1_000_000)]
    })
    const [opened, unpacked]: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round += 1) {
      unpacked.push(await timed(() => Promise.resolve(readZip(fs.readFileSync(file)))))
      opened.push(
        await timed(async () => {
          const bundle = await openBundle(file, { signal: AbortSignal.timeout(60_000) })
          if (!bundle.job || !bundle.evidence || (await bundle.entries()).length === 0)
            throw new Error('The bundle is not whole')
          await bundle.close()
        })
      )
    }
    const [openMs, unpackMs] = [median(opened), median(unpacked)]
    const sizeMb = (fs.statSync(file).size / 1_000_000).toFixed(1)
    say(
      `A support bundle of ${sizeMb} MB opens, each part held against its hash: ${Math.round(openMs)} ms (goal under ${goalMs} ms); unpacked bare: ${Math.round(unpackMs)} ms; ratio ${(openMs / unpackMs).toFixed(2)}`
    )
    if (openMs >= goalMs) process.exitCode = 1
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** Three quarters photos, which nothing packs any smaller; the rest readings, which pack to a tenth. */
function largeParts(bytes: number): NewPart[] {
  const picture = jpegPicture()
  const photos = Array.from({ length: Math.ceil((bytes * 0.75) / 3_000_000) }, (): NewPart => {
    const segments = Array.from({ length: 46 }, () => ({ marker: 0xe5, content: randomBytes(65_000) }))
    const photo = withSegments(picture, segments)
    return { kind: 'photo', name: `photos/${sha256Hex(photo)}.jpg`, pieces: [photo] }
  })
  return [...photos, { kind: 'answers', name: 'answers.jsonl', pieces: readings(bytes * 0.2 * 3) }]
}

function* readings(bytes: number): Generator<string> {
  let written = 0
  for (let n = 0; written < bytes; n += 1) {
    const output = {
      nowMs: 1_795_000_000_000 + n * 1_000,
      points: Array.from({ length: 40 }, (_, index) => [
        n * 40 + index,
        Math.sin(n * 40 + index),
        -74 - Math.random() / 100
      ])
    }
    const line = `${JSON.stringify({ call: 'workspace.track', input: {}, output, readAt: '2026-11-20T16:29:58.000Z' })}\n`
    written += line.length
    yield line
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
