// @module-tag long
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BadPeerKind } from '../../world/device/badPeers.ts'
import { peerCommands, prepareMatrix, runAgainst, type Preparation } from '../../world/window/terminalMatrix.ts'

let prepared: Preparation
beforeAll(async () => {
  prepared = await prepareMatrix()
}, 180_000)
afterAll(() => rmSync(prepared.folder, { recursive: true, force: true }))

/** `npm run proof -- terminal` runs all commands against all ten kinds, with their times. */
const some = [
  /^device \S+ read/,
  /^snapshot/,
  /^profile save/,
  /^profile apply/,
  /^gateway status/,
  /^gateway copy/,
  /^sync$/,
  /^team push/
]

test.for<BadPeerKind>(['silent', '503', 'reset'])(
  'commands end with a clear sentence and their exit code: %s',
  { timeout: 720_000 },
  async (kind) => {
    const commands = peerCommands(prepared).filter(({ words }) => some.some((one) => one.test(words.join(' '))))
    expect(commands).toHaveLength(some.length)
    const results = await runAgainst(kind, prepared, { commands, sideBySide: 3, more: ['--timeout', '2'] })
    // How long it took says more about the machine here.
    expect(
      results.flatMap(({ name, faults }) =>
        faults.filter((fault) => !fault.startsWith('took')).map((fault) => `${name}: ${fault}`)
      )
    ).toEqual([])
  }
)
