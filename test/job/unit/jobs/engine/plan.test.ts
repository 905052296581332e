import { english } from '../../../../world/window/english.ts'
import { describe, expect, it } from 'vitest'
import { conditionHolds } from '../../../../../main/job/jobs/engine/conditions.ts'
import { planSteps } from '../../../../../main/job/jobs/engine/plan.ts'
import { order, type Order } from '../../../../../preload/contract/job/orders.ts'
import { template } from '../../../../../preload/contract/job/templates.ts'

const words = (en: string) => ({ title: { en }, instruction: { en: `${en}.` } })
const checklist = template.parse({
  id: 'some',
  version: 3,
  name: { en: 'Some', es: 'Unos' },
  kind: 'installation',
  description: { en: 'Some steps' },
  steps: [
    { id: 'identity', kind: 'identity', ...words('Identity') },
    { id: 'inputs', kind: 'inputs', ...words('Inputs'), when: { any: [{ noOrder: true }, { ordered: 'inputs' }] } },
    { id: 'starter', kind: 'output', ...words('Starter'), engineOff: true, when: { ordered: 'starterRelay' } },
    {
      id: 'outputs',
      kind: 'output',
      ...words('Output'),
      perItem: true,
      when: { all: [{ ordered: 'output' }, { not: { ordered: 'starterRelay' } }] }
    },
    { id: 'damage', kind: 'question', ...words('Damage before'), when: { answered: { step: 'identity', is: true } } },
    { id: 'sign-off', kind: 'signOff', ...words('Sign-off') }
  ]
})

const ordered = (...items: object[]): Order => order.parse({ items })
const steps = (given: Order | null) => planSteps(checklist, given).map(({ id }) => id)

describe('The steps of a job', () => {
  it('are those of the checklist that need no order, when there is none', () => {
    expect(steps(null)).toEqual(['identity', 'inputs', 'damage', 'sign-off'])
  })

  it('follow the order: what was not ordered is no step', () => {
    expect(steps(ordered())).toEqual(['identity', 'damage', 'sign-off'])
  })

  it('are told what was ordered, which goes before what the checklist says', () => {
    const [, inputs] = planSteps(
      checklist,
      ordered({ kind: 'inputs', inputs: ['IN2'], name: { en: 'Doors' }, instruction: { en: 'Open both doors.' } })
    )
    expect(inputs).toMatchObject({
      id: 'inputs',
      inputs: ['IN2'],
      instruction: { values: { en: 'Open both doors.' } },
      title: { id: 'jobs.stepOfItem' }
    })
  })

  it('name what is asked, measured and photographed where the checklist only says that it was ordered', () => {
    const general = (kind: string, id: string) => ({
      id: kind,
      kind,
      title: { en: kind },
      instruction: { id: `checklists.${id}`, values: {} },
      perItem: true,
      when: { ordered: kind }
    })
    const shipped = template.parse({
      ...checklist,
      steps: [
        general('question', 'questionInstruction'),
        general('measurement', 'measurementInstruction'),
        general('photo', 'photoInstruction')
      ]
    })
    const said = (...items: object[]) =>
      planSteps(shipped, ordered(...items)).map(({ instruction }) => english(instruction))
    expect(
      said(
        { kind: 'question', name: { en: 'Is the seal there?' } },
        { kind: 'measurement', name: { en: 'Battery voltage' }, min: 12 },
        { kind: 'photo', purpose: 'plate' },
        { kind: 'photo', name: { en: 'the fuse' } },
        { kind: 'photo' },
        { kind: 'measurement', name: { en: 'Battery voltage' }, instruction: { en: 'At the clamps.' } }
      )
    ).toEqual([
      'Is the seal there?',
      'Measure: Battery voltage',
      'At the clamps.',
      'Photograph: Plate',
      'Photograph: the fuse',
      'Take the ordered photos.'
    ])
  })

  it('are one for several inputs, each by its own name and instruction', () => {
    const panic = { kind: 'inputs', inputs: ['IN1'], name: { en: 'Panic button' }, instruction: { en: 'Press it.' } }
    const doors = {
      kind: 'inputs',
      inputs: ['IN2', 'IN3'],
      name: { en: 'Doors' },
      wires: { IN3: { name: { en: 'Side door' }, instruction: { en: 'Slide it.' } } }
    }
    const [, inputs] = planSteps(checklist, ordered(panic, doors))
    expect(inputs).toMatchObject({
      title: { values: { en: 'Inputs' } },
      instruction: { values: { en: 'Inputs.' } },
      inputs: ['IN1', 'IN2', 'IN3'],
      wires: {
        IN1: { name: { values: { en: 'Panic button' } }, instruction: { values: { en: 'Press it.' } } },
        IN2: { name: { values: { en: 'Doors' } } },
        IN3: { name: { values: { en: 'Side door' } }, instruction: { values: { en: 'Slide it.' } } }
      }
    })
  })

  it('are one for each thing of a kind, where the checklist says so', () => {
    const given = ordered(
      {
        kind: 'output',
        output: 'OUT2',
        name: { en: 'Siren' },
        instruction: { en: 'Stand clear of it.' },
        effectQuestion: { en: 'Does it howl?' }
      },
      { kind: 'output', output: 'OUT3', engineOff: false }
    )
    expect(planSteps(checklist, given).filter(({ kind }) => kind === 'output')).toMatchObject([
      {
        id: 'outputs',
        output: 'OUT2',
        title: { id: 'jobs.stepOfItem' },
        instruction: { values: { en: 'Stand clear of it.' } },
        effectQuestion: { values: { en: 'Does it howl?' } }
      },
      { id: 'outputs-2', output: 'OUT3', engineOff: false }
    ])
  })

  it('take only the thing that they are for', () => {
    const given = ordered({ kind: 'output', output: 'OUT4' }, { kind: 'output', as: 'starterRelay', output: 'OUT1' })
    expect(planSteps(checklist, given).filter(({ kind }) => kind === 'output')).toMatchObject([
      { id: 'starter', output: 'OUT1', engineOff: true }
    ])
  })
})

