import type { Json } from '../../../preload/contract/define.ts'

type Written = Record<string, Json>

const words = (en: string, es: string) => ({ title: { en, es }, instruction: { en: `${en}.`, es: `${es}.` } })

/** A small checklist as a customer writes it, in which nothing is wrong; with what a test changes. */
export function ownChecklist(change: Written = {}): Written & { steps: Written[] } {
  return {
    id: 'our-vans',
    version: 1,
    name: { en: 'Our vans', es: 'Nuestras furgonetas' },
    kind: 'installation',
    description: { en: 'For vans', es: 'Para furgonetas' },
    steps: [
      { id: 'identity', kind: 'identity', ...words('Identity', 'Identidad') },
      { id: 'damage', kind: 'question', ...words('Damage', 'Daños') },
      {
        id: 'starter',
        kind: 'output',
        ...words('Starter', 'Arranque'),
        engineOff: true,
        when: { ordered: 'starterRelay' }
      },
      {
        id: 'outputs',
        kind: 'output',
        ...words('Output', 'Salida'),
        engineOff: false,
        perItem: true,
        when: { ordered: 'output' }
      },
      { id: 'why', kind: 'question', ...words('Why', 'Por qué'), when: { answered: { step: 'damage', is: true } } },
      { id: 'sign-off', kind: 'signOff', ...words('Sign-off', 'Cierre') }
    ],
    orderNames: { starterRelay: { en: 'Starter relay', es: 'Relé de arranque' } },
    ...change
  } as Written & { steps: Written[] }
}

/** The same with one of its steps changed. */
export function withStep(id: string, change: Written): Written {
  const checklist = ownChecklist()
  return { ...checklist, steps: checklist.steps.map((step) => (step['id'] === id ? { ...step, ...change } : step)) }
}
