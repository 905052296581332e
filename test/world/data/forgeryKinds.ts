import { fieldsOfLog, leaveOut, type Redaction } from '../../../main/data/store/jobs/sealedFields.ts'
import { sealEntry, sha256Hex } from '../../../main/data/store/jobs/seal.ts'
import { sealText, unsigned, type Signature } from '../../../main/data/store/jobs/signature.ts'
import type { ReportVerdict } from '../../../main/job/reports/checkReport.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import {
  chain,
  chainFrom,
  followLog,
  own,
  replaceText,
  sealAgain,
  signAgain,
  stranger,
  type ForgedDocument,
  type Originals
} from './forgeries.ts'

type Entry = ForgedDocument['log'][number]
export type Change = (document: ForgedDocument) => void | Promise<void>

const indexOf = (document: ForgedDocument, type: string): number =>
  document.log.findIndex((entry) => entry.type === type)
const find = (document: ForgedDocument, type: string): Entry => document.log[indexOf(document, type)]!
const setData = (entry: Entry, data: object): void => void Object.assign(entry.data, data)
const rechained =
  (change: Change): Change =>
  async (document) => {
    await change(document)
    chain(document)
    followLog(document)
  }
/**
 * The text of an entry changed, the entry called blacked out, and the job to follow: "the hash is that of the
 * original".
 */
const asGiven =
  (type: string, data: object): Change =>
  (document) => {
    const entry = find(document, type)
    setData(entry, data)
    document.redactedEntries = [...new Set([...document.redactedEntries, entry.seq])].sort((a, b) => a - b)
    followLog(document)
  }
const resigned =
  (change: Change): Change =>
  async (document) => {
    await change(document)
    Object.assign(document, await signAgain(document, stranger.sign))
  }
/** Only what the seal covers, with no signature of the document. */
const withoutSignature =
  (change: Change): Change =>
  async (document) => {
    await change(document)
    delete document.texts
    document.job.operations = []
    document.documentSignature = unsigned
  }
const otherDevice = { device: { imei: '356307042441013', model: 'ft4', address: '192.168.8.1' } }

/** The last entry changed, as nothing but its own hash covers it; the job follows. */
const lastEntry = (change: (entry: Entry) => void): Change =>
  withoutSignature((document) => {
    change(document.log.at(-1)!)
    chainFrom(document, document.log.length - 1)
    followLog(document)
  })
/** More entries after the last one, with hashes that fit. */
const appended = (...more: [type: string, data: object][]): Change =>
  withoutSignature((document) => {
    const from = document.log.length
    for (const [type, data] of more)
      document.log.push({
        ...document.log.at(-1)!,
        seq: document.log.length + 1,
        type,
        stepId: null,
        data: data as never
      })
    chainFrom(document, from)
    followLog(document)
  })
const movedAway: [string, object] = [
  'movedAway',
  { id: '01JD2FA0QW', to: 'Forged Ltd, owner since 2020', at: '2026-11-20T16:40:00.000Z' }
]
const movedHere: [string, object] = [
  'movedHere',
  {
    id: '01JD2FA0QW',
    from: 'Forged Ltd',
    at: '2026-11-20T16:41:00.000Z',
    by: 'Forged Ltd',
    reason: 'Customer approved all skipped steps on the phone'
  }
]

/** An own field, also where assigning it would set something else. */
const setOwn = (target: object, name: string, value: unknown): void =>
  void Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true })
/** The first entry of evidence with a value blacked out by the forger, who can read its salt. */
function blackOut(document: ForgedDocument, names: string[]): { entry: Entry; redaction: Redaction } {
  const index = document.log.findIndex(({ type, data }) => type === 'evidence' && Object.hasOwn(data, 'salt'))
  const { entry, redaction } = leaveOut(document.log[index]!, names)
  document.log[index] = entry as Entry
  document.redactions = [...(document.redactions ?? []), redaction].sort((a, b) => a.seq - b.seq)
  document.redactedEntries = document.redactions.map(({ seq }) => seq)
  return { entry: entry as Entry, redaction }
}
const firstRedaction = (document: ForgedDocument): Redaction => document.redactions![0]!
const redactedEntry = (document: ForgedDocument): Entry =>
  document.log.find(({ seq }) => seq === document.redactedEntries[0])!
/** Names that every object already answers to. */
const inheritedNames = [
  '__proto__',
  'constructor',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'isPrototypeOf',
  'toLocaleString',
  '__defineGetter__'
]
const values: [name: string, value: unknown][] = [
  ['nothing', null],
  ['an object', {}],
  ['words', 'Approved']
]

