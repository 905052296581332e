import { afterEach, describe, expect, it } from 'vitest'
import type { Step } from '../../../../../preload/contract/job/jobs.ts'
import { message, plainMessage } from '../../../../../preload/contract/messages.ts'
import { goingOn, type Going } from '../../../../../preload/job/goingOn.ts'
import { stepsBefore } from '../../../../../main/job/jobs/engine/stepsBefore.ts'
import { standardStep } from '../../../../world/device/quickProfile.ts'
import { openVirtualJob, virtualImei, type VirtualJob } from '../../../../world/device/virtualJob.ts'
import { stepOfWords } from '../../../../world/window/english.ts'

type State = Step['state'] | 'halted' | 'asking' | 'lost' | 'limited'

/** Steps by id, each with its state: `output1` is of the kind `output`. */
function standingsOf(states: Record<string, State>, isActive = true, more: Partial<Going> = {}) {
  const steps = Object.entries(states).map(([id, state]) => ({
    id,
    kind: id.replace(/\d+$/, '') as Step['kind'],
    state: state === 'halted' ? ('waiting' as const) : isLive(state) ? ('running' as const) : state,
    attempts: state === 'waiting' ? 0 : 1,
    summary: state === 'halted' ? message('jobs.stepStopped') : null
  }))
  const live = new Map(
    Object.entries(states).flatMap(([id, state]) =>
      isLive(state) || state === 'running'
        ? [
            [
              id,
              {
                prompt: null,
                hint: null,
                leftMs: 25_000,
                heardAtMs: 1_000,
                ...(state === 'asking' ? { act: plainMessage('Turn the key.') } : {}),
                ...(state === 'lost' ? { isWaiting: true as const } : {}),
                ...(state === 'limited' ? { turnMs: 9_000 } : {})
              }
            ] as const
          ]
        : []
    )
  )
  const after = stepsBefore({ kind: 'installation', steps: steps as unknown as Step[], templateSteps: new Map() })
  return Object.fromEntries(
    [...goingOn({ steps, after, live, isActive, ...more })].map(([id, standing]) => [
      id,
      standing.is === 'waits'
        ? [
            standing.for.what === 'step' ? `after ${standing.for.stepId}` : `for the ${standing.for.what}`,
            standing.untilMs === null ? '' : `until ${standing.untilMs}`,
            standing.for.what === 'step' && standing.for.mayStart ? 'or now' : ''
          ]
            .filter((part) => part !== '')
            .join(', ')
        : standing.is
    ])
  )
}

function isLive(state: State): state is 'asking' | 'lost' | 'limited' {
  return state === 'asking' || state === 'lost' || state === 'limited'
}

const cases: [what: string, states: Record<string, State>, standings: Record<string, string>][] = [
  [
    'nothing before the identity',
    { identity: 'running', position: 'waiting', photo: 'waiting', signOff: 'waiting' },
    { identity: 'runs', position: 'after identity', photo: 'after identity', signOff: 'after photo' }
  ],
  [
    'nothing with another device',
    { identity: 'fail', position: 'waiting', photo: 'waiting' },
    { position: 'after identity', photo: 'after identity' }
  ],
  [
    'all that watches at once, and the first that asks',
    { identity: 'pass', ignition: 'waiting', network: 'waiting', vehicle: 'waiting', link: 'waiting' },
    { ignition: 'starts', network: 'starts', vehicle: 'after ignition, or now', link: 'after vehicle' }
  ],
  [
    'an output when the supply is confirmed, in a known time',
    { identity: 'pass', externalPower: 'running', inputs: 'pass', output1: 'waiting' },
    { externalPower: 'runs', output1: 'after externalPower, until 26000, or now' }
  ],
  [
    'an output although the gateway is still asked, and although something failed',
    { identity: 'pass', network: 'fail', delivered: 'running', samePlace: 'running', output1: 'waiting' },
    { delivered: 'runs', samePlace: 'runs', output1: 'starts' }
  ],
  [
    'one output after the other, and nothing beside an output by hand',
    { identity: 'pass', output1: 'running', output2: 'waiting', alignment: 'waiting' },
    { output1: 'runs', output2: 'after output1', alignment: 'after output2' }
  ],
  [
    'no output beside a later one that a person started',
    { identity: 'pass', output1: 'waiting', output2: 'running' },
    { output1: 'after output2', output2: 'runs' }
  ],
  [
    'the next question beside photos, which can be taken at any time',
    { identity: 'pass', photo: 'asking', measurement: 'waiting', question: 'waiting', signOff: 'waiting' },
    { photo: 'asks', measurement: 'starts', question: 'after measurement, or now', signOff: 'after question' }
  ],
  [
    'what drives away or is taken out when all before it has ended',
    { identity: 'pass', photo: 'asking', network: 'running', testTrip: 'waiting' },
    { photo: 'asks', network: 'runs', testTrip: 'after network, or now' }
  ],
  [
    'nothing of before beside a drive that a person started',
    { identity: 'pass', question: 'waiting', testTrip: 'running' },
    { question: 'after testTrip, or now', testTrip: 'runs' }
  ],
  [
    'a trailer only with its vehicle',
    { identity: 'pass', vehicle: 'fail', link: 'waiting', question: 'waiting' },
    { link: 'after vehicle', question: 'after link, or now' }
  ],
  [
    'a signature when all is good or left for the gateway',
    { identity: 'pass', delivered: 'deferred', photo: 'waived', network: 'warn', signOff: 'waiting' },
    { signOff: 'starts' }
  ],
  [
    'no signature while something failed or was stopped',
    { identity: 'pass', network: 'fail', photo: 'halted', signOff: 'waiting' },
    { photo: 'asks', signOff: 'after photo' }
  ],
  [
    'what else is there although a person stopped a step',
    { identity: 'pass', measurement: 'halted', question: 'waiting' },
    { measurement: 'asks', question: 'starts' }
  ],
  [
    'what waits for the device or for the limit of the gateway',
    { identity: 'pass', ignition: 'lost', delivered: 'limited' },
    { ignition: 'for the device', delivered: 'for the gateway, until 10000' }
  ]
]

