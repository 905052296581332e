import { createFakeBridge, type FakeBridge } from './fakeBridge.ts'
import * as data from './fakeData.ts'
import type { Prompt } from '../../preload/contract/jobs.ts'
import { message, plainMessage } from '../../preload/contract/messages.ts'

declare global {
  interface Window {
    fakeBridge?: FakeBridge
  }
}

// What the picture script asks for stands in the query: ?theme=dark&language=es&training=1&prompt=arm&empty=1
const wanted = new URLSearchParams(location.search)
const prompts: Record<string, Prompt> = {
  arm: { kind: 'arm', text: plainMessage('Switch output 1 on for 5 s'), holdMs: 3000 },
  effect: { kind: 'effect', text: plainMessage('Is the starter blocked?') },
  imei: { kind: 'imei', text: plainMessage('Scan the label on the device.') },
  yesNo: { kind: 'yesNo', text: plainMessage('Does the lamp on the dashboard go out?') },
  value: { kind: 'value', text: plainMessage('What does the multimeter show at the supply?'), unit: 'V' },
  choose: { kind: 'choose', text: plainMessage('Which vehicle is it?'), entity: 'vehicle', optional: true },
  signOff: { kind: 'signOff', text: plainMessage('Read the summary together, then sign.'), blockers: [plainMessage('Output 1: starter relay'), plainMessage('Auto-alignment')] }
}
const prompt = prompts[wanted.get('prompt') ?? '']
const result = wanted.get('result')

// The pictures shall not depend on the day they are taken.
const shiftMs = data.startedAt - Date.now()
const realNow = Date.now
Date.now = () => realNow() + shiftMs

const fake = createFakeBridge({
  ...(wanted.has('training')
    ? {
        'app.info': () => ({
          version: '0.1.0',
          frontEnd: 'browser' as const,
          workplace: 'training' as const,
          dataFolder: '/home/technician/.fitter',
          notices: [{ id: 'a', level: 'warn' as const, text: message('selfTest.keychainUnusable'), remedy: message('selfTest.signInAgain') }]
        })
      }
    : {}),
  ...(wanted.has('empty')
    ? {
        'discovery.watch': () => ({
          devices: [],
          cards: [{ name: 'wlan0', address: '192.168.1.20', kind: 'wifi' as const, listening: false, problem: message('discovery.portHeld', { port: 5353 }) }],
          lastHeardAt: null,
          changeNumber: 1
        }),
        'jobs.list': () => ({ jobs: [], next: null, total: 0, isMore: false, counts: {}, isSimilar: false }),
        'outputs.ledger': () => ({ outputs: [] }),
    'operations.list': () => ({ operations: [], more: false, counts: { done: 0, waiting: 0, needsAttention: 0, failed: 0 } }),
        'operations.ofJob': () => ({ operations: [] })
      }
    : {}),
  ...(wanted.has('online') ? { 'gateway.status': () => ({ ...data.gateway, state: 'reachable' as const, detail: message('gateway.answers') }) } : {}),
  'settings.get': () => ({
    ...data.settings,
    theme: (wanted.get('theme') ?? 'light') as 'light',
    language: (wanted.get('language') ?? 'en') as 'en'
  }),
  'jobs.live': () => ({ active: true, steps: [prompt ? { ...data.live, hint: null, prompt } : data.live], lines: data.lines }),
  'jobs.show': () =>
    result === 'fail'
      ? {
          ...data.job,
          steps: data.job.steps.map((step) =>
            step.id === 'input2'
              ? { ...step, state: 'fail' as const, durationMs: 90_000, summary: plainMessage('Input 2 never moved'), remedy: plainMessage('It is not connected: check the wire from the door switch to pin 5, and the common ground.') }
              : step
          )
        }
      : data.job
})
window.fakeBridge = fake
window.fitter = fake