/** A seal of the forger's over what stands in the log, and the signature of the same key. */
const sealedOver =
  (sign: (text: string) => Promise<Signature>): Change =>
  async (document) => {
    const { id } = document.job
    const claim = { head: document.log.at(-1)!.hash, entries: document.log.length, at: '2026-11-20T17:30:00.000Z' }
    const data = { ...claim, ...(await sign(sealText({ job: id, ...claim }))) }
    document.log.push(
      sealEntry(claim.head, { seq: document.log.length + 1, at: claim.at, type: 'sealed', stepId: null, data }) as Entry
    )
    document.seal = document.log.at(-1)!.hash
    followLog(document)
    Object.assign(document, await signAgain(document, sign))
  }

/** What a forger may try with a report of Fitter who knows everything but its key: every hash fits wherever it can. */
export type Forgery = [name: string, original: keyof Originals, change: Change, verdict?: ReportVerdict]
export const forgeries: Forgery[] = [
  // Values
  ['a reading', 'whole', (document) => setData(find(document, 'evidence'), { raw: { value: 12 } })],
  [
    'a reading, chained again',
    'whole',
    rechained((document) => setData(find(document, 'evidence'), { raw: { value: 12 } }))
  ],
  [
    'a reading in job and log, hashes as they were',
    'whole',
    (document) => {
      setData(find(document, 'evidence'), { raw: { value: 12 } })
      followLog(document)
    }
  ],
  ['a limit', 'whole', rechained((document) => setData(find(document, 'evidence'), { thresholds: { passM: 5000 } }))],
  [
    'the witness of a reading',
    'whole',
    rechained((document) => setData(find(document, 'evidence'), { witness: 'gateway' }))
  ],
  [
    'a clock of the gateway',
    'whole',
    rechained((document) =>
      setData(find(document, 'evidence'), { clocks: { device: null, gateway: '2026-11-01T00:00:00.000Z' } })
    )
  ],
  ['the IMEI', 'whole', rechained((document) => setData(find(document, 'jobCreated'), otherDevice))],
  [
    'the IMEI in the job alone',
    'whole',
    (document) => {
      document.job.device.imei = '356307042441013'
    }
  ],
  [
    'the IMEI in the job alone, without a signature',
    'elsewhere',
    (document) => {
      document.job.device.imei = '356307042441013'
    }
  ],
  [
    'the vehicle in the job alone, without a signature',
    'elsewhere',
    (document) => {
      document.job.vehicleText = 'Unit 8'
    }
  ],
  [
    'a vehicle that was never chosen',
    'whole',
    (document) => {
      document.job.vehicle = { id: 7, name: 'Unit 8' }
    }
  ],
  [
    'the technician',
    'whole',
    rechained((document) => setData(find(document, 'namesGiven'), { technician: 'Technician Two' }))
  ],
  [
    'the technician in the job alone, without a signature',
    'elsewhere',
    (document) => {
      document.job.technician = 'Technician Two'
    }
  ],
  [
    'the customer in the job alone, without a signature',
    'elsewhere',
    (document) => {
      document.job.customer = 'Customer Two'
    }
  ],
  [
    'the time of an entry',
    'whole',
    rechained((document) => {
      find(document, 'evidence').at = '2026-11-19T10:00:00.000Z'
    })
  ],
  [
    'when the job was created',
    'elsewhere',
    (document) => {
      document.job.createdAt = '2026-11-01T10:00:00.000Z'
    }
  ],
  [
    'when a step began',
    'elsewhere',
    (document) => {
      document.job.steps[0]!.startedAt = '2026-11-01T10:00:00.000Z'
    }
  ],
  ['the result of a step', 'whole', rechained((document) => setData(find(document, 'stepEnded'), { state: 'fail' }))],
  [
    'the state of a step in the job alone, without a signature',
    'elsewhere',
    (document) => {
      document.job.steps[1]!.state = 'warn'
    }
  ],
  [
    'the result of a step in words, without a signature',
    'elsewhere',
    (document) => {
      document.job.steps[1]!.summary = plainMessage('As good as new.')
    }
  ],
  [
    'a step called skipped, without a signature',
    'elsewhere',
    (document) => {
      document.job.steps[1]!.waiver = {
        reason: 'Customer agreed',
        by: 'Technician One',
        at: '2026-11-20T16:00:00.000Z'
      }
    }
  ],
  [
    'the state of the job',
    'elsewhere',
    (document) => {
      document.job.state = 'running'
    }
  ],
  [
    'what was seen, in the job alone',
    'elsewhere',
    (document) => {
      document.job.steps[1]!.evidence[0]!.what = plainMessage('Seen twice')
    }
  ],
  [
    'evidence left out of the job',
    'elsewhere',
    (document) => {
      document.job.steps[1]!.evidence = []
    }
  ],
  [
    'evidence moved to another step',
    'elsewhere',
    (document) => {
      const { steps } = document.job
      ;[steps[1]!.evidence, steps[2]!.evidence] = [steps[2]!.evidence, steps[1]!.evidence]
    }
  ],
  [
    'the sentences of the report',
    'whole',
    (document) => {
      document.texts!.verdict = 'As good as new.'
    }
  ],
  [
    'the time of the report',
    'whole',
    (document) => {
      document.generatedAt = '2026-11-19T17:00:00.000Z'
    }
  ],
  [
    'practice called real',
    'whole',
    (document) => {
      document.isTraining = true
    }
  ],
  [
    'gateway work called done',
    'whole',
    (document) => {
      document.job.operations = [{ id: '01JD2FA0QW', kind: 'vehicle.assignDevice', state: 'done' }]
    }
  ],
  [
    'gateway work called done, without a signature',
    'elsewhere',
    (document) => {
      document.job.operations = [{ id: '01JD2FA0QW', kind: 'vehicle.assignDevice', state: 'done' }]
    }
  ],
  [
    'sentences added without a signature',
    'elsewhere',
    (document) => {
      document.texts = { verdict: 'As good as new.', steps: [] }
    }
  ],
  [
    'a photo that nobody kept',
    'elsewhere',
    (document) => {
      document.pictures = [
        { sha256: sha256Hex('photo'), mediaType: 'image/jpeg', base64: Buffer.from('photo').toString('base64') }
      ]
    }
  ],
  [
    'a letter that looks the same',
    'elsewhere',
    (document) => {
      document.job.technician = document.job.technician.replace('O', '\u041e')
    }
  ],
  [
    'a letter composed in another way',
    'whole',
    rechained((document) => setData(find(document, 'namesGiven'), { technician: 'Te\u0301cnico' }))
  ],
  // Order and number of entries
  ['an entry missing', 'whole', (document) => void document.log.splice(indexOf(document, 'evidence'), 1)],
  [
    'an entry missing, chained again',
    'whole',
    rechained((document) => void document.log.splice(indexOf(document, 'evidence'), 1))
  ],
  [
    'two entries swapped, chained again',
    'whole',
    rechained(({ log }) => {
      ;[log[4], log[7]] = [
        { ...log[7]!, seq: log[4]!.seq },
        { ...log[4]!, seq: log[7]!.seq }
      ]
    })
  ],
  [
    'an entry twice, chained again',
    'whole',
    rechained((document) => void document.log.splice(5, 0, { ...document.log[4]! }))
  ],
  [
    'an entry after the seal',
    'whole',
    rechained((document) => void document.log.push({ ...find(document, 'evidence'), seq: document.log.length + 1 }))
  ],
  [
    'a name after the seal, without a signature',
    'elsewhere',
    rechained((document) => void document.log.push({ ...find(document, 'namesGiven'), seq: document.log.length + 1 }))
  ],
  ['the tail cut off', 'whole', rechained((document) => void document.log.pop())],
  ['the tail cut off with the result', 'whole', rechained((document) => void document.log.splice(-4))],
  ['the head cut off', 'elsewhere', (document) => void document.log.shift()],
  ['the head cut off, chained again', 'whole', rechained((document) => void document.log.shift())],
  [
    'the job created by its second entry',
    'whole',
    rechained(({ log }) => {
      ;[log[0], log[1]] = [
        { ...log[1]!, seq: 1 },
        { ...log[0]!, seq: 2 }
      ]
    })
  ],
  [
    'the job created twice',
    'whole',
    rechained((document) => void document.log.splice(1, 0, { ...document.log[0]!, seq: 1.5 }))
  ],
  [
    'the first entry of another kind',
    'whole',
    rechained((document) => {
      document.log[0]!.type = 'created'
    })
  ],
  [
    'the log of another job',
    'whole',
    (document) => {
      document.job.id = '01JD2F7Q3XW9V6M0KZ4T8B5HCM'
    }
  ],
  // Blacked out
  ['a reading called blacked out', 'whole', asGiven('evidence', { raw: { value: 12 } })],
  [
    'a reading called blacked out, signed by another key',
    'whole',
    resigned(asGiven('evidence', { raw: { value: 12 } }))
  ],
  [
    'a reading called blacked out, without a signature',
    'whole',
    withoutSignature(asGiven('evidence', { raw: { value: 12 } }))
  ],
  ['the creation called blacked out', 'whole', resigned(asGiven('jobCreated', otherDevice))],
  ['the creation called blacked out, without a signature', 'elsewhere', asGiven('jobCreated', otherDevice)],
  ['the names called blacked out', 'elsewhere', asGiven('namesGiven', { technician: 'Technician Two' })],
  ['a result called blacked out', 'elsewhere', asGiven('stepEnded', { state: 'warn' })],
  ['a change of state called blacked out', 'elsewhere', asGiven('stateChanged', { state: 'draft' })],
  ['the seal called blacked out', 'elsewhere', asGiven('sealed', { publicKey: stranger.publicKey })],
  [
    'a result turned into evidence that is blacked out',
    'elsewhere',
    (document) => {
      const entry = find(document, 'stepEnded')
      Object.assign(entry, {
        type: 'evidence',
        data: { attempt: 1, witness: 'device', what: '[hidden]', raw: '[hidden]', thresholds: null }
      })
      document.redactedEntries.push(entry.seq)
      document.redactions!.push({ seq: entry.seq, hidden: { what: sha256Hex('a'), raw: sha256Hex('b') }, salts: {} })
    }
  ],
  [
    'another text in place of what was blacked out',
    'elsewhere',
    (document) => {
      setData(
        document.log.find(({ seq }) => seq === document.redactedEntries[0])!,
        { what: 'Seen by me' }
      )
      followLog(document)
    }
  ],
  [
    'a shown value of an entry with something blacked out',
    'elsewhere',
    (document) => {
      setData(
        document.log.find(({ seq }) => seq === document.redactedEntries[0])!,
        { raw: { value: 12 } }
      )
      followLog(document)
    }
  ],
  [
    'the time of an entry with something blacked out',
    'elsewhere',
    (document) => {
      document.log.find(({ seq }) => seq === document.redactedEntries[0])!.at = '2026-11-19T10:00:00.000Z'
      followLog(document)
    }
  ],
  [
    'the hash of what was blacked out',
    'elsewhere',
    (document) => {
      document.redactions![0]!.hidden['what'] = sha256Hex('other')
    }
  ],
  [
    'one more value blacked out, with a hash of the forger',
    'elsewhere',
    (document) => {
      document.redactions![0]!.hidden['raw'] = sha256Hex('other')
      setData(
        document.log.find(({ seq }) => seq === document.redactedEntries[0])!,
        { raw: '[hidden]' }
      )
      followLog(document)
    }
  ],
  [
    'the witness blacked out',
    'elsewhere',
    (document) => {
      document.redactions![0]!.hidden['witness'] = sha256Hex('other')
    }
  ],
  [
    'the proof of what was blacked out taken away',
    'elsewhere',
    (document) => {
      document.redactions = []
    }
  ],
  [
    'a list of what was blacked out that says less',
    'elsewhere',
    (document) => {
      document.redactedEntries = []
    }
  ],
  [
    'a new report called an old one',
    'redacted',
    (document) => {
      document.version = 3
      delete document.redactions
    }
  ],
  [
    'the text of an old blacked-out entry',
    'earlier',
    (document) => {
      setData(
        document.log.find(({ seq }) => seq === document.redactedEntries[0])!,
        { raw: { value: 12 } }
      )
      followLog(document)
    }
  ],
  [
    'the text of an old blacked-out entry, signed by another key',
    'earlier',
    resigned((document) => {
      setData(
        document.log.find(({ seq }) => seq === document.redactedEntries[0])!,
        { raw: { value: 12 } }
      )
      followLog(document)
    })
  ],
  [
    'the text of an old blacked-out entry, without a signature',
    'earlier',
    withoutSignature(asGiven('evidence', { raw: { value: 12 } }))
  ],
  ['the device of an old report, called blacked out', 'earlier', resigned(asGiven('jobCreated', otherDevice))],
  [
    'an old report called a new one',
    'earlier',
    withoutSignature((document) => {
      document.version = 4
      asGiven('evidence', { raw: { value: 12 } })(document) as undefined
    })
  ],
  // Keys and seals
  [
    'the key in the seal',
    'whole',
    rechained((document) => setData(find(document, 'sealed'), { publicKey: stranger.publicKey }))
  ],
  [
    'the key of the document',
    'whole',
    (document) => {
      document.documentSignature = { ...document.documentSignature, publicKey: stranger.publicKey } as Signature
    }
  ],
  ['the document signed by another key', 'whole', resigned(() => undefined)],
  [
    'the signature of the document taken away',
    'whole',
    (document) => {
      delete document.documentSignature
    }
  ],
  [
    'the signature of the document replaced by none',
    'whole',
    (document) => {
      document.documentSignature = unsigned
    }
  ],
  [
    'a middle entry turned into a seal of another key, what came before called blacked out',
    'whole',
    resigned(async (document) => {
      const at = 6
      const head = document.log[at - 1]!.hash
      const claim = { head, entries: at, at: document.log[at]!.at }
      const data = { ...claim, ...(await stranger.sign(sealText({ job: document.job.id, ...claim }))) }
      Object.assign(document.log[at]!, { type: 'sealed', stepId: null, data })
      asGiven('jobCreated', otherDevice)(document) as undefined
      document.redactedEntries = [1, document.log[at]!.seq]
    })
  ],
  [
    'a middle entry of an old report turned into a seal of another key',
    'earlier',
    resigned(async (document) => {
      const at = 6
      const claim = { head: document.log[at - 1]!.hash, entries: at, at: document.log[at]!.at }
      Object.assign(document.log[at]!, {
        type: 'sealed',
        stepId: null,
        data: { ...claim, ...(await stranger.sign(sealText({ job: document.job.id, ...claim }))) }
      })
      document.redactedEntries.push(document.log[at]!.seq)
    })
  ],
  [
    'the time of the seal',
    'whole',
    rechained((document) => setData(find(document, 'sealed'), { at: '2026-11-19T10:00:00.000Z' }))
  ],
  [
    'the number of entries in the seal',
    'whole',
    rechained((document) => setData(find(document, 'sealed'), { entries: 3 }))
  ],
  [
    'the salted hashes taken out of the seal',
    'redacted',
    rechained((document) => {
      delete (find(document, 'sealed').data as { fields?: unknown }).fields
    })
  ],
  [
    'the hash that is printed',
    'whole',
    (document) => {
      document.seal = sha256Hex('other')
    }
  ],
  // What stands at and after the last seal
  [
    'the time of the last seal entry',
    'elsewhere',
    lastEntry((entry) => {
      entry.at = '2027-03-01T12:00:00.000Z'
    })
  ],
  [
    'the time of the last seal entry, in a whole report without its signature',
    'whole',
    lastEntry((entry) => {
      entry.at = '2027-03-01T12:00:00.000Z'
    })
  ],
  [
    'a word in the seal entry',
    'elsewhere',
    lastEntry((entry) => setData(entry, { acceptedBy: 'Forged Ltd, warranty 10 years' }))
  ],
  [
    'a step of the seal entry',
    'elsewhere',
    lastEntry((entry) => {
      entry.stepId = 'Approved by Forged Ltd'
    })
  ],
  [
    'words behind the signature of the seal',
    'elsewhere',
    lastEntry((entry) =>
      setData(entry, {
        signature: `${(entry.data as unknown as { signature: string }).signature} Approved by Forged Ltd`
      })
    )
  ],
  [
    'words in the key of the seal',
    'elsewhere',
    lastEntry((entry) =>
      setData(entry, { publicKey: `${(entry.data as unknown as { publicKey: string }).publicKey}\nApproved` })
    )
  ],
  [
    'another last letter of the signature of the seal',
    'elsewhere',
    lastEntry((entry) =>
      setData(entry, {
        signature: (entry.data as unknown as { signature: string }).signature.replace(
          /.==$/,
          (end) => `${String.fromCharCode(end.charCodeAt(0) + 1)}==`
        )
      })
    )
  ],
  ...inheritedNames.map((name): Forgery => [
    `a field ${name} in the seal entry`,
    'elsewhere',
    lastEntry((entry) => setOwn(entry.data, name, { acceptedBy: 'Forged Ltd' }))
  ]),
  ['a hand-over after the seal', 'elsewhere', appended(movedAway)],
  ['a take-over after the seal', 'elsewhere', appended(movedHere)],
  ['a hand-over after the seal, in a whole report without its signature', 'whole', appended(movedAway)],
  [
    'a hundred hand-overs after the seal',
    'elsewhere',
    appended(...Array.from({ length: 50 }, () => [movedAway, movedHere]).flat())
  ],
  [
    'a hand-over with other words after the seal',
    'elsewhere',
    appended(['movedAway', { ...movedAway[1], note: 'Customer approved all skipped steps' }])
  ],
  ['a note after the seal', 'elsewhere', appended(['note', { text: 'Approved' }])],
  [
    'the seal twice',
    'elsewhere',
    withoutSignature((document) => {
      document.log.push({ ...document.log.at(-1)!, seq: document.log.length + 1 })
      chainFrom(document, document.log.length - 1)
      followLog(document)
    })
  ],
  ['a seal without a key after the seal', 'whole', sealedOver(() => Promise.resolve(unsigned)), 'hashesOnly'],
  ['a seal of another key after the seal', 'whole', sealedOver(stranger.sign), 'unknownKey'],
  [
    'the moves of a report that its key signed, changed',
    'moved',
    withoutSignature((document) => {
      setData(
        document.log.findLast(({ type }) => type === 'movedAway')!,
        { to: 'Forged Ltd' }
      )
      chainFrom(
        document,
        document.log.findIndex(({ type }) => type === 'movedAway')
      )
      followLog(document)
    })
  ],
  ['the signature of a report with moves taken away', 'moved', withoutSignature(() => undefined)],
  [
    'the log of another job under the same key',
    'other',
    (document) => {
      document.job.id = '01JD2F7Q3XW9V6M0KZ4T8B5HCN'
    }
  ],
  [
    'the seal of another job',
    'elsewhere',
    async (document) => {
      const claim = {
        head: document.log.at(-2)!.hash,
        entries: document.log.length - 1,
        at: '2026-11-20T16:30:00.000Z',
        fields: fieldsOfLog('01JD2F7Q3XW9V6M0KZ4T8B5HCM', document.log.slice(0, -1))
      }
      document.log.at(-1)!.data = {
        ...claim,
        ...(await own.sign(sealText({ job: '01JD2F7Q3XW9V6M0KZ4T8B5HCM', ...claim })))
      } as never
      document.log.at(-1)!.at = claim.at
      chainFrom(document, document.log.length - 1)
      followLog(document)
    }
  ],
  // Text that no hash covers
  ...inheritedNames.map((name): Forgery => [
    `a field ${name} in evidence that is blacked out`,
    'elsewhere',
    (document) => {
      setOwn(redactedEntry(document).data, name, { note: 'Approved by Forged Ltd' })
      followLog(document)
    }
  ]),
  ...inheritedNames.map((name): Forgery => [
    `a field ${name} in evidence that the forger blacked out`,
    'whole',
    withoutSignature((document) => {
      const { entry } = blackOut(document, ['raw'])
      setOwn(entry.data, name, { note: 'Approved' })
      followLog(document)
    })
  ]),
  ...inheritedNames.flatMap((name) =>
    values.map(([what, value]): Forgery => [
      `${what} under ${name} in the job`,
      'elsewhere',
      (document) => setOwn(document.job, name, value)
    ])
  ),
  ...inheritedNames.flatMap((name) =>
    values.map(([what, value]): Forgery => [
      `${what} under ${name} in a step`,
      'elsewhere',
      (document) => setOwn(document.job.steps[2]!, name, value)
    ])
  ),
  ...inheritedNames.map((name): Forgery => [
    `a field ${name} in evidence of the job`,
    'elsewhere',
    (document) => setOwn(document.job.steps[2]!.evidence[0]!, name, 'Approved')
  ]),
  ...inheritedNames.map((name): Forgery => [
    `a field ${name} in the device of the job`,
    'elsewhere',
    (document) => setOwn(document.job.device, name, 'Approved')
  ]),
  ...inheritedNames.map((name): Forgery => [
    `a field ${name} of the document`,
    'elsewhere',
    (document) => setOwn(document, name, { note: 'Approved' })
  ]),
  ...inheritedNames.map((name): Forgery => [
    `a field ${name} of an entry`,
    'elsewhere',
    (document) => setOwn(document.log[3]!, name, { note: 'Approved' })
  ]),
  ...inheritedNames.map((name): Forgery => [
    `a field ${name} of what was blacked out`,
    'elsewhere',
    (document) => setOwn(firstRedaction(document), name, { note: 'Approved' })
  ]),
  ...[...inheritedNames, 'Approved by Forged Ltd'].map((name): Forgery => [
    `a hash of ${name} among the blacked-out values`,
    'elsewhere',
    (document) => setOwn(firstRedaction(document).hidden, name, sha256Hex('a'))
  ]),
  ...[...inheritedNames, 'Approved by Forged Ltd'].map((name): Forgery => [
    `a salt of ${name} among those of the shown values`,
    'elsewhere',
    (document) => setOwn(firstRedaction(document).salts, name, sha256Hex('a'))
  ]),
  [
    'the salt of a value that is blacked out',
    'elsewhere',
    (document) =>
      setOwn(firstRedaction(document).salts, Object.keys(firstRedaction(document).hidden)[0]!, sha256Hex('a'))
  ],
  ...inheritedNames.map((name): Forgery => [
    `a field ${name} of a picture`,
    'pictureElsewhere',
    (document) => setOwn(document.pictures[0]!, name, 'Approved')
  ]),
  ...inheritedNames.map((name): Forgery => [
    `a field ${name} of the empty signature`,
    'elsewhere',
    (document) => setOwn(document.documentSignature!, name, 'Approved')
  ]),
  [
    'a field __proto__ deep in a reading, chained again',
    'whole',
    rechained((document) =>
      setOwn((find(document, 'evidence').data as unknown as { raw: object }).raw, '__proto__', { value: 12 })
    )
  ],
  [
    'a field __proto__ deep in a reading',
    'elsewhere',
    (document) =>
      setOwn(
        (document.log.findLast(({ type }) => type === 'evidence')!.data as unknown as { raw: object }).raw,
        '__proto__',
        { value: 12 }
      )
  ],
  [
    'a fact without a value that the log does not have',
    'elsewhere',
    (document) => setOwn(document.job, 'Approved by Forged Ltd', null)
  ],
  [
    'a fact without a value in a step',
    'elsewhere',
    (document) => setOwn(document.job.steps[2]!, 'Approved by Forged Ltd', null)
  ],
  [
    'words as the version of Fitter',
    'elsewhere',
    (document) => {
      ;(document as unknown as { appVersion: string }).appVersion = 'Approved by Forged Ltd'
    }
  ],
  [
    'words as the time of the report',
    'elsewhere',
    (document) => {
      document.generatedAt = 'Approved by Forged Ltd'
    }
  ],
  [
    'words as the language of the report',
    'elsewhere',
    (document) => {
      ;(document as unknown as { language: string }).language = 'Approved by Forged Ltd'
    }
  ],
  [
    'words as the time zone of the report',
    'elsewhere',
    (document) => {
      ;(document as unknown as { timeZone: string }).timeZone = 'Approved by Forged Ltd'
    }
  ],
  [
    'an entry that is blacked out, named twice',
    'elsewhere',
    (document) => {
      document.redactedEntries.push(document.redactedEntries[0]!)
    }
  ],
  [
    'a proof of what was blacked out, twice',
    'elsewhere',
    (document) => {
      document.redactions!.push(structuredClone(firstRedaction(document)))
    }
  ],
  [
    'a proof of an entry that does not exist',
    'elsewhere',
    (document) => {
      document.redactions!.push({ seq: 999, hidden: {}, salts: {} })
      document.redactedEntries.push(999)
    }
  ],
  [
    'a reading replaced, and blacked out by the forger',
    'whole',
    withoutSignature((document) => {
      const { entry } = blackOut(document, ['raw'])
      setData(entry, { witness: 'gateway' })
      followLog(document)
    })
  ],
  [
    'a result blacked out by the forger',
    'whole',
    withoutSignature((document) => {
      const index = indexOf(document, 'stepEnded')
      const { entry, redaction } = leaveOut(document.log[index]!, ['state'])
      document.log[index] = entry as Entry
      document.redactions = [redaction]
      document.redactedEntries = [entry.seq]
      followLog(document)
    })
  ],
  // Practice and pictures
  [
    'practice called work, without a signature',
    'practice',
    withoutSignature((document) => {
      document.isTraining = false
    })
  ],
  [
    'practice that says nothing of it, without a signature',
    'practice',
    withoutSignature((document) => {
      delete (document as Partial<ForgedDocument>).isTraining
    })
  ],
  [
    'work called practice, without a signature',
    'elsewhere',
    (document) => {
      document.isTraining = true
    }
  ],
  [
    'a picture exchanged',
    'pictureElsewhere',
    (document) => {
      document.pictures[0]!.base64 = Buffer.from('another picture').toString('base64')
    }
  ],
  [
    'a picture exchanged with its hash',
    'pictureElsewhere',
    (document) => {
      document.pictures[0] = {
        sha256: sha256Hex('another picture'),
        mediaType: 'image/jpeg',
        base64: Buffer.from('another picture').toString('base64')
      }
    }
  ],
  [
    'a picture that is shown twice',
    'pictureElsewhere',
    (document) => {
      document.pictures.push(document.pictures[0]!)
    }
  ],
  ['pictures in another order', 'pictureElsewhere', (document) => void document.pictures.reverse()],
  [
    'a picture that no page shows',
    'pictureElsewhere',
    (document) => {
      document.pictures[0]!.mediaType = 'text/plain'
    }
  ],
  [
    'a picture in other letters',
    'pictureElsewhere',
    (document) => {
      document.pictures[0]!.base64 += ' '
    }
  ],
  [
    'a picture with words behind its end',
    'pictureElsewhere',
    (document) => {
      document.pictures[0]!.base64 += ' Approved by Forged Ltd'
    }
  ],
  ['a picture removed from a signed report', 'pictures', (document) => void document.pictures.pop()],
  [
    'a picture removed, its entry too',
    'pictureElsewhere',
    (document) => {
      document.pictures.shift()
      document.log.splice(indexOf(document, 'attached'), 1)
      followLog(document)
    }
  ],
  // A whole report of the forger's own is no forgery of this one: it says whose it is.
  [
    'all of it, sealed and signed by another key',
    'whole',
    resigned(async (document) => {
      setData(find(document, 'jobCreated'), otherDevice)
      await sealAgain(document, stranger.sign)
    }),
    'unknownKey'
  ],
  [
    'all of it, sealed without a key',
    'whole',
    async (document) => {
      setData(find(document, 'jobCreated'), otherDevice)
      await sealAgain(document, () => Promise.resolve(unsigned))
      document.documentSignature = unsigned
    },
    'hashesOnly'
  ]
]

