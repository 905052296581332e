import { deflateRawSync } from 'node:zlib'
import { exchanged, rawZip, withManifest, type RawEntry } from './hostileZips.ts'
import { pngPicture } from '../pictures.ts'

export interface BundleAttack {
  name: string
  file(files: ReadonlyMap<string, Buffer>): Buffer
  /** The sentence that refuses it. */
  refusal: string
}

const photoOf = (files: ReadonlyMap<string, Buffer>): string =>
  [...files.keys()].find((name) => name.startsWith('photos/')) ?? ''
const asEntries = (files: ReadonlyMap<string, Buffer>): RawEntry[] =>
  [...files].map(([name, content]) => ({ name, content, isPacked: true }))
const changedEntry = (files: ReadonlyMap<string, Buffer>, name: string, change: Partial<RawEntry>): RawEntry[] =>
  asEntries(files).map((entry) => (entry.name === name ? { ...entry, ...change } : entry))
const text = (files: ReadonlyMap<string, Buffer>, name: string): string => String(files.get(name))
const zip = (entries: RawEntry[]): Buffer => rawZip({ entries })

/** Puts something into the evidence where any JSON may stand, as it is written. */
function inEvidence(files: ReadonlyMap<string, Buffer>, json: string): Buffer {
  return zip(
    exchanged(files, { 'evidence.json': text(files, 'evidence.json').replace('"imei":', `"more":${json},"imei":`) })
  )
}

function bomb(bytes: number): Buffer {
  return deflateRawSync(Buffer.alloc(bytes, 0x20), { level: 9 })
}

