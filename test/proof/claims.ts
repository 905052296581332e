/**
 * What Fitter claims, the run that measures it, and where the figure stands in the text of the run. The longest proofs
 * run here with fewer cases than alone; the number is in the command.
 */
export interface Claim {
  claim: string
  /** Named groups: `figure`, and where it was measured in the same run `baseline` and `ratio`. */
  find: RegExp
  unit?: string
  /** Of the other side, where it is another one. */
  otherUnit?: string
  /** The figure (or the ratio, when it is one) may be at most this; `least`: at least. */
  most?: number
  least?: number
}

export interface Measurement {
  /** `bench NAME …`, `proof NAME …` or `test PART`, as after `npm run`. */
  run: (seed: number) => string[]
  /** The same in its short form; missing: not part of `--quick`. */
  quick?: (seed: number) => string[]
  claims: readonly Claim[]
}

const passedTests = /Tests\s+(?<figure>\d+) passed/
const bench =
  (...words: string[]) =>
  () => ['bench', ...words]

export const measurements: readonly Measurement[] = [
  {
    run: (seed) => ['proof', 'forgeries', '400', String(seed)],
    quick: (seed) => ['proof', 'forgeries', '50', String(seed)],
    claims: [
      {
        claim: 'No forged report is accepted',
        find: /Forgeries: (?<baseline>\d+) tried, (?<figure>\d+) accepted/,
        unit: 'accepted',
        otherUnit: 'tried',
        most: 0
      }
    ]
  },
  {
    run: (seed) => ['proof', 'files', '10000', String(seed)],
    quick: (seed) => ['proof', 'files', '500', String(seed)],
    claims: [
      {
        claim: 'Every file gets an answer from the check of a report',
        find: /Files: (?<baseline>\d+) tried, (?<figure>\d+) without an answer/,
        unit: 'without an answer',
        otherUnit: 'tried',
        most: 0
      }
    ]
  },
  {
    run: (seed) => ['proof', 'powercut', String(seed)],
    quick: (seed) => ['proof', 'powercut', String(seed), '0.1'],
    claims: [
      {
        claim: 'A power cut loses no acknowledged entry of a job',
        find: /Power cuts: .*?(?<baseline>\d+) acknowledged.*?lost (?<figure>\d+)/,
        unit: 'lost',
        otherUnit: 'acknowledged',
        most: 0
      }
    ]
  },
  {
    run: (seed) => ['proof', 'kills', String(seed), '400'],
    claims: [{ claim: 'A killed process leaves the data whole', find: /: (?<figure>\d+) points/, unit: 'instants' }]
  },
  {
    run: (seed) => ['proof', 'disk', String(seed), '150'],
    claims: [{ claim: 'A failing disk leaves the data whole', find: /: (?<figure>\d+) points/, unit: 'instants' }]
  },
  {
    run: (seed) => ['proof', 'damage', '1000', String(seed)],
    quick: (seed) => ['proof', 'damage', '60', String(seed)],
    claims: [
      {
        claim: 'A damaged data file is never silently wrong',
        find: /Silently wrong: (?<figure>\d+)/,
        unit: 'files',
        most: 0
      }
    ]
  },
  {
    run: () => ['proof', 'diagnosis'],
    claims: [
      { claim: 'Every fault is named within a minute, and nothing false is', find: passedTests, unit: 'stories' }
    ]
  },
  {
    run: () => ['proof', 'stories'],
    claims: [{ claim: 'Every fault story gets the right verdict in a whole job', find: passedTests, unit: 'stories' }]
  },
  {
    run: (seed) => ['proof', 'operations', '100', String(seed), 'daily'],
    claims: [{ claim: 'Each gateway change is applied once, through every failure', find: passedTests, unit: 'tests' }]
  },
  {
    run: (seed) => ['proof', 'going', '20', String(seed)],
    claims: [
      {
        claim: 'A job that stands still says what it waits for, in any order of steps',
        find: passedTests,
        unit: 'tests'
      }
    ]
  },
  {
    run: (seed) => ['proof', 'holding', '40', String(seed), 'daily'],
    claims: [{ claim: 'Work is always in one place while jobs move between laptops', find: passedTests, unit: 'tests' }]
  },
  {
    run: () => ['proof', 'transfers'],
    claims: [{ claim: 'A hand-over survives a process that dies at any instant', find: passedTests, unit: 'tests' }]
  },
  {
    run: (seed) => ['proof', 'bundles', '10000', String(seed)],
    claims: [{ claim: 'A changed support bundle is refused', find: passedTests, unit: 'tests' }]
  },
  {
    run: () => ['proof', 'terminal'],
    claims: [
      {
        claim: 'Every terminal command ends within its limit against ten kinds of bad peers',
        find: /(?<baseline>\d+) runs, (?<figure>\d+) with faults/,
        unit: 'faults',
        otherUnit: 'runs',
        most: 0
      }
    ]
  },
  {
    run: (seed) => ['proof', 'team', '60', String(seed)],
    claims: [
      {
        claim: 'The team log loses and doubles nothing while laptops, servers and networks break',
        find: /lost (?<figure>\d+)/,
        unit: 'lost',
        most: 0
      }
    ]
  },
  {
    run: () => ['proof', 'networks'],
    claims: [
      {
        claim: 'The gateway is found over another card when one has no internet',
        find: /Plugged in again: .* after (?<figure>\d+) ms/,
        unit: 'ms'
      }
    ]
  },
  {
    run: () => ['proof', 'security'],
    claims: [
      {
        claim: 'Breaking any rule of security fails a test',
        find: /(?<figure>\d+) of (?<baseline>\d+)\s*$/,
        unit: 'rules'
      }
    ]
  },
  {
    run: () => ['test', 'rest'],
    claims: [
      {
        claim: 'The long tests and all walks in a browser pass',
        find: /(?<figure>\d+) passed, 0 failed, 0 skipped/,
        unit: 'tests'
      }
    ]
  },
  {
    run: (seed) => ['proof', 'steady', '10', String(seed)],
    claims: [
      {
        claim: 'The daily tests pass on any date, in any time zone',
        find: /Steady: (?<figure>\d+) of (?<baseline>\d+) days/,
        unit: 'days'
      }
    ]
  },
  {
    run: bench('turns'),
    quick: bench('turns'),
    claims: [
      {
        claim: 'Twenty jobs share the gateway’s limit fairly and all end',
        find: /"inTurn":.*?"lastMs":(?<figure>[\d.]+),"allowedMs":(?<baseline>[\d.]+),"ratio":(?<ratio>[\d.]+)/,
        unit: 'ms',
        most: 1.3
      }
    ]
  },
  {
    run: bench('sync', '500'),
    quick: bench('sync', '500'),
    claims: [
      {
        claim: 'Requests for each piece of waiting work',
        find: /work, clean: \d+ requests, (?<figure>[\d.]+) each/,
        most: 1.1
      },
      {
        claim: 'Waiting work is sent in the time that the limits allow',
        find: /work, clean:[\s\S]*?taken after (?<figure>[\d.]+) s.*?request each .*?, (?<baseline>[\d.]+) s for these requests \(ratio (?<ratio>[\d.]+)/,
        unit: 's',
        most: 1.1
      },
      {
        claim: 'Work that never succeeds does not delay the rest',
        find: /delay the rest by (?<figure>-?[\d.]+) %/,
        unit: '%',
        most: 5
      }
    ]
  },
  {
    run: (seed) => ['proof', 'outputs', '100000', String(seed)],
    quick: (seed) => ['proof', 'outputs', '1000', String(seed)],
    claims: [
      {
        claim: 'Off means off, whatever happens at the same time: each broken rule of outputs is noticed',
        find: /Broken rules: (?<figure>\d+) of (?<baseline>\d+) noticed/,
        unit: 'rules'
      }
    ]
  },
  {
    run: bench('pictures'),
    quick: bench('pictures'),
    claims: [
      {
        claim: 'A picture of 12 million pixels is ready',
        find: /4000 x 3000 px, .*? ready in (?<figure>\d+) ms/,
        unit: 'ms'
      }
    ]
  },
  { run: bench('start'), quick: bench('start', '5000', '3'), claims: [] },
  {
    run: bench('router'),
    quick: bench('router', '60'),
    claims: [
      {
        claim: 'A call through the checked router, against a raw echo',
        find: /middle of the calls: (?<figure>[\d.]+)/,
        unit: 'of an echo',
        most: 1.3
      }
    ]
  },
  {
    run: bench('idle'),
    quick: bench('idle', '15'),
    claims: [
      {
        claim: 'The core at rest with 20 devices in sight',
        find: /percent of a core (?<figure>[\d.]+)/,
        unit: '% of a core',
        most: 1
      },
      { claim: 'Its memory meanwhile', find: /resident MB (?<figure>[\d.]+)/, unit: 'MB', most: 250 }
    ]
  },
  {
    run: bench('hours'),
    claims: [
      {
        claim: 'Growth of memory over eight hours of jobs',
        find: /heapKb .*?: (?<figure>-?[\d.]+) an hour, noise (?<baseline>[\d.]+)/,
        unit: 'kB an hour',
        otherUnit: 'kB of noise'
      },
      { claim: 'Growth of timers', find: /timers .*?: (?<figure>-?[\d.]+) an hour/, unit: 'an hour', most: 0 },
      { claim: 'Growth of handles', find: /handles .*?: (?<figure>-?[\d.]+) an hour/, unit: 'an hour', most: 0 },
      { claim: 'Growth of listeners', find: /listeners .*?: (?<figure>-?[\d.]+) an hour/, unit: 'an hour', most: 0 }
    ]
  },
  {
    run: bench('jobs'),
    claims: [
      {
        claim: 'Twenty installations at once end as soon as the limits of the gateway allow',
        find: /"ofTheLimits": (?<figure>[\d.]+)/,
        unit: 'of that time',
        most: 1.3
      },
      { claim: 'What a check costs this computer', find: /"ownMsPerCheck": (?<figure>[\d.]+)/, unit: 'ms', most: 200 },
      {
        claim: 'Questions to the person in a standard installation',
        find: /"questionsOfAJob": (?<figure>\d+)/,
        unit: 'questions',
        most: 14
      }
    ]
  },
  {
    run: bench('backup'),
    quick: bench('backup', '--quick'),
    claims: [
      {
        claim: 'A backup while entries are written, against a bare VACUUM',
        find: /ours takes (?<figure>[\d.]+) of it/,
        unit: 'of its time'
      }
    ]
  },
  {
    run: bench('outputs'),
    quick: bench('outputs', '20'),
    claims: [
      {
        claim: 'From a press of Off to its first byte, p95',
        find: /"p95Ms":(?<figure>[\d.]+),"goalMs"/,
        unit: 'ms',
        most: 50
      }
    ]
  },
  {
    run: bench('store'),
    quick: bench('store', '--quick'),
    claims: [
      {
        claim: 'Searching the log as a person types, p95',
        find: /wrong letters too: p95 (?<figure>[\d.]+) ms/,
        unit: 'ms',
        most: 5
      }
    ]
  },
  { run: bench('terminal'), quick: bench('terminal', '--quick'), claims: [] },
  {
    run: bench('reports'),
    quick: bench('reports'),
    claims: [
      {
        claim: 'A report with twelve photos is written',
        find: /report in its thread: (?<figure>\d+) ms[\s\S]*?same pictures: (?<baseline>\d+) ms/,
        unit: 'ms',
        most: 3_000
      }
    ]
  },
  {
    run: bench('gateway'),
    claims: [
      {
        claim: 'A list of vehicles is read in the time that the gateway’s limit allows',
        find: /List of [\s\S]*?: (?<figure>[\d.]+) s,[\s\S]*?windows alone: (?<baseline>[\d.]+) s[\s\S]*?windows alone (?<ratio>[\d.]+)/,
        unit: 's',
        most: 1.15
      }
    ]
  },
  {
    run: bench('device'),
    claims: [
      {
        claim: 'What the device client adds to a bare request, p95',
        find: /raw http: median [\d.]+ ms, p95 (?<baseline>[\d.]+) ms[\s\S]*?less p95 of raw: (?<figure>-?[\d.]+) ms/,
        unit: 'ms',
        most: 3
      }
    ]
  },
  {
    run: bench('copies'),
    claims: [
      {
        claim: 'A copy of the vehicles takes what the limit allows',
        find: /Copy of .*?: (?<figure>[\d.]+) s; bound (?<baseline>[\d.]+) s; ratio (?<ratio>[\d.]+)/,
        unit: 's',
        most: 1.15
      }
    ]
  },
  {
    run: bench('reach'),
    claims: [
      {
        claim: 'A gateway that is back is noticed',
        find: /Worst of \d+: reachable (?<figure>[\d.]+) s/,
        unit: 's',
        most: 6
      }
    ]
  },
  {
    run: bench('discovery'),
    claims: [
      {
        claim: 'Idle with devices in sight, share of a core',
        find: /Idle with \d+ devices: (?<figure>[\d.]+) %/,
        unit: '%',
        most: 1
      }
    ]
  },
  {
    run: bench('diagnosis'),
    claims: [
      {
        claim: 'Frames of 100,000 events made in time',
        find: /all of the explorer: (?<figure>[\d.]+) % against (?<baseline>[\d.]+) %/,
        unit: '%',
        least: 95
      },
      {
        claim: 'A support bundle of 50 MB opens',
        find: /each part held against its hash: (?<figure>\d+) ms.*?unpacked bare: (?<baseline>\d+) ms; ratio (?<ratio>[\d.]+)/,
        unit: 'ms'
      }
    ]
  },
  {
    run: bench('window'),
    claims: [
      { claim: 'What the first screen loads', find: /first JavaScript: (?<figure>[\d.]+) kB/, unit: 'kB', most: 200 },
      { claim: 'Layout shift over a whole job', find: /layout shift over a whole job: (?<figure>[\d.]+)/, most: 0.02 }
    ]
  },
  {
    run: bench('team', 'list'),
    claims: [
      { claim: 'Lists of the team log, p95', find: /all of them: p95 (?<figure>[\d.]+) ms/, unit: 'ms', most: 100 }
    ]
  },
  {
    run: () => ['proof', 'mutants', 'seal', 'signature', 'verify', 'redaction', 'outputs'],
    claims: [
      {
        claim: 'Changes of critical code that its tests notice',
        find: /Mutants: at least (?<figure>[\d.]+) % in each of (?<baseline>\d+) groups/,
        unit: '%',
        otherUnit: 'groups',
        least: 95
      }
    ]
  }
]
