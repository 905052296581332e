import { message, type Message } from '../../../preload/contract/messages.ts'
import type { LedgerEntry } from '../../../preload/contract/device/outputs.ts'

type Said = Pick<LedgerEntry, 'output' | 'imei' | 'path' | 'since'>

/** One sentence about the outputs that may be on; undefined without any. */
export function sayLedger(outputs: readonly Said[]): Message | undefined {
  if (outputs.length === 0) return undefined
  return message('outputs.mayBeOn', { n: outputs.length, outputs: outputs.map(sayOutput) })
}

function sayOutput({ output, imei, path, since }: Said): Message {
  return message(path === 'local' ? 'outputs.ofDevice' : 'outputs.ofDeviceAtGateway', { output, imei, sinceAt: since })
}
