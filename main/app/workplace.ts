import { setImmediate } from 'node:timers/promises'
import type { OpeningState } from '../../preload/contract/app/app.ts'
import { AppError, type CallResult } from '../../preload/contract/errors.ts'
import type { EventName } from '../../preload/contract/events.ts'
import { message } from '../../preload/contract/messages.ts'
import { createRedactor } from '../base/secrets/redact.ts'
import type { Progress } from '../data/store/file/progress.ts'
import { createFaultLog } from './faultLog.ts'
import { badInput, type Host } from './frontEnd.ts'
import type { WorkplaceOptions } from './openedWorkplace.ts'

type Listener = (name: EventName, payload: unknown) => void

/** How long the opening is not shown: most folders are open by then. */
const quietMs = 3_000

/**
 * Exists at once, whatever the state of the data folder, so that a window always opens; calls wait until it is open.
 * Most of Fitter is loaded meanwhile, beside the start of the window.
 */
export function openWorkplace(options: WorkplaceOptions): Host {
  const redactor = createRedactor()
  for (const secret of [options.given?.device?.password, options.given?.gateway?.password, options.teamPassword])
    redactor.add(secret)
  return hostWhileOpening(options.dataFolder, open, createFaultLog(options.dataFolder, redactor.text))

  async function open(progress: Progress): Promise<Host> {
    // Loading blocks this process, so the front end gets to show its window, or to listen, before.
    await setImmediate()
    const { openHost } = await import('./openedWorkplace.ts')
    return openHost(options, progress)
  }
}

/** It reports the progress of opening, and the reason of a failure until a retry. */
function hostWhileOpening(
  dataFolder: string,
  open: (progress: Progress) => Promise<Host>,
  reportFault: (error: unknown) => void
): Host {
  const listeners = new Map<Listener, () => void>()
  let state: OpeningState = { state: 'opening', done: 0, total: 0 }
  let host: Host | undefined
  let opened = begin()
  let isStopped = false

  async function begin(): Promise<void> {
    state = { state: 'opening', done: 0, total: 0 }
    try {
      host = await open((done, total) => (state = { state: 'opening', done, total }))
      for (const listener of listeners.keys()) listeners.set(listener, host.onEvent(listener))
      state = { state: 'open' }
    } catch (error) {
      const isExpected = error instanceof AppError && error.code !== 'INTERNAL'
      if (!isExpected) reportFault(error)
      state = { state: 'closed', why: isExpected ? error.sentence : message('app.fault'), dataFolder }
    }
  }

  async function answer(name: string): Promise<CallResult<OpeningState>> {
    if (name === 'app.openAgain' && state.state === 'closed' && !isStopped) opened = begin()
    let timer: NodeJS.Timeout | undefined
    await Promise.race([opened, new Promise((resolve) => (timer = setTimeout(resolve, quietMs)))])
    clearTimeout(timer)
    return { ok: true, value: state }
  }

  return {
    async call(name, input) {
      if (name === 'app.opening' || name === 'app.openAgain') return (await refusedInput(name, input)) ?? answer(name)
      await opened
      if (host) return host.call(name, input)
      const why = state.state === 'closed' ? state.why : message('app.fault')
      return { ok: false, error: { code: 'DATA_UNUSABLE', message: why, retryable: true } }
    },
    onEvent(listener) {
      listeners.set(listener, host?.onEvent(listener) ?? (() => undefined))
      return () => {
        listeners.get(listener)?.()
        listeners.delete(listener)
      }
    },
    async answerMap(path, range) {
      await opened
      return host ? host.answerMap(path, range) : { status: 404, headers: {}, body: new Uint8Array() }
    },
    powerResumed: () => host?.powerResumed(),
    outputsOff: async () => (host ? host.outputsOff() : null),
    async faulted(error) {
      if (host) return host.faulted(error)
      reportFault(error)
    },
    installUpdate: async () => host?.installUpdate(),
    async stop() {
      isStopped = true
      await opened
      await host?.stop()
    }
  }
}

async function refusedInput(
  name: 'app.opening' | 'app.openAgain',
  input: unknown
): Promise<CallResult<never> | undefined> {
  const { calls } = await import('../../preload/contract/index.ts')
  const { error } = calls[name].input.safeParse(input ?? {})
  return error && badInput(name, error)
}
