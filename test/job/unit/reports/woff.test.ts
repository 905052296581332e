import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findFontFolder } from '../../../../main/job/reports/pdf/pdfFonts.ts'
import { unpackWoff } from '../../../../main/job/reports/pdf/woff.ts'

const woff = readFileSync(join(findFontFolder(), 'inter-latin-400-normal.woff'))

describe('unpacked font', () => {
  it('has the size that its file promises, aligned tables in order, and the checksums of the original', () => {
    const font = unpackWoff(woff)
    expect(font.length).toBe(woff.readUInt32BE(16))
    const tableCount = font.readUInt16BE(4)
    expect(tableCount).toBe(woff.readUInt16BE(12))
    for (let index = 0; index < tableCount; index++) {
      const row = 12 + index * 16
      const tag = font.toString('latin1', row, row + 4)
      const offset = font.readUInt32BE(row + 8)
      const length = font.readUInt32BE(row + 12)
      expect(offset % 4).toBe(0)
      // The table `head` holds the checksum of the whole font, which its own checksum leaves out.
      if (tag === 'head') continue
      const padded = Buffer.alloc(Math.ceil(length / 4) * 4)
      font.copy(padded, 0, offset, offset + length)
      let sum = 0
      for (let at = 0; at < padded.length; at += 4) sum = (sum + padded.readUInt32BE(at)) >>> 0
      expect([tag, sum]).toEqual([tag, font.readUInt32BE(row + 4)])
    }
  })

  it('refuses a file in which a table is not as long as it says', () => {
    const wrong = Buffer.from(woff)
    wrong.writeUInt32BE(woff.readUInt32BE(44 + 12) + 4, 44 + 12)
    expect(() => unpackWoff(wrong)).toThrow(RangeError)
  })
})