describe('A thing that one step calls by its name', () => {
  const both = template.parse({
    ...checklist,
    steps: [
      { id: 'identity', kind: 'identity', ...words('Identity') },
      {
        id: 'starter',
        kind: 'output',
        ...words('Starter'),
        engineOff: true,
        when: { any: [{ noOrder: true }, { ordered: 'starterRelay' }] }
      },
      {
        id: 'outputs',
        kind: 'output',
        ...words('Output'),
        engineOff: false,
        perItem: true,
        when: { ordered: 'output' }
      },
      { id: 'sign-off', kind: 'signOff', ...words('Sign-off') }
    ]
  })
  const outputs = (given: Order | null) =>
    planSteps(both, given).flatMap((step) => (step.kind === 'output' ? [[step.id, step.output, step.engineOff]] : []))

  it('belongs to that step, wherever its condition says so, and the others to the step for all of the kind', () => {
    expect(
      outputs(
        ordered(
          { kind: 'output', output: 'OUT3' },
          { kind: 'output', as: 'starterRelay', output: 'OUT2' },
          { kind: 'output', output: 'OUT4' }
        )
      )
    ).toEqual([
      ['starter', 'OUT2', true],
      ['outputs', 'OUT3', false],
      ['outputs-2', 'OUT4', false]
    ])
  })

  it('is called as its step calls it', () => {
    expect(
      planSteps(both, ordered({ kind: 'output', as: 'starterRelay', name: { en: 'Relay' } })).find(
        ({ id }) => id === 'starter'
      )?.title
    ).toMatchObject({ values: { en: 'Starter' } })
  })

  it('leaves no empty step behind where nothing else was ordered', () => {
    expect(outputs(ordered({ kind: 'output', as: 'starterRelay', output: 'OUT2' }))).toEqual([
      ['starter', 'OUT2', true]
    ])
    expect(outputs(null)).toEqual([['starter', undefined, true]])
  })
})

describe('A condition', () => {
  const answered = { answered: { step: 'damage', is: true } }
  it('stays open while it hangs on an answer that was not given', () => {
    expect(conditionHolds(answered, { order: null })).toBeUndefined()
    expect(conditionHolds({ not: answered }, { order: null })).toBeUndefined()
    expect(conditionHolds({ all: [{ noOrder: true }, answered] }, { order: null })).toBeUndefined()
    expect(conditionHolds({ any: [{ noOrder: true }, answered] }, { order: null })).toBe(true)
    expect(conditionHolds({ all: [{ ordered: 'camera' }, answered] }, { order: null })).toBe(false)
  })

  it.each([
    [{ answer: true }, true],
    [{ answer: false }, false],
    [{ choose: 'true' }, false]
  ])('that hangs on an answer: %j', (answer, expected) => {
    expect(conditionHolds(answered, { order: null, answerOf: () => answer })).toBe(expected)
  })
})

describe('A checklist', () => {
  it.each([
    ['a kind that does not exist', { kind: 'magic' }],
    ['a setting of another kind', { unit: 'V' }],
    ['an id with blanks', { id: 'a b' }],
    ['no title', { title: undefined }]
  ])('with %s is refused', (_what, change) => {
    const [first, ...rest] = [{ id: 'identity', kind: 'identity', ...words('Identity') }]
    expect(template.safeParse({ ...checklist, steps: [{ ...first, ...change }, ...rest] }).success).toBe(false)
  })
})
