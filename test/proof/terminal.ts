import { rmSync } from 'node:fs'
import { badPeerKinds, type BadPeerKind } from '../world/device/badPeers.ts'
import { peerCommands, prepareMatrix, runAgainst, type MatrixResult } from '../world/window/terminalMatrix.ts'

/**
 * Every command that asks somebody, against ten kinds of bad peers: each ends within its limit, with a clear sentence
 * and its exit code.
 */
export async function proveTerminal(wanted: readonly string[]): Promise<boolean> {
  const kinds = badPeerKinds.filter((kind) => wanted.length === 0 || wanted.includes(kind))
  const prepared = await prepareMatrix()
  const all: MatrixResult[] = []
  try {
    for (const kind of kinds) {
      const results = await runAgainst(kind, prepared, { commands: peerCommands(prepared), sideBySide: 4, told: say })
      all.push(...results)
      console.log(summary(kind, results))
    }
  } finally {
    rmSync(prepared.folder, { recursive: true, force: true })
  }
  const bad = all.filter(({ faults }) => faults.length > 0)
  console.log(`${all.length} runs, ${bad.length} with faults`)
  return bad.length === 0
}

function say({ kind, name, tookMs, finished: { code, stderr, stdout }, faults }: MatrixResult): void {
  const last = stderr.trim().split('\n').at(-1) ?? ''
  console.log(
    `${faults.length === 0 ? 'ok ' : 'BAD'} ${kind.padEnd(6)} ${(tookMs / 1000).toFixed(1).padStart(5)} s  ${code}  ${name}\n${' '.repeat(20)}${(last || stdout.trim().split('\n').at(-1) || '').slice(0, 200)}`
  )
  for (const fault of faults) console.log(`${' '.repeat(20)}-> ${fault}`)
}

function summary(kind: BadPeerKind, results: MatrixResult[]): string {
  const [slowest] = [...results].sort((a, b) => b.tookMs - a.tookMs)
  return `${kind}: ${results.length} commands, slowest ${((slowest?.tookMs ?? 0) / 1000).toFixed(1)} s (${slowest?.name ?? ''})`
}
