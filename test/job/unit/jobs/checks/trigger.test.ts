import { describe, expect, it } from 'vitest'
import { checkTrigger } from '../../../../../main/job/jobs/checks/trigger.ts'
import type { TriggerSeen } from '../../../../../main/job/jobs/engine/accessoryPort.ts'
import { plainMessage } from '../../../../../preload/contract/messages.ts'
import { eventAt, rowsInWords, runCheck } from '../../../../world/device/checkBench.ts'

const run = (
  events: object[],
  triggers: { triggers: TriggerSeen[]; isComplete: boolean } | null = null,
  plan: object = { label: 'in1on', instruction: plainMessage('Press the panic button.') }
) => runCheck(checkTrigger, { plan, accessories: () => ({ events }), triggers })
const came = [eventAt(-9_000, {}), eventAt(2_000, { label: 'in1on' })]
const mine: TriggerSeen = { name: 'Panic', labels: ['in1on'], isForVehicle: true }

describe('A trigger', () => {
  it('passes when its event came after the step began, and names the trigger that waits for it', async () => {
    const { state, summary, rows } = await run(came, { triggers: [{ ...mine, labels: ['x'] }, mine], isComplete: true })
    expect({ state, summary }).toEqual({ state: 'pass', summary: 'Event in1on arrived after 2 s' })
    expect(rowsInWords(rows)).toMatchObject([
      { label: 'Event', wanted: 'in1on', gateway: 'arrived after 2 s', verdict: 'agrees' },
      { label: 'Trigger at the gateway', gateway: 'Panic', verdict: 'agrees' }
    ])
  })

  it.each<[string, Parameters<typeof run>[1]]>([
    ['the gateway gives no triggers', null],
    ['not all of them could be read', { triggers: [], isComplete: false }],
    ['nobody can tell whose it is', { triggers: [{ ...mine, isForVehicle: null }], isComplete: true }]
  ])('passes by its event alone when %s', async (_what, triggers) => {
    const { state, rows } = await run(came, triggers)
    expect([state, rows?.at(-1)?.verdict]).toEqual(['pass', 'notExposed'])
  })

  it('is a warning when no trigger of the gateway looks for the event on this vehicle', async () => {
    expect(await run(came, { triggers: [{ ...mine, isForVehicle: false }], isComplete: true })).toMatchObject({
      state: 'warn',
      summary: 'Event in1on arrived after 2 s. Panic use in1on, but not for this vehicle'
    })
    expect(await run(came, { triggers: [], isComplete: true })).toMatchObject({
      state: 'warn',
      summary: 'Event in1on arrived after 2 s. No trigger at the gateway uses in1on'
    })
  })

  it('does not pass by an event from before, or by another one', async () => {
    expect(await run([eventAt(-5_000, { label: 'in1on' }), eventAt(1_000, { label: 'in2on' })])).toMatchObject({
      state: 'fail',
      summary: 'No event in1on arrived. Other events arrived: in2on'
    })
  })

  it('of which the checklist does not say the event cannot be judged', async () => {
    expect(await run(came, null, {})).toMatchObject({
      state: 'unreadable',
      summary: 'This order has no event to test.',
      tookMs: 0
    })
  })
})
