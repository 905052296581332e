import { afterEach, beforeEach, vi } from 'vitest'
import {
  createGatewayOutputs,
  judgeOutput,
  type GatewayOutputName,
  type GatewayOutputsParts
} from '../../main/outputs/gatewayOutputs.ts'
import type { AccessoryTest, LineState } from '../../preload/contract/gateway/accessories.ts'
import type { OutputLogEntry } from '../../preload/contract/gateway/remoteOutputs.ts'
import { english } from './english.ts'
import { shippedLimits } from './outputs.ts'

export const startMs = Date.parse('2026-11-20T09:00:00.400Z')
export const imei = '356938035643809'
type Follow = Parameters<GatewayOutputsParts['waits']['start']>[0]
export type View = Parameters<typeof judgeOutput>[0]

/** For the tests of one file: a clock that stands still until a test moves it. */
export function useGatewayClock(): void {
  beforeEach(() => vi.useFakeTimers({ now: startMs }))
  afterEach(() => vi.useRealTimers())
}

export const at = (agoS: number): string => new Date(Date.now() - agoS * 1000).toISOString()
export const wired = (on: boolean | null, more: Partial<LineState> = {}): LineState => ({
  name: 'OUT2',
  kind: 'output',
  number: 2,
  on,
  isShorted: null,
  ...more
})
export const expander = (on: boolean, more: Partial<LineState> = {}): LineState => ({
  name: 'E2',
  kind: 'expanderOutput',
  number: 2,
  on,
  isShorted: null,
  ...more
})
export const logged = (more: Partial<OutputLogEntry> = {}): OutputLogEntry =>
  ({ otype: 'e', out: 2, on: false, user: 'fitter', at: at(0), ...more }) as OutputLogEntry

/** A gateway that says what a test puts into it. Whoever follows the command is the test itself. */
export function openGateway() {
  const seen: unknown[] = []
  const gateway = {
    imei: imei as string | null,
    user: 'fitter' as string | null,
    event: {
      at: at(0),
      ageS: 0,
      type: 10,
      label: 'prdtst',
      speedKmh: 0,
      validPosition: true,
      speedAt: at(0) as string | null,
      ignition: false as boolean | null,
      ignitionAt: at(0) as string | null
    } as View['event'],
    log: [] as OutputLogEntry[],
    lines: [] as LineState[],
    linesAt: null as string | null,
    answer: (): Promise<{ message: string; deviceIsOnline: boolean | null; raw: unknown }> =>
      Promise.resolve({ message: 'Command sent', deviceIsOnline: true, raw: { ok: 1 } }),
    lateOnLeftMs: 0,
    isInLedger: false
  }
  const follows: Follow[] = []
  let followed: AccessoryTest[] = []
  const named = ({ imei: device, output, vehicleId }: GatewayOutputName) => `${device} ${output} of ${vehicleId}`
  const outputs = createGatewayOutputs({
    gateway: {
      nowMs: () => Promise.resolve(Date.now()),
      deviceOf: () => Promise.resolve(gateway.imei),
      readView: () => Promise.resolve({ event: gateway.event, engineBus: null, lines: [], linesAt: null } as never),
      readLines: () => Promise.resolve({ lines: gateway.lines, at: gateway.linesAt }),
      commands: {
        setOutput(vehicleId, command) {
          seen.push(['sent', vehicleId, command])
          return gateway.answer() as never
        },
        outputLog: () => Promise.resolve(gateway.log),
        userName: () => Promise.resolve(gateway.user)
      }
    },
    waits: {
      start(follow) {
        follows.push(follow)
        return {
          id: String(follows.length),
          kind: 'output',
          vehicleId: follow.vehicleId,
          state: 'waiting'
        } as AccessoryTest
      },
      list: () => followed,
      ended: () => Promise.reject(new Error('not asked'))
    },
    log: {
      begin: (write) => (seen.push(['intent', write]), 5),
      end: (...end) => void seen.push(['result', ...end])
    },
    ledger: {
      begin: (name) => ((gateway.isInLedger = true), void seen.push(['ledger', 'on its way', named(name)])),
      setLateOn: (_name, leftMs) => void seen.push(['late on', leftMs]),
      lateOnLeftMs: () => gateway.lateOnLeftMs,
      has: () => gateway.isInLedger,
      note: (name, state) => void seen.push(['ledger', state, named(name)]),
      end: (name, how) => ((gateway.isInLedger = false), void seen.push(['ledger', how, named(name)]))
    },
    limits: () => shippedLimits
  })
  const signal = new AbortController().signal
  return {
    gateway,
    outputs,
    seen: () => seen.splice(0),
    set: (on: boolean, otype = 'e') => outputs.set({ vehicleId: 7, otype, out: 2, on }, signal),
    follows: (tests: Partial<AccessoryTest>[]) => (followed = tests as AccessoryTest[]),
    follow(): Follow {
      const last = follows.at(-1)
      if (!last) throw new Error('nothing is followed')
      return last
    },
    async look(): Promise<string> {
      const look = await this.follow().look(signal)
      return `${look.kind}: ${english(look.note)}${'remedy' in look ? ` ${english(look.remedy)}` : ''}`
    },
    end(state: AccessoryTest['state']) {
      this.follow().ended({ state } as AccessoryTest)
      return seen.splice(0)
    }
  }
}
