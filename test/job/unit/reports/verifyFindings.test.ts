import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTexts } from '../../../../main/base/messages/texts.ts'
import { makeJsonReport } from '../../../../main/job/reports/json.ts'
import { sayVerdict, shortFingerprint } from '../../../../main/job/reports/checkReport.ts'
import { verifyJsonReport } from '../../../../main/job/reports/verify.ts'
import { sha256Hex } from '../../../../main/data/store/jobs/seal.ts'
import { fingerprintOf, unsigned } from '../../../../main/data/store/jobs/signature.ts'
import { nameMessage, plainMessage } from '../../../../preload/contract/messages.ts'
import {
  chain,
  followLog,
  hashAgain,
  makeOriginals,
  own,
  sealAgain,
  signAgain,
  stranger,
  write,
  type ForgedDocument,
  type Originals
} from '../../../world/data/forgeries.ts'
import { jobOf, makeSealedJob, sealedJobId } from '../../../world/data/sealedJob.ts'

const meta = {
  generatedAt: '2026-11-20T17:00:00.000Z',
  appVersion: '0.1.0',
  texts: createTexts({ language: 'en', timeZone: 'UTC' }),
  isTraining: false
}
const known = { knownKeys: [own.publicKey] }
type Entry = ForgedDocument['log'][number]
type Kind = keyof Originals | 'draft' | 'hashesOnly' | 'first'
type Change = (document: ForgedDocument) => unknown

let originals: Record<Kind, string>
beforeAll(async () => {
  const { entries } = await makeSealedJob(own.sign)
  const log = entries.slice(0, 9)
  const noKey = () => Promise.resolve(unsigned)
  originals = {
    ...(await makeOriginals()),
    draft: await makeJsonReport({ job: jobOf(sealedJobId, log), entries: log, ...meta, sign: own.sign }),
    hashesOnly: await makeJsonReport({ ...(await makeSealedJob(noKey)), ...meta, sign: noKey }),
    first: readFileSync(join(import.meta.dirname, 'report-of-version-1.json'), 'utf8')
  }
})

/** What is wrong, each finding by its name and values. */
const findings = (text: string): string[] =>
  verifyJsonReport(text, known).findings.map((one) =>
    nameMessage(one)
      .replace('report.check.', '')
      .replaceAll('"', '')
      .replace(shortFingerprint(fingerprintOf(stranger.publicKey)), 'of the stranger')
  )
const find = (document: ForgedDocument, type: string): Entry => document.log.find((entry) => entry.type === type)!
const last = (document: ForgedDocument): Entry => document.log.at(-1)!
const set = (entry: Entry, data: object): void => void Object.assign(entry.data, data)
const chained =
  (change: Change): Change =>
  (document) => {
    change(document)
    chain(document)
    followLog(document)
  }
const photo = { sha256: sha256Hex('photo'), mediaType: 'image/jpeg', base64: Buffer.from('photo').toString('base64') }
/** The job got a picture: the report shows it, and is signed. */
async function keepPicture(
  document: ForgedDocument,
  more: Partial<typeof photo> = {},
  type = 'attached'
): Promise<void> {
  const data = {
    attempt: 0,
    sha256: photo.sha256,
    reportSha256: photo.sha256,
    mediaType: photo.mediaType,
    bytes: 5,
    width: 1,
    height: 1,
    purpose: 'other',
    takenAt: null,
    keptAt: meta.generatedAt,
    source: 'file',
    latitude: null,
    longitude: null,
    placeSource: null
  }
  document.log.push({ ...last(document), seq: last(document).seq + 1, type, stepId: null, data: data as never })
  chain(document)
  followLog(document)
  document.pictures = [{ ...photo, ...more }]
  Object.assign(document, await signAgain(document, own.sign))
}