/** Changes in the letters of the file: a reader sees something else than what was hashed. */
export const spellings: [name: string, change: (text: string) => string][] = [
  [
    'a key that occurs twice, the shown one first',
    (text) => replaceText(text, '"value": 11,', '"value": 12,\n              "value": 11,')
  ],
  [
    'the IMEI twice',
    (text) =>
      replaceText(text, '"imei": "867698040023056",', '"imei": "356307042441013",\n      "imei": "867698040023056",')
  ],
  ['11.0 in place of 11', (text) => replaceText(text, '"value": 11,', '"value": 11.0,')],
  ['11.0000000000000001 in place of 11', (text) => replaceText(text, '"value": 11,', '"value": 11.0000000000000001,')],
  ['1.1e1 in place of 11', (text) => replaceText(text, '"value": 11,', '"value": 1.1e1,')],
  ['a letter as an escape', (text) => replaceText(text, 'Technician One', '\\u0054echnician One')],
  ['minus nothing in place of nothing', (text) => replaceText(text, '"waiting": 0', '"waiting": -0')],
  ['a number beyond all numbers', (text) => replaceText(text, '"value": 11,', '"value": 1e999,')],
  [
    'a key __proto__ that occurs twice',
    (text) =>
      replaceText(text, '"value": 11,', '"__proto__": 1,\n              "__proto__": 2,\n              "value": 11,')
  ],
  ['a key as an escape', (text) => replaceText(text, '"technician"', '"\\u0074echnician"')],
  ['one more space', (text) => replaceText(text, '"value": 11,', '"value":  11,')],
  ['other ends of lines', (text) => replaceText(text, '"value": 11,\n', '"value": 11,\r\n')]
]

