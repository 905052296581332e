import { describe, expect, it } from 'vitest'
import { createRedactor } from '../../../../main/base/secrets/redact.ts'

describe('A long text', () => {
  it.each([
    ['base64', Buffer.alloc(400_000, 7).toString('base64')],
    ['one word', '_a'.repeat(300_000)],
    ['open quotes', '"a_'.repeat(150_000)],
    ['open addresses', 'http://'.repeat(80_000)],
    ['half of a field', '"pass" : "'.repeat(50_000)]
  ])('of %s is read in a moment', (_, long) => {
    const redactor = createRedactor()
    redactor.add('marker-1')
    // What it costs, and not how long others keep the processor meanwhile.
    const before = process.cpuUsage()
    expect(redactor.text(`${long} marker-1`)).not.toContain('marker')
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000)
  })
})