describe('What is wrong with a report is named', () => {
  const cases: [name: string, original: Kind, change: Change, found: string[]][] = [
    ['nothing in a whole one', 'whole', () => undefined, []],
    ['nothing in a redacted one', 'redacted', () => undefined, ['blackedOut {n:1,entries:[4],by:sealer}']],
    [
      'nothing in one of another computer',
      'elsewhere',
      () => undefined,
      ['otherWriter {}', 'blackedOut {n:1,entries:[4],by:other}']
    ],
    [
      'nothing in an earlier one',
      'earlier',
      () => undefined,
      ['blackedOutEarlier {n:1,entries:[4],by:sealer}', 'earlierSeal {}']
    ],
    ['nothing in a draft', 'draft', () => undefined, ['unsealed {}']],
    ['nothing in one without a key', 'hashesOnly', () => undefined, []],
    ['nothing in one of the first version', 'first', () => undefined, ['unsealed {}']],
    // The log
    [
      'a reading in the log',
      'elsewhere',
      (document) => set(find(document, 'evidence'), { raw: 12 }),
      [
        'sealChanged {entry:46}',
        'stepDiffers {step:{id:checklists.identity,values:{}}}',
        'differs {step:{id:checklists.identity,values:{}},entry:4}'
      ]
    ],
    [
      'the end of the log',
      'draft',
      (document) => document.log.pop(),
      [
        'cutLog {}',
        'wrongDocumentSignature {}',
        'jobDiffers {field:updatedAt}',
        'jobDiffers {field:seal}',
        'jobDiffers {field:counts}',
        'stepDiffers {step:{id:checklists.ignition,values:{}}}'
      ]
    ],
    [
      'the hash that is printed',
      'draft',
      (document) => {
        document.seal = sha256Hex('other')
      },
      ['cutLog {}', 'otherMoment {}', 'wrongDocumentSignature {}']
    ],
    [
      'the hash of the job',
      'draft',
      (document) => {
        document.job.seal = sha256Hex('other')
      },
      ['otherMoment {}', 'wrongDocumentSignature {}', 'jobDiffers {field:seal}']
    ],
    [
      'the whole log',
      'draft',
      (document) => {
        document.log = []
      },
      [
        'cutLog {}',
        'wrongDocumentSignature {}',
        'notInLog {step:{id:checklists.identity,values:{}},entry:4}',
        'notInLog {step:{id:checklists.externalPower,values:{}},entry:7}'
      ]
    ],
    // Evidence
    [
      'what was seen',
      'draft',
      (document) => {
        document.job.steps[0]!.evidence[0]!.what = plainMessage('other')
      },
      [
        'wrongDocumentSignature {}',
        'stepDiffers {step:{id:checklists.identity,values:{}}}',
        'differs {step:{id:checklists.identity,values:{}},entry:4}'
      ]
    ],
    [
      'the hash of what was seen',
      'draft',
      (document) => {
        document.job.steps[0]!.evidence[0]!.hash = sha256Hex('other')
      },
      [
        'wrongDocumentSignature {}',
        'stepDiffers {step:{id:checklists.identity,values:{}}}',
        'notInLog {step:{id:checklists.identity,values:{}},entry:4}',
        'notShown {entry:4}'
      ]
    ],
    [
      'evidence left out',
      'draft',
      (document) => {
        document.job.steps[0]!.evidence = []
      },
      ['wrongDocumentSignature {}', 'stepDiffers {step:{id:checklists.identity,values:{}}}', 'notShown {entry:4}']
    ],
    [
      'evidence of another step',
      'draft',
      (document) => {
        const [first, second] = document.job.steps
        ;[first!.evidence, second!.evidence] = [second!.evidence, first!.evidence]
      },
      [
        'wrongDocumentSignature {}',
        'stepDiffers {step:{id:checklists.identity,values:{}}}',
        'stepDiffers {step:{id:checklists.externalPower,values:{}}}',
        'differs {step:{id:checklists.identity,values:{}},entry:7}',
        'differs {step:{id:checklists.externalPower,values:{}},entry:4}'
      ]
    ],
    [
      'evidence that is shown twice',
      'draft',
      (document) => {
        const { evidence } = document.job.steps[0]!
        evidence.push(evidence[0]!)
      },
      [
        'wrongDocumentSignature {}',
        'stepDiffers {step:{id:checklists.identity,values:{}}}',
        'notInLog {step:{id:checklists.identity,values:{}},entry:4}'
      ]
    ],
    // The creation
    [
      'the creation in a draft, later',
      'draft',
      chained(({ log }) => {
        ;[log[0], log[1]] = [
          { ...log[1]!, seq: 1 },
          { ...log[0]!, seq: 2 }
        ]
      }),
      [
        'notCreated {}',
        'wrongDocumentSignature {}',
        'notInLog {step:{id:checklists.identity,values:{}},entry:4}',
        'notInLog {step:{id:checklists.externalPower,values:{}},entry:7}',
        'notShown {entry:4}',
        'notShown {entry:7}'
      ]
    ],
    [
      'a second creation in a draft',
      'draft',
      chained((document) => {
        document.log[1] = { ...document.log[0]!, seq: 2 }
      }),
      ['notCreated {}', 'wrongDocumentSignature {}']
    ],
    [
      'no creation in a draft',
      'draft',
      chained((document) => {
        document.log[0]!.type = 'other'
      }),
      [
        'wrongDocumentSignature {}',
        'notInLog {step:{id:checklists.identity,values:{}},entry:4}',
        'notInLog {step:{id:checklists.externalPower,values:{}},entry:7}',
        'notShown {entry:4}',
        'notShown {entry:7}'
      ]
    ],
    // The seal
    [
      'an entry after the seal',
      'hashesOnly',
      chained((document) => document.log.push({ ...find(document, 'evidence'), seq: last(document).seq + 1 })),
      ['addedAfterSeal {n:1}']
    ],
    ['the seal taken away', 'hashesOnly', chained((document) => document.log.pop()), ['noSeal {}']],
    [
      'the place of the seal',
      'hashesOnly',
      chained((document) => set(last(document), { entries: 3 })),
      ['sealChanged {entry:46}']
    ],
    [
      'the hash in the seal',
      'hashesOnly',
      chained((document) => set(last(document), { head: sha256Hex('other') })),
      ['sealChanged {entry:46}']
    ],
    [
      'the time in a signed seal',
      'elsewhere',
      chained((document) => set(last(document), { at: '2026-11-19T10:00:00.000Z' })),
      ['sealChanged {entry:46}']
    ],
    // What is blacked out
    [
      'the list of what is blacked out',
      'redacted',
      (document) => {
        document.redactedEntries = []
      },
      [
        'broken {entry:4,why:{id:plain.text,values:{text:Entry 4 does not fit its hash: it was changed, or an entry before it was changed or removed.}}}',
        'otherRedactions {}',
        'wrongDocumentSignature {}'
      ]
    ],
    [
      'an entry of the list twice',
      'redacted',
      (document) => {
        document.redactedEntries.push(document.redactedEntries[0]!)
      },
      ['otherRedactions {}', 'wrongDocumentSignature {}']
    ],
    [
      'a proof twice',
      'redacted',
      (document) => {
        document.redactions!.push(document.redactions![0]!)
      },
      ['otherRedactions {}', 'wrongDocumentSignature {}']
    ],
    [
      'an entry of the list that is not in the log',
      'draft',
      (document) => {
        document.redactedEntries = [99]
      },
      ['otherRedactions {}', 'wrongDocumentSignature {}']
    ],
    [
      'an entry of the list without proof',
      'redacted',
      (document) => {
        document.redactions = []
      },
      ['sealChanged {entry:46}', 'decisionBlackedOut {entry:4}', 'wrongDocumentSignature {}']
    ],
    [
      'no proofs at all',
      'redacted',
      (document) => {
        delete document.redactions
      },
      ['sealChanged {entry:46}', 'decisionBlackedOut {entry:4}', 'wrongDocumentSignature {}']
    ],
    [
      'a decision that is blacked out',
      'redacted',
      (document) => {
        const { seq } = find(document, 'stepEnded')
        document.redactedEntries.push(seq)
        document.redactions!.push({ seq, hidden: {}, salts: {} })
      },
      ['sealChanged {entry:46}', 'decisionBlackedOut {entry:5}', 'wrongDocumentSignature {}']
    ],
    [
      'a value of an earlier one',
      'earlier',
      (document) => {
        document.redactedEntries = []
      },
      [
        'broken {entry:4,why:{id:plain.text,values:{text:Entry 4 does not fit its hash: it was changed, or an entry before it was changed or removed.}}}',
        'wrongDocumentSignature {}'
      ]
    ],
    [
      'a new one called an earlier one',
      'redacted',
      (document) => {
        document.version = 3
      },
      ['otherRedactions {}', 'wrongDocumentSignature {}']
    ],
    [
      'an earlier one of another computer',
      'earlier',
      (document) => {
        document.documentSignature = unsigned
      },
      ['decisionBlackedOut {entry:4}', 'noDocumentSignature {}']
    ],
    [
      'an entry after the proved ones',
      'elsewhere',
      (document) => {
        const { seq } = last(document)
        document.redactedEntries.push(seq)
        document.redactions!.push({ seq, hidden: {}, salts: {} })
      },
      ['decisionBlackedOut {entry:46}']
    ],
    // The job
    [
      'a fact of the job',
      'draft',
      (document) => {
        document.job.customer = 'other'
      },
      ['wrongDocumentSignature {}', 'jobDiffers {field:customer}']
    ],
    [
      'a fact that the log does not have',
      'draft',
      (document) => {
        ;(document.job as unknown as Record<string, unknown>)['note'] = 'other'
      },
      ['wrongDocumentSignature {}', 'jobDiffers {field:note}']
    ],
    [
      'a fact that is missing',
      'draft',
      (document) => {
        delete (document.job as Partial<ForgedDocument['job']>).order
      },
      ['wrongDocumentSignature {}']
    ],
    [
      'a fact of a step',
      'draft',
      (document) => {
        document.job.steps[0]!.summary = plainMessage('other')
      },
      ['wrongDocumentSignature {}', 'stepDiffers {step:{id:checklists.identity,values:{}}}']
    ],
    [
      'a step that is missing',
      'draft',
      (document) => {
        document.job.steps.splice(-2)
      },
      ['wrongDocumentSignature {}', 'stepMissing {n:2}']
    ],
    [
      'a step too many',
      'draft',
      (document) => {
        document.job.steps.push({ ...document.job.steps[0]!, id: 'other', evidence: [] })
      },
      ['wrongDocumentSignature {}', 'stepDiffers {step:{id:checklists.identity,values:{}}}']
    ],
    [
      'gateway work in a signed one',
      'draft',
      (document) => {
        document.job.operations = [{ id: '1', kind: 'vehicle.assignDevice', state: 'done' }]
      },
      ['wrongDocumentSignature {}']
    ],
    [
      'gateway work in a sealed one, which is signed',
      'whole',
      async (document) => {
        document.job.operations = [{ id: '1', kind: 'vehicle.assignDevice', state: 'done' }]
        Object.assign(document, await signAgain(document, own.sign))
      },
      []
    ],
    [
      'gateway work in one that is only sealed',
      'elsewhere',
      (document) => {
        document.job.operations = [{ id: '1', kind: 'vehicle.assignDevice', state: 'done' }]
      },
      ['noDocumentSignature {}', 'jobDiffers {field:operations}']
    ],
    [
      'gateway work in one without a key',
      'hashesOnly',
      (document) => {
        document.job.operations = [{ id: '1', kind: 'vehicle.assignDevice', state: 'done' }]
      },
      []
    ],
    [
      'a hand-over in one that is only sealed',
      'elsewhere',
      (document) => {
        document.job.handedOver = { id: '1', to: '', at: '2026-11-20T16:00:00.000Z' }
      },
      ['jobDiffers {field:handedOver}']
    ],
    [
      'a hand-over in one without a key',
      'hashesOnly',
      (document) => {
        document.job.handedOver = { id: '1', to: '', at: '2026-11-20T16:00:00.000Z' }
      },
      []
    ],
    [
      'a hand-over in a signed one',
      'draft',
      (document) => {
        document.job.handedOver = { id: '1', to: '', at: '2026-11-20T16:00:00.000Z' }
      },
      ['wrongDocumentSignature {}']
    ],
    [
      'a log that cannot be read',
      'draft',
      (document) => {
        set(find(document, 'jobCreated'), { template: 7 })
      },
      [
        'broken {entry:1,why:{id:plain.text,values:{text:Entry 1 does not fit its hash: it was changed, or an entry before it was changed or removed.}}}',
        'wrongDocumentSignature {}',
        'logUnreadable {}'
      ]
    ],
    [
      'a log of an earlier version that cannot be read',
      'earlier',
      (document) => {
        set(find(document, 'jobCreated'), { template: 7 })
      },
      [
        'broken {entry:1,why:{id:plain.text,values:{text:Entry 1 does not fit its hash: it was changed, or an entry before it was changed or removed.}}}',
        'wrongDocumentSignature {}'
      ]
    ],
    [
      'a log of an earlier version that cannot be read, with nothing blacked out',
      'earlier',
      (document) => {
        set(find(document, 'jobCreated'), { template: 7 })
        document.redactedEntries = []
      },
      [
        'broken {entry:1,why:{id:plain.text,values:{text:Entry 1 does not fit its hash: it was changed, or an entry before it was changed or removed.}}}',
        'wrongDocumentSignature {}',
        'logUnreadable {}'
      ]
    ],
    [
      'facts of an earlier one',
      'earlier',
      (document) => {
        document.job.customer = 'other'
        document.job.technician = 'other'
        document.job.state = 'running'
        document.job.device.imei = '356307042441013'
      },
      [
        'wrongDocumentSignature {}',
        'jobDiffers {field:state}',
        'jobDiffers {field:device}',
        'jobDiffers {field:customer}',
        'jobDiffers {field:technician}'
      ]
    ],
    [
      'the vehicle of an earlier one',
      'earlier',
      (document) => {
        document.job.vehicle = { id: 7, name: 'Unit 8' }
      },
      ['wrongDocumentSignature {}', 'jobDiffers {field:vehicle}']
    ],
    [
      'a step of an earlier one',
      'earlier',
      (document) => {
        document.job.steps[1]!.state = 'warn'
      },
      ['wrongDocumentSignature {}', 'stepDiffers {step:{id:checklists.externalPower,values:{}}}']
    ],
    [
      'the skip of a step of an earlier one',
      'earlier',
      (document) => {
        document.job.steps[1]!.waiver = { reason: 'other', by: 'other', at: '2026-11-20T16:00:00.000Z' }
      },
      ['wrongDocumentSignature {}', 'stepDiffers {step:{id:checklists.externalPower,values:{}}}']
    ],
    [
      'the name of a step of an earlier one',
      'earlier',
      (document) => {
        document.job.steps[1]!.id = 'other'
        document.job.steps[1]!.evidence = []
      },
      ['wrongDocumentSignature {}', 'stepDiffers {step:{id:checklists.externalPower,values:{}}}', 'notShown {entry:7}']
    ],
    [
      'a step of an earlier one that is missing',
      'earlier',
      (document) => {
        document.job.steps.pop()
      },
      ['wrongDocumentSignature {}', 'stepMissing {n:1}']
    ],
    [
      'a step of an earlier one that was only sent',
      'earlier',
      (document) => {
        document.job.steps[1]!.isSent = true
      },
      ['wrongDocumentSignature {}', 'stepDiffers {step:{id:checklists.externalPower,values:{}}}']
    ],
    // The signature of the document
    [
      'no signature of the document',
      'whole',
      (document) => {
        delete document.documentSignature
      },
      ['noDocumentSignature {}']
    ],
    [
      'no signature in a draft',
      'draft',
      (document) => {
        delete document.documentSignature
      },
      ['noDocumentSignature {}']
    ],
    [
      'no signature in an earlier draft',
      'draft',
      (document) => {
        document.version = 2
        delete document.documentSignature
        delete document.redactions
      },
      ['unsealed {}']
    ],
    [
      'no signature in an earlier sealed one',
      'earlier',
      (document) => {
        document.version = 2
        delete document.documentSignature
      },
      ['decisionBlackedOut {entry:4}', 'noDocumentSignature {}']
    ],
    [
      'no signature in one of the version that signed',
      'draft',
      (document) => {
        document.version = 3
        delete document.documentSignature
        delete document.redactions
      },
      ['noDocumentSignature {}']
    ],
    [
      'a signature of hashes in a draft',
      'draft',
      (document) => {
        document.documentSignature = unsigned
      },
      ['unsealed {}']
    ],
    [
      'a signature of hashes under a sealed one',
      'whole',
      (document) => {
        document.documentSignature = unsigned
      },
      ['noDocumentSignature {}']
    ],
    [
      'a signature of hashes, sentences left out',
      'whole',
      (document) => {
        document.documentSignature = unsigned
        delete document.texts
      },
      ['otherWriter {}']
    ],
    [
      'a signature of hashes with sentences',
      'elsewhere',
      (document) => {
        document.texts = { verdict: 'good', steps: [] }
      },
      ['noDocumentSignature {}']
    ],
    [
      'a signature that does not fit',
      'whole',
      (document) => {
        document.generatedAt = '2026-11-19T17:00:00.000Z'
      },
      ['wrongDocumentSignature {}']
    ],
    [
      'a signature of somebody else',
      'whole',
      async (document) => {
        Object.assign(document, await signAgain(document, stranger.sign))
      },
      ['otherKey {fingerprint:of the stranger}']
    ],
    [
      'a signature of somebody else under a draft',
      'draft',
      async (document) => {
        Object.assign(document, await signAgain(document, stranger.sign))
      },
      ['unsealed {}']
    ],
    [
      'all of it, by somebody else',
      'whole',
      async (document) => {
        await sealAgain(document, stranger.sign)
        Object.assign(document, await signAgain(document, stranger.sign))
      },
      []
    ],
    // Pictures
    [
      'a picture that nobody kept',
      'draft',
      (document) => {
        document.pictures = [photo]
      },
      ['wrongDocumentSignature {}', 'otherPicture {hash:55c64d0fcd6f9d5f}']
    ],
    ['a picture that was kept', 'draft', (document) => keepPicture(document), ['unsealed {}']],
    [
      'a picture with other bytes',
      'draft',
      (document) => keepPicture(document, { base64: Buffer.from('other').toString('base64') }),
      ['otherPicture {hash:55c64d0fcd6f9d5f}']
    ],
    [
      'a picture under another hash',
      'draft',
      (document) => keepPicture(document, { sha256: sha256Hex('other') }),
      ['otherPicture {hash:d9298a10d1b07358}']
    ],
    [
      'a picture of an entry without data',
      'draft',
      async (document) => {
        await keepPicture(document)
        find(document, 'attached').data = null as never
      },
      [
        'broken {entry:10,why:{id:plain.text,values:{text:Entry 10 does not fit its hash: it was changed, or an entry before it was changed or removed.}}}',
        'wrongDocumentSignature {}',
        'logUnreadable {}',
        'otherPicture {hash:55c64d0fcd6f9d5f}'
      ]
    ],
    [
      'no list of pictures',
      'draft',
      (document) => {
        delete (document as Partial<ForgedDocument>).pictures
      },
      ['wrongDocumentSignature {}']
    ]
  ]
  it.each(cases)('%s (%s)', async (_, original, change, found) => {
    const document = JSON.parse(originals[original]) as ForgedDocument
    await change(document)
    expect(findings(write(document))).toEqual(found)
  })
})