/** What a report shows less of, or what only its seal does not cover: the answer says so, each time. */
export const saidInTheAnswer: [name: string, original: keyof Originals, change: Change, remark: string][] = [
  [
    'a picture left out',
    'pictureElsewhere',
    (document) => void document.pictures.pop(),
    'report.check.picturesLeftOut'
  ],
  [
    'all pictures left out',
    'pictureElsewhere',
    (document) => {
      document.pictures = []
    },
    'report.check.picturesLeftOut'
  ],
  [
    'no list of pictures',
    'pictureElsewhere',
    (document) => {
      delete (document as Partial<ForgedDocument>).pictures
    },
    'report.check.picturesLeftOut'
  ],
  [
    'another time of the report',
    'elsewhere',
    (document) => {
      document.generatedAt = '2027-11-19T17:00:00.000Z'
    },
    'report.check.otherWriter'
  ],
  [
    'another version of Fitter',
    'elsewhere',
    (document) => {
      ;(document as unknown as { appVersion: string }).appVersion = '9.9.9'
    },
    'report.check.otherWriter'
  ],
  ['the signature and the sentences left out', 'whole', withoutSignature(() => undefined), 'report.check.otherWriter'],
  [
    'a reading blacked out by somebody else',
    'whole',
    withoutSignature((document) => {
      blackOut(document, ['raw', 'thresholds'])
      followLog(document)
    }),
    'report.check.blackedOut'
  ],
  ['practice', 'practice', () => undefined, 'report.check.training'],
  [
    'practice without the signature of its report',
    'practice',
    withoutSignature(() => undefined),
    'report.check.training'
  ]
]
