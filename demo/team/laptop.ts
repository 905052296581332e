import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { CallResult } from '../../preload/contract/errors.ts'
import type { CallInput, CallName, CallOutput } from '../../preload/contract/index.ts'
import { createTexts } from '../../main/base/messages/texts.ts'
import type { FromLaptop, LaptopOrder, LogHere, Task, ToLaptop, Work } from './laptopTasks.ts'

const texts = createTexts({ language: 'en' })

export interface Laptop {
  name: string
  dataFolder: string
  call<Name extends CallName>(call: Name, input: CallInput<Name>): Promise<CallOutput<Name>>
  /** A job on a device, which is found over mDNS. */
  makeJobOn(imei: string): Promise<string>
  /** Works through the checklist; resolves with the state of the job when it is done, or left after `until`. */
  work(work: Work): Promise<string>
  logOf(jobId: string): Promise<LogHere>
  /** This step of the job has passed. */
  passed(jobId: string, stepId: string): Promise<void>
  /** What has passed so far, in order. */
  passes(jobId: string): string[]
  /** As when the battery is taken out. */
  kill(): Promise<void>
  /** Opens the same data folder with a new process. */
  open(): Promise<void>
  close(): Promise<void>
}

/** A laptop as a process of its own. */
export function makeLaptop(order: LaptopOrder, hear: (text: string) => void): Laptop {
  let child: ChildProcess | undefined
  let last = 0
  const asked = new Map<number, { resolve(result: CallResult<unknown>): void; reject(error: Error): void }>()
  const passed = new Map<string, string[]>()
  const watchers = new Set<() => void>()

  function take(words: FromLaptop): void {
    if ('say' in words) {
      if (words.say !== 'open') hear(words.say)
    } else if ('ended' in words) {
      const { jobId, stepId, state } = words.ended
      hear(`${state.toUpperCase().padEnd(6)} ${stepId}`)
      if (state === 'pass') passed.set(jobId, [...(passed.get(jobId) ?? []), stepId])
      for (const look of watchers) look()
    } else {
      asked.get(words.number)?.resolve(words.result)
      asked.delete(words.number)
    }
  }

  async function ask<T>(task: Task): Promise<T> {
    const number = ++last
    const result = await new Promise<CallResult<unknown>>((resolve, reject) => {
      asked.set(number, { resolve, reject })
      child?.send({ number, task } satisfies ToLaptop, (error) => error && reject(error))
    })
    if (!result.ok) throw new Error(`${order.name}: ${texts.say(result.error.message)}`)
    return result.value as T
  }

  return {
    name: order.name,
    dataFolder: order.dataFolder,
    call: (call, input) => ask({ call, input }),
    makeJobOn: (imei) => ask({ makeJobOn: imei }),
    work: (work) => ask({ work }),
    logOf: (jobId) => ask({ logOf: jobId }),
    passes: (jobId) => passed.get(jobId) ?? [],
    passed: (jobId, stepId) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!passed.get(jobId)?.includes(stepId)) return
          watchers.delete(look)
          resolve()
        }
        watchers.add(look)
        look()
      }),
    async kill() {
      const ended = child && once(child, 'exit')
      child?.kill('SIGKILL')
      await ended
    },
    async open() {
      const started = fork(join(import.meta.dirname, 'laptopChild.ts'), [JSON.stringify(order)], {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc']
      })
      child = started
      started.on('message', (words: FromLaptop) => take(words))
      started.once('exit', () => {
        for (const { reject } of asked.values()) reject(new Error(`${order.name} ended`))
        asked.clear()
      })
      await Promise.race([
        once(started, 'message'),
        once(started, 'exit').then(() => Promise.reject(new Error(`${order.name} did not open`)))
      ])
    },
    async close() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    }
  }
}
