import type { Rule, Setup } from './state.ts'

const own = { laptops: 2, kinds: ['own'] } as const satisfies Omit<Setup, 'left'>
const three = { ...own, laptops: 3 } as const

/** Worlds that hold with all rules: those that are walked in a moment, and those that take minutes. */
export const worlds: { setup: Setup; isLong?: true }[] = [
  { setup: { ...own, left: { offers: 1, lostReplies: 1 } } },
  { setup: { ...own, left: { offers: 1, badNetwork: 1, crashes: 1 } }, isLong: true },
  { setup: { ...own, left: { takeOvers: 1, decisions: 1 } } },
  { setup: { laptops: 2, kinds: ['refusing'], left: { takeOvers: 1, decisions: 1 } } },
  { setup: { laptops: 2, kinds: ['untold'], left: { takeOvers: 1, decisions: 1 } } },
  { setup: { laptops: 2, kinds: ['never'], left: { takeOvers: 1, decisions: 1 } } },
  { setup: { laptops: 2, kinds: ['untold'], left: { offers: 1, badNetwork: 1 } } },
  { setup: { laptops: 3, kinds: ['untold'], left: { files: 1 } } },
  { setup: { laptops: 3, kinds: ['untold'], left: { offers: 2, files: 1, decisions: 1 } }, isLong: true },
  { setup: { laptops: 2, kinds: ['untold'], left: { offers: 1, setBacks: 1, decisions: 1 } }, isLong: true },
  { setup: { ...own, left: { takeOvers: 1, setBacks: 1 } } },
  { setup: { ...three, left: { offers: 1, takeOvers: 1, decisions: 1 } }, isLong: true },
  { setup: { ...three, left: { offers: 1, takeOvers: 1, gone: 1 } }, isLong: true },
  ...(['own', 'refusing', 'untold', 'never'] as const).flatMap((kind): { setup: Setup; isLong: true }[] => [
    {
      setup: { laptops: 2, kinds: [kind], left: { offers: 1, takeOvers: 1, decisions: 1, badNetwork: 1 } },
      isLong: true
    },
    {
      setup: {
        laptops: 2,
        kinds: [kind],
        left: { takeOvers: 1, decisions: 1, badNetwork: 1, crashes: 1, lostReplies: 1 }
      },
      isLong: true
    },
    { setup: { laptops: 2, kinds: [kind, 'own'], left: { takeOvers: 1, decisions: 1 } }, isLong: true },
    {
      setup: { laptops: 2, kinds: [kind], left: { takeOvers: 1, setBacks: 1, decisions: 1, badNetwork: 1 } },
      isLong: true
    }
  ]),
  { setup: { ...own, left: { offers: 1, takeOvers: 1, lostReplies: 1 } }, isLong: true },
  { setup: { ...own, left: { offers: 1, takeOvers: 1, lateCalls: 1 } }, isLong: true },
  { setup: { ...own, left: { offers: 2, lateCalls: 1 } }, isLong: true },
  { setup: { ...own, left: { offers: 1, takeOvers: 1, setBacks: 1 } }, isLong: true },
  { setup: { ...own, left: { offers: 1, entries: 1, setBacks: 1 } }, isLong: true },
  { setup: { ...own, left: { takeOvers: 2, entries: 1, decisions: 1 } }, isLong: true },
  { setup: { ...own, left: { files: 1, offers: 1 } }, isLong: true },
  { setup: { ...own, left: { files: 1, takeOvers: 1, decisions: 1 } }, isLong: true }
]

/** Each rule left out, in a world in which it is missed. */
export const removals: { without: Rule; setup: Setup; isLong?: true }[] = [
  { without: 'inert in the same instant', setup: { ...own, left: { offers: 1 } } },
  { without: 'one laptop takes an offer', setup: { ...three, left: { offers: 1 } } },
  {
    without: 'a take that comes again unseats nobody',
    setup: { ...own, left: { offers: 2, lateCalls: 1 } },
    isLong: true
  },
  {
    without: 'an offer goes out only while nobody else holds the job',
    setup: { ...three, left: { offers: 1, takeOvers: 1 } }
  },
  { without: 'what left goes along until its new holder pushed', setup: { ...three, left: { offers: 1, gone: 1 } } },
  { without: 'taking back asks the server', setup: { ...own, left: { offers: 1 } } },
  {
    without: 'a withdrawal is remembered for offers that come late',
    setup: { ...own, left: { offers: 1, lateCalls: 1 } }
  },
  { without: 'no file of what went by the team log', setup: { ...own, left: { offers: 1, files: 1 } } },
  {
    without: 'what was taken and did not arrive comes with the next look',
    setup: { ...own, left: { offers: 1, lostReplies: 1 } }
  },
  { without: 'what the server gave back is taken back here', setup: { ...own, left: { offers: 1, lostReplies: 1 } } },
  { without: 'an offer that the server forgot goes out again', setup: { ...own, left: { offers: 1, setBacks: 1 } } },
  {
    without: 'a take-over that the server forgot is made again',
    setup: { ...own, left: { takeOvers: 1, setBacks: 1 } }
  },
  { without: 'whoever lost a job stops', setup: { ...own, left: { takeOvers: 1 } } },
  { without: 'a push that is refused is told', setup: { ...own, left: { files: 1 } } },
  {
    without: 'what the new holder did not get is told',
    setup: { laptops: 2, kinds: ['own', 'own'], left: { takeOvers: 1 } },
    isLong: true
  },
  { without: 'read back before anything else', setup: { ...own, left: { offers: 1, badNetwork: 1 } } },
  { without: 'what appeared since it was wanted may be ours', setup: { ...own, left: { takeOvers: 1, decisions: 1 } } },
  { without: 'after a take-over a person is asked', setup: { ...own, left: { takeOvers: 1 } } },
  { without: 'looked for right before it is sent', setup: { ...own, left: { takeOvers: 1 } } },
  {
    without: 'a log that went on otherwise is not taken',
    setup: { ...own, left: { takeOvers: 1, offers: 1, entries: 1 } }
  }
]
