// @module-tag long
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openBundle } from '../../../../../main/support/diagnosis/bundles/openBundle.ts'
import { AppError } from '../../../../../preload/contract/errors.ts'
import { makeBundleFile } from '../../../../world/data/bundles/bundleFile.ts'
import { exchanged, rawZip } from '../../../../world/data/bundles/hostileZips.ts'
import { fileFolder } from '../../../../world/window/installation.ts'
import { readZip } from '../../../../world/data/bundles/readZip.ts'

const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000_000)
const runs = Number(process.env['FUZZ_RUNS'] ?? 150)
const { signal } = new AbortController()

/** Numbers below one that look like chance and are the same for the same seed (mulberry32). */
function numbersOf(from: number): () => number {
  let state = from
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const folder = fileFolder()
const whole = fs.readFileSync(await makeBundleFile(folder))
const files = readZip(whole)

/** Some bytes turned, a piece taken out, doubled, or written over with bytes that mean something. */
function mutated(bytes: Buffer, next: () => number): Buffer {
  const at = (length: number): number => Math.floor(next() * length)
  const copy = Buffer.from(bytes)
  const from = at(bytes.length)
  const length = 1 + at(Math.min(200, bytes.length - from))
  switch (at(5)) {
    case 0:
      for (let n = 1 + at(8); n > 0; n -= 1) copy[at(copy.length)] = at(256)
      return copy
    case 1:
      return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + length)])
    case 2:
      return Buffer.concat([bytes.subarray(0, from + length), bytes.subarray(from)])
    case 3:
      return bytes.subarray(0, from)
    default: {
      const words = [
        '{}',
        '[]',
        'null',
        '""',
        '1e999',
        '"__proto__":',
        '\u0000',
        '"\\ud800"',
        '-1',
        'true',
        '{"id":"plain.text","values":{}}',
        'PK\u0001\u0002',
        '\uffff'
      ]
      copy.write(words[at(words.length)] ?? '', from, 'utf8')
      return copy
    }
  }
}

/** Opened and read to the end, or refused with a sentence; anything else is a fault. */
async function outcomeOf(file: string): Promise<'opened' | 'refused'> {
  try {
    const bundle = await openBundle(file, { signal })
    try {
      await Promise.all([
        bundle.entries(),
        bundle.operations(),
        bundle.deviceWrites(),
        bundle.timeline(),
        bundle.snapshots(),
        bundle.recording(),
        bundle.answers(),
        bundle.faults()
      ])
      for (const { sha256 } of bundle.photos) await bundle.photo(sha256)
      for (const { name, kind } of bundle.manifest.parts) if (kind !== 'photo') await bundle.text(name, 0)
    } finally {
      await bundle.close()
    }
    return 'opened'
  } catch (error) {
    if (error instanceof AppError && error.code === 'INVALID_REQUEST') return 'refused'
    throw error
  }
}

test(
  'a bundle with anything changed in it is read or refused, and never brings Fitter down',
  { timeout: 45_000 + runs * 200 },
  async () => {
    process.stdout.write(`Fuzzed support bundles: FUZZ_SEED=${seed}\n`)
    const next = numbersOf(seed)
    const file = path.join(folder, 'changed.zip')
    const outcomes = { opened: 0, refused: 0 }
    for (let run = 0; run < runs; run += 1) {
      fs.writeFileSync(file, mutated(whole, next))
      outcomes[await outcomeOf(file)] += 1
      // Whoever attacks can compute hashes: only the form of a part keeps it out then.
      const names = [...files.keys()]
      const name = names[Math.floor(next() * names.length)] ?? ''
      fs.writeFileSync(
        file,
        rawZip({ entries: exchanged(files, { [name]: mutated(files.get(name) ?? Buffer.alloc(1), next) }) })
      )
      outcomes[await outcomeOf(file)] += 1
    }
    expect(outcomes.opened + outcomes.refused).toBe(runs * 2)
    expect(outcomes.refused).toBeGreaterThan(runs)
    expect(fs.readdirSync(folder).sort()).toEqual(['bundle.zip', 'changed.zip'])
  }
)