function locator64(offset: bigint): Buffer {
  const record = Buffer.alloc(56)
  record.writeUInt32LE(0x06064b50, 0)
  record.writeBigUInt64LE(44n, 4)
  record.writeBigUInt64LE(1_000_000n, 24)
  record.writeBigUInt64LE(1_000_000n, 32)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(offset, 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([record, locator])
}

function extra64(...values: bigint[]): Buffer {
  const extra = Buffer.alloc(4 + values.length * 8)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(values.length * 8, 2)
  values.forEach((value, index) => extra.writeBigUInt64LE(value, 4 + index * 8))
  return extra
}

/** A PNG that claims to be larger than any camera makes one. */
function endlessPng(): Buffer {
  const picture = Buffer.from(pngPicture())
  picture.writeUInt32BE(60_000, 16)
  picture.writeUInt32BE(60_000, 20)
  return picture
}

function withoutLastLine(lines: string): string {
  return lines.slice(0, lines.lastIndexOf('\n', lines.length - 2) + 1)
}

export const bundleAttacks: BundleAttack[] = [
  { name: 'an empty file', file: () => Buffer.alloc(0), refusal: 'bundles.notABundle' },
  { name: 'a text', file: () => Buffer.from('This is no archive.'.repeat(10)), refusal: 'bundles.notABundle' },
  {
    name: 'an archive without a manifest',
    file: (files) => zip(asEntries(files).filter(({ name }) => name !== 'manifest.json')),
    refusal: 'bundles.notABundle'
  },
  {
    name: 'the manifest of something else',
    file: (files) => zip(withManifest(files, (manifest) => (manifest['format'] = 'other'))),
    refusal: 'bundles.notABundle'
  },
  {
    name: 'a newer form',
    file: (files) => zip(withManifest(files, (manifest) => (manifest.version = 2))),
    refusal: 'bundles.newer'
  },
  {
    name: 'a form before the first',
    file: (files) => zip(withManifest(files, (manifest) => (manifest.version = 0))),
    refusal: 'bundles.damaged'
  },
  {
    name: 'a form that is no number',
    file: (files) => zip(withManifest(files, (manifest) => (manifest.version = '1'))),
    refusal: 'bundles.damaged'
  },
  {
    name: 'a manifest with more in it',
    file: (files) => zip(withManifest(files, (manifest) => (manifest['more'] = true))),
    refusal: 'bundles.damaged'
  },
  {
    name: 'a manifest that is a list',
    file: (files) => zip(exchanged(files, { 'manifest.json': '[]' })),
    refusal: 'bundles.notABundle'
  },
  {
    name: 'a manifest without an end',
    file: (files) => zip(exchanged(files, { 'manifest.json': `${' '.repeat(3_000_000)}{}` })),
    refusal: 'bundles.tooLarge'
  },
  { name: 'half of a bundle', file: (files) => zip(asEntries(files)).subarray(0, 4_000), refusal: 'bundles.cutOff' },
  {
    name: 'a bundle without its last byte',
    file: (files) => zip(asEntries(files)).subarray(0, -1),
    refusal: 'bundles.cutOff'
  },
  {
    name: 'bytes behind its end',
    file: (files) => rawZip({ entries: asEntries(files), behind: Buffer.from('more') }),
    refusal: 'bundles.cutOff'
  },
  {
    name: 'bytes before its beginning',
    file: (files) => rawZip({ entries: asEntries(files), before: Buffer.from('#!/bin/sh\n') }),
    refusal: 'bundles.notABundle'
  },
  {
    name: 'a wrong checksum',
    file: (files) => zip(changedEntry(files, 'job.json', { checksum: 1 })),
    refusal: 'bundles.damaged'
  },
  {
    name: 'a part that was changed, with its checksum',
    file: (files) =>
      zip(
        changedEntry(files, 'versions.json', {
          content: Buffer.from(text(files, 'versions.json').replace('24.21.0', '24.21.1'))
        })
      ),
    refusal: 'bundles.damaged'
  },
  {
    name: 'a part that unpacks to more than it says',
    file: (files) => zip(changedEntry(files, 'job.json', { bytes: 100 })),
    refusal: 'bundles.damaged'
  },
  {
    name: 'a part that unpacks to less than it says',
    file: (files) => zip(changedEntry(files, 'README.txt', { packed: deflateRawSync(Buffer.from('short')) })),
    refusal: 'bundles.damaged'
  },
  {
    name: 'packed bytes that are none',
    file: (files) => zip(changedEntry(files, 'job.json', { packed: Buffer.alloc(500, 0xff) })),
    refusal: 'bundles.cutOff'
  },
  {
    name: 'a bomb that says its size',
    file: (files) => zip(changedEntry(files, 'job.json', { packed: bomb(1_000_000), bytes: 0xffff_fff0 })),
    refusal: 'bundles.tooLarge'
  },
  {
    name: '10 GB of JSON, said in 64 bits',
    file: (files) => zip(changedEntry(files, 'job.json', { bytes: 0xffff_ffff, extra: extra64(10_000_000_000n) })),
    refusal: 'bundles.tooLarge'
  },
  {
    name: 'a bomb with hashes that fit, larger than a part may be',
    file(files) {
      const bytes = 65_000_000
      const packed = bomb(bytes)
      const entries = withManifest(files, ({ parts }) =>
        Object.assign(parts.find(({ name }) => name === 'evidence.json') ?? {}, { bytes })
      )
      return zip(entries.map((entry) => (entry.name === 'evidence.json' ? { ...entry, packed, bytes } : entry)))
    },
    refusal: 'bundles.tooLarge'
  },
  {
    name: 'many names for the same bytes',
    file: (files) => zip([...asEntries(files), { name: 'snapshots/2.json', content: Buffer.from('{}'), at: 0 }]),
    refusal: 'bundles.overlapping'
  },
  {
    name: 'a file inside of another',
    file(files) {
      const inner = zip([{ name: 'snapshots/2.json', content: Buffer.from('{}') }]).subarray(0, 60)
      return zip([
        { name: 'README.txt', content: inner },
        ...asEntries(files).filter(({ name }) => name !== 'README.txt'),
        { name: 'snapshots/2.json', content: Buffer.from('{}'), at: 40 }
      ])
    },
    refusal: 'bundles.overlapping'
  },
  {
    name: 'a file that lies in the directory',
    file: (files) =>
      zip([
        ...asEntries(files),
        { name: 'snapshots/2.json', content: Buffer.from('{}'), packedBytes: 500, bytes: 500 }
      ]),
    refusal: 'bundles.overlapping'
  },
  {
    name: 'a directory that is not where it should be',
    file: (files) => rawZip({ entries: asEntries(files), directoryAt: 30 }),
    refusal: 'bundles.cutOff'
  },
  {
    name: 'the same name twice',
    file: (files) => zip([...asEntries(files), { name: 'job.json', content: Buffer.from('{}') }]),
    refusal: 'bundles.strangeFile'
  },
  {
    name: 'a path that climbs',
    file: (files) => zip([...asEntries(files), { name: '../../../outside.json', content: Buffer.from('{}') }]),
    refusal: 'bundles.unknownFile'
  },
  {
    name: 'a path that climbs in the middle',
    file: (files) => zip([...asEntries(files), { name: 'snapshots/../../outside.json', content: Buffer.from('{}') }]),
    refusal: 'bundles.unknownFile'
  },
  {
    name: 'a path from the root',
    file: (files) => zip([...asEntries(files), { name: '/etc/passwd', content: Buffer.from('x') }]),
    refusal: 'bundles.unknownFile'
  },
  {
    name: 'a path of Windows',
    file: (files) => zip([...asEntries(files), { name: '..\\..\\outside.json', content: Buffer.from('x') }]),
    refusal: 'bundles.unknownFile'
  },
  {
    name: 'a name that differs by its separator alone',
    file: (files) => zip([...asEntries(files), { name: 'snapshots\\1.json', content: Buffer.from('x') }]),
    refusal: 'bundles.unknownFile'
  },
  {
    name: 'a path with a drive',
    file: (files) => zip([...asEntries(files), { name: 'C:/outside.json', content: Buffer.from('x') }]),
    refusal: 'bundles.unknownFile'
  },
  {
    name: 'a name that steers a terminal',
    file: (files) => zip([...asEntries(files), { name: '\u001b[2Jgone.json', content: Buffer.from('x') }]),
    refusal: 'bundles.unknownFile'
  },
  {
    name: 'a name that runs backwards',
    file: (files) =>
      zip([...asEntries(files), { name: 'photos/\u202egpj.exe', content: Buffer.from('x'), flags: 0x800 }]),
    refusal: 'bundles.unknownFile'
  },
  {
    name: 'a folder that climbs',
    file: (files) => zip([...asEntries(files), { name: '../../photos/', content: Buffer.alloc(0) }]),
    refusal: 'bundles.unknownFile'
  },
  {
    name: 'a folder with something in it',
    file: (files) => zip([...asEntries(files), { name: 'photos/', content: Buffer.from('x') }]),
    refusal: 'bundles.unknownFile'
  },
  {
    name: 'a link that is called a folder',
    file: (files) =>
      zip([
        ...asEntries(files),
        { name: 'photos/', content: Buffer.alloc(0), madeBy: 0x031e, attributes: (0o120777 << 16) >>> 0 }
      ]),
    refusal: 'bundles.unknownFile'
  },
  {
    name: 'everything in a folder that climbs',
    file: (files) => zip(asEntries(files).map((entry) => ({ ...entry, name: `../../${entry.name}` }))),
    refusal: 'bundles.unknownFile'
  },
  {
    name: 'a second manifest in a folder',
    file: (files) =>
      zip([...asEntries(files), ...asEntries(files).map((entry) => ({ ...entry, name: `more/${entry.name}` }))]),
    refusal: 'bundles.unknownFile'
  },
  {
    name: 'a bundle that was packed a second time',
    file: (files) => zip([{ name: 'Support.zip', content: zip(asEntries(files)) }]),
    refusal: 'bundles.packedTwice'
  },
  {
    name: 'a link',
    file: (files) => zip(changedEntry(files, 'job.json', { madeBy: 0x031e, attributes: (0o120777 << 16) >>> 0 })),
    refusal: 'bundles.unknownFile'
  },
  {
    name: 'a device',
    file: (files) => zip(changedEntry(files, 'job.json', { madeBy: 0x031e, attributes: (0o020666 << 16) >>> 0 })),
    refusal: 'bundles.unknownFile'
  },
  {
    name: 'another name in its own header',
    file: (files) => zip(changedEntry(files, 'job.json', { localName: 'gob.json' })),
    refusal: 'bundles.strangeFile'
  },
  {
    name: 'more files than any bundle has',
    file: (files) =>
      zip([
        ...asEntries(files),
        ...Array.from({ length: 2_100 }, (_, index) => ({
          name: `snapshots/${index}.json`,
          content: Buffer.from('{}')
        }))
      ]),
    refusal: 'bundles.tooLarge'
  },
  {
    name: 'a million files that are not there',
    file: (files) => rawZip({ entries: asEntries(files), count: 65_534 }),
    refusal: 'bundles.tooLarge'
  },
  {
    name: 'fewer files than there are',
    file: (files) => rawZip({ entries: asEntries(files), count: 3 }),
    refusal: 'bundles.notABundle'
  },
  {
    name: 'a million files, said in 64 bits',
    file: (files) => rawZip({ entries: asEntries(files), count: 0xffff, beforeEnd: locator64(0n) }),
    refusal: 'bundles.tooLarge'
  },
  {
    name: 'a place beyond all numbers',
    file: (files) => rawZip({ entries: asEntries(files), beforeEnd: locator64(0xffff_ffff_ffff_ffffn) }),
    refusal: 'bundles.tooLarge'
  },
  {
    name: 'a file beyond all numbers',
    file: (files) => zip(changedEntry(files, 'job.json', { at: 0xffff_ffff, extra: extra64(0xffff_ffff_ffff_ffffn) })),
    refusal: 'bundles.overlapping'
  },
  {
    name: 'an extra field that is longer than itself',
    file: (files) => zip(changedEntry(files, 'job.json', { extra: Buffer.from([1, 0, 255, 255, 0]) })),
    refusal: 'bundles.cutOff'
  },
  { name: 'several disks', file: (files) => rawZip({ entries: asEntries(files), disk: 3 }), refusal: 'bundles.cutOff' },
  {
    name: 'an encrypted part',
    file: (files) => zip(changedEntry(files, 'job.json', { flags: 1 })),
    refusal: 'bundles.encrypted'
  },
  {
    name: 'a strongly encrypted part',
    file: (files) => zip(changedEntry(files, 'job.json', { flags: 0x41 })),
    refusal: 'bundles.cutOff'
  },
  {
    name: 'another way of packing',
    file: (files) => zip(changedEntry(files, 'job.json', { method: 99 })),
    refusal: 'bundles.unknownFile'
  },
  {
    name: 'a part that is not there',
    file: (files) => zip(asEntries(files).filter(({ name }) => name !== 'job.json')),
    refusal: 'bundles.partMissing'
  },
  {
    name: 'a part that the manifest does not name',
    file: (files) => zip([...asEntries(files), { name: 'snapshots/2.json', content: Buffer.from('{}') }]),
    refusal: 'bundles.unknownFile'
  },
  {
    name: 'a part under the name of another kind',
    file: (files) =>
      zip(
        withManifest(files, ({ parts }) =>
          Object.assign(parts.find(({ kind }) => kind === 'evidence') ?? {}, { kind: 'vehicle' })
        )
      ),
    refusal: 'bundles.strangeFile'
  },
  {
    name: 'a bundle that does not say what wrote it',
    file: (files) => zip(exchanged(files, { 'versions.json': null })),
    refusal: 'bundles.partMissing'
  },
  {
    name: 'brackets without an end',
    file: (files) => zip(exchanged(files, { 'evidence.json': '['.repeat(1_000_000) })),
    refusal: 'bundles.damaged'
  },
  {
    name: 'brackets that end',
    file: (files) => inEvidence(files, `${'['.repeat(20_000)}${']'.repeat(20_000)}`),
    refusal: 'bundles.damaged'
  },
  {
    name: 'a million objects',
    file: (files) => inEvidence(files, `[${'{},'.repeat(1_000_000)}{}]`),
    refusal: 'bundles.damaged'
  },
  {
    name: 'a text without an end',
    file: (files) => inEvidence(files, `"${'x'.repeat(4_000_001)}"`),
    refusal: 'bundles.damaged'
  },
  {
    name: 'a name that means something to the language',
    file: (files) => inEvidence(files, '{"__proto__":{"isStaff":true}}'),
    refusal: 'bundles.damaged'
  },
  {
    name: 'such a name, written in escapes',
    file: (files) => inEvidence(files, '{"\\u005f_proto__":1}'),
    refusal: 'bundles.damaged'
  },
  { name: 'no number', file: (files) => inEvidence(files, 'NaN'), refusal: 'bundles.damaged' },
  { name: 'a number beyond all', file: (files) => inEvidence(files, '1e999'), refusal: 'bundles.damaged' },
  {
    name: 'bytes that are no text',
    file: (files) => zip(exchanged(files, { 'evidence.json': Buffer.from([0x22, 0xff, 0xfe, 0x22]) })),
    refusal: 'bundles.damaged'
  },
  {
    name: 'a part of another form',
    file: (files) => zip(exchanged(files, { 'evidence.json': '{"at": 3}' })),
    refusal: 'bundles.damaged'
  },
  {
    name: 'a line without an end',
    file: (files) =>
      zip(exchanged(files, { 'journal.jsonl': `${text(files, 'journal.jsonl')}{"a":"${'x'.repeat(8_000_001)}"}\n` })),
    refusal: 'bundles.tooLarge'
  },
  {
    name: 'a line without an end in a part that is read late',
    file: (files) => zip(exchanged(files, { 'timeline.jsonl': `{"a":"${'x'.repeat(8_000_001)}"}\n` })),
    refusal: 'bundles.tooLarge'
  },
  {
    name: 'five thousand levels in a line that is read late',
    file: (files) => zip(exchanged(files, { 'timeline.jsonl': `${'['.repeat(5_000)}${']'.repeat(5_000)}\n` })),
    refusal: 'bundles.damaged'
  },
  {
    name: 'five thousand levels in a part that is read late',
    file: (files) => zip(exchanged(files, { 'snapshots/1.json': `${'['.repeat(5_000)}${']'.repeat(5_000)}` })),
    refusal: 'bundles.damaged'
  },
  {
    name: 'a million lines',
    file: (files) => zip(exchanged(files, { 'journal.jsonl': '\n'.repeat(1_000_000) })),
    refusal: 'bundles.damaged'
  },
  {
    name: 'a last line that was cut off',
    file: (files) => zip(exchanged(files, { 'journal.jsonl': text(files, 'journal.jsonl').slice(0, -10) })),
    refusal: 'bundles.damaged'
  },
  {
    name: 'a log in which a word was changed',
    file: (files) =>
      zip(exchanged(files, { 'journal.jsonl': text(files, 'journal.jsonl').replace('Unit 7', 'Unit 8') })),
    refusal: 'bundles.logChanged'
  },
  {
    name: 'a log without its last entry',
    file: (files) => zip(exchanged(files, { 'journal.jsonl': withoutLastLine(text(files, 'journal.jsonl')) })),
    refusal: 'bundles.logChanged'
  },
  {
    name: 'the log of another job',
    file: (files) =>
      zip(
        withManifest(files, (manifest) =>
          Object.assign(manifest['subject'] as object, { jobId: '01JD2F7Q3XW9V6M0KZ4T8B5HCX' })
        )
      ),
    refusal: 'bundles.logChanged'
  },
  {
    name: 'a job without its log',
    file: (files) => zip(exchanged(files, { 'journal.jsonl': null })),
    refusal: 'bundles.logChanged'
  },
  {
    name: 'a page in the place of a photo',
    file: (files) => zip(exchanged(files, { [photoOf(files)]: '<script>alert(1)</script>' })),
    refusal: 'bundles.notAPicture'
  },
  {
    name: 'a photo of another kind than it says',
    file: (files) => zip(exchanged(files, { [photoOf(files)]: pngPicture() })),
    refusal: 'bundles.notAPicture'
  },
  {
    name: 'a photo of 3,600 million points',
    file: (files) =>
      zip(
        exchanged(files, { [photoOf(files)]: null, [photoOf(files).replace('jpg', 'png')]: endlessPng() }, [
          { name: photoOf(files).replace('jpg', 'png'), kind: 'photo' }
        ])
      ),
    refusal: 'bundles.notAPicture'
  }
]