it.each<[string, Change]>([
  [
    'missing',
    (document) => {
      document.log[0]!.type = 'other'
    }
  ],
  [
    'twice',
    (document) => {
      document.log[1] = { ...document.log[0]!, seq: 2 }
    }
  ],
  [
    'later',
    ({ log }) => {
      ;[log[0], log[1]] = [
        { ...log[1]!, seq: 1 },
        { ...log[0]!, seq: 2 }
      ]
    }
  ]
])('the creation of a sealed job is %s', async (_, change) => {
  const document = JSON.parse(originals.hashesOnly) as ForgedDocument
  change(document)
  await sealAgain(document, () => Promise.resolve(unsigned))
  expect(findings(write(document))).toContain('notCreated {}')
})

it('a picture that another entry names was kept by nobody', async () => {
  const document = JSON.parse(originals.draft) as ForgedDocument
  await keepPicture(document, {}, 'note')
  expect(findings(write(document))).toContain(`otherPicture {hash:${photo.sha256.slice(0, 16)}}`)
})

describe('The letters of the file', () => {
  const body = () => originals.draft.slice(0, originals.draft.lastIndexOf('  "documentHash"'))

  it.each<[string, (text: string) => string, string[]]>([
    ['without a hash', (text) => text.replace('"documentHash"', '"documenthash"'), ['noHash', 'notReport']],
    [
      'with a hash of other letters',
      (text) => text.replace(/"documentHash": "./, '"documentHash": "X'),
      ['noHash', 'notReport']
    ],
    [
      'with a hash that is too short',
      (text) => text.replace(/"documentHash": "./, '"documentHash": "'),
      ['noHash', 'notReport']
    ],
    ['with more behind it', (text) => `${text}more`, ['noHash']],
    [
      'with a changed letter',
      (text) => text.replace('Customer One', 'Customer Owe'),
      ['changed', 'wrongDocumentSignature', 'jobDiffers']
    ],
    [
      'with half a letter',
      (text) =>
        hashAgain(text.slice(0, text.lastIndexOf('  "documentHash"')).replace('Customer One', 'Customer \ud800')),
      ['changed']
    ],
    ['that is no JSON', () => hashAgain('{"a":'), ['notJson']],
    ['that is another JSON', () => hashAgain('{\n'), ['notReport']]
  ])('%s', (_, change, ids) => {
    const { findings: found, ok, verdict } = verifyJsonReport(change(originals.draft), known)
    expect([ok, verdict]).toEqual([false, 'changed'])
    expect(found.map(({ id }) => id.replace('report.check.', '')).slice(0, ids.length)).toEqual(ids)
  })

  it('must be those that Fitter writes', () => {
    expect(findings(hashAgain(body().replace('"version": 4', '"version":  4')))).toEqual(['otherSpelling {}'])
  })

  it('are not asked for where they were changed afterwards', () => {
    expect(findings(originals.draft.replace('"version": 4', '"version":  4'))).toEqual(['changed {}'])
  })

  it('name the field that is not as expected, or the document', () => {
    expect(verifyJsonReport(hashAgain(body().replace('"version": 4', '"version": 5'))).findings).toContainEqual({
      id: 'report.check.notReport',
      values: { version: 4, field: 'version' }
    })
    expect(verifyJsonReport('7').findings).toContainEqual({
      id: 'report.check.notReport',
      values: { version: 4, field: { id: 'report.check.document', values: {} } }
    })
  })

  it('begin with the first one, and no mark of an encoding', () => {
    expect(verifyJsonReport(Buffer.from(originals.draft), known).ok).toBe(true)
    expect(verifyJsonReport(Buffer.from(`\ufeff${originals.draft}`), known).ok).toBe(false)
  })

  it('have no seal where they are no report', () => {
    expect(verifyJsonReport('7').seal).toBeNull()
    expect(verifyJsonReport(Uint8Array.of(0xff)).seal).toBeNull()
  })
})

describe('What a report is', () => {
  const verdict = (kind: Kind, knownKeys?: string[]) => {
    const check = verifyJsonReport(originals[kind], { knownKeys })
    expect(check.ok).toBe(true)
    return [check.verdict, check.seal?.isKnown, ...check.findings.map(({ id }) => id.replace('report.check.', ''))]
  }

  it.each<[Kind, string[] | undefined, unknown[]]>([
    ['whole', [own.publicKey], ['knownKey', true]],
    ['whole', [stranger.publicKey], ['unknownKey', false]],
    ['whole', undefined, ['unknownKey', null, 'keyNotLookedUp']],
    ['elsewhere', undefined, ['unknownKey', null, 'otherWriter', 'blackedOut', 'keyNotLookedUp']],
    ['redacted', [own.publicKey], ['knownKey', true, 'blackedOut']],
    ['earlier', [own.publicKey], ['knownKey', true, 'blackedOutEarlier', 'earlierSeal']],
    ['draft', [own.publicKey], ['notSealed', null, 'unsealed']],
    ['hashesOnly', [own.publicKey], ['hashesOnly', null]],
    ['hashesOnly', undefined, ['hashesOnly', null]],
    ['first', undefined, ['notSealed', null, 'unsealed']]
  ])('%s', (kind, keys, expected) => {
    expect(verdict(kind, keys)).toEqual(expected)
  })

  it('comes with its seal, also when something is wrong', async () => {
    const { seal } = JSON.parse(originals.whole) as ForgedDocument
    const sealedAt = (find(JSON.parse(originals.whole) as ForgedDocument, 'sealed').data as { at?: string }).at
    expect(verifyJsonReport(originals.whole, known).seal).toEqual({
      kind: 'signed',
      hash: seal,
      at: sealedAt,
      fingerprint: fingerprintOf(own.publicKey),
      isKnown: true
    })
    const document = JSON.parse(originals.whole) as ForgedDocument
    document.job.customer = 'other'
    expect(verifyJsonReport(write(document), known)).toMatchObject({
      ok: false,
      seal: { kind: 'signed', isKnown: true }
    })
    expect(verifyJsonReport(originals.draft).seal).toMatchObject({
      kind: 'none',
      at: null,
      fingerprint: null,
      isKnown: null
    })
  })

  it('is said first, with the first half of the fingerprint of its key', () => {
    const fingerprint = fingerprintOf(own.publicKey)
    const short = fingerprint.slice(0, 32).replace(/(.{4})(?=.)/g, '$1 ')
    expect(shortFingerprint(fingerprint)).toBe(short)
    expect(shortFingerprint('')).toBe('')
    expect(sayVerdict(verifyJsonReport(originals.whole, known))).toEqual({
      id: 'report.verdict.knownKey',
      values: { fingerprint: short }
    })
    expect(sayVerdict(verifyJsonReport(originals.whole))).toEqual({
      id: 'report.verdict.unknownKey',
      values: { fingerprint: short }
    })
    expect(sayVerdict(verifyJsonReport(originals.draft))).toEqual({ id: 'report.verdict.notSealed', values: {} })
    expect(sayVerdict({ ok: true, verdict: 'knownKey', findings: [], seal: null })).toEqual({
      id: 'report.verdict.knownKey',
      values: { fingerprint: '' }
    })
  })
})