describe('What can start, starts; what waits says for what', () => {
  it.each(cases)('%s', (_what, states, standings) => {
    expect(standingsOf(states)).toEqual(standings)
  })

  it('everything waits for a person while the job is paused', () => {
    expect(standingsOf({ identity: 'pass', ignition: 'waiting', photo: 'halted', signOff: 'waiting' }, false)).toEqual({
      ignition: 'for the job',
      photo: 'for the job',
      signOff: 'for the job'
    })
  })

  it('no time is named for a supply that is not there', () => {
    const live = new Map([['externalPower', { prompt: null, hint: message('power.noneNow'), leftMs: 60_000 }]])
    expect(
      standingsOf({ identity: 'pass', externalPower: 'running', output1: 'waiting' }, true, { live })
    ).toMatchObject({ output1: 'after externalPower, or now' })
  })
})

describe('A job', () => {
  let job: VirtualJob
  afterEach(() => job.close())

  async function start(): Promise<void> {
    job.answers = { imei: { value: virtualImei } }
    const started = job.jobs.start(job.id, new AbortController().signal, { goesOn: true })
    await job.pass(1_000)
    await started
  }

  it('tests an output although the gateway does not show the device', async () => {
    job = openVirtualJob([standardStep('identity'), standardStep('delivered'), standardStep('output-1')])
    job.gateway.events = () => []
    await start()
    await job.pass(1_000)
    expect(job.step('delivered').state).toBe('running')
    expect(job.live('output-1')?.prompt).toMatchObject({ kind: 'arm' })
  })

  it('tests an output as soon as the supply is confirmed', async () => {
    job = openVirtualJob([standardStep('identity'), standardStep('external-power'), standardStep('output-1')])
    await start()
    expect(job.jobs.standings(job.id).get('output-1')).toMatchObject({
      is: 'waits',
      for: { what: 'step', stepId: 'external-power', mayStart: true }
    })
    await job.pass(3_000)
    expect([job.step('external-power').state, job.step('output-1').state]).toEqual(['pass', 'running'])
  })

  it('asks the next question although photos are still to be taken', async () => {
    const question = stepOfWords({ id: 'mounted', kind: 'question', title: 'Mounted', instruction: 'Is it tight?' })
    const photo = stepOfWords({ id: 'photo', kind: 'photo', title: 'Photo', instruction: 'Take it.' })
    job = openVirtualJob([standardStep('identity'), photo, question, standardStep('sign-off')])
    await start()
    expect(job.live('photo')?.prompt).toMatchObject({ kind: 'photo' })
    expect(job.live('mounted')?.prompt).toMatchObject({ kind: 'yesNo' })
    expect(job.step('sign-off').state).toBe('waiting')
  })

  it('goes on where it was after a pause, but never with what a person stopped', async () => {
    const question = (id: string) => stepOfWords({ id, kind: 'question', title: id, instruction: 'Is it tight?' })
    job = openVirtualJob([standardStep('identity'), question('one'), question('two'), standardStep('sign-off')])
    await start()
    await job.jobs.stopStep(job.id, 'one')
    await job.pass(100)
    expect([job.step('one').state, job.step('two').state]).toEqual(['waiting', 'running'])
    await job.jobs.pause(job.id)
    await start()
    expect([job.step('one').state, job.step('two').state]).toEqual(['waiting', 'running'])
  })
})
