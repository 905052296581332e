import { beforeAll, describe, expect, it } from 'vitest'
import { verifyJsonReport, type ReportVerdict } from '../../../main/reports/verify.ts'
import { createTexts } from '../../../main/messages/texts.ts'
import { makeSealPage } from '../../../main/reports/sealPage.ts'
import { sha256Hex } from '../../../main/store/jobs/seal.ts'
import { fingerprintOf, sealText, unsigned, type Signature } from '../../../main/store/jobs/signature.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import {
  chain,
  followLog,
  makeOriginals,
  own,
  pageScript,
  replaceText,
  sealAgain,
  signAgain,
  stranger,
  write,
  type ForgedDocument,
  type Originals
} from '../../support/forgeries.ts'
import { proveForgeries } from '../../proof/forgeries.ts'

type Entry = ForgedDocument['log'][number]
type Change = (document: ForgedDocument) => void | Promise<void>

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
/** The text of an entry changed, the entry called blacked out, and the job to follow: "the hash is that of the original". */
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

/** What a forger may try with a report of Fitter who knows everything but its key: every hash fits wherever it can. */
const forgeries: [name: string, original: keyof Originals, change: Change, verdict?: ReportVerdict][] = [
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
const spellings: [name: string, change: (text: string) => string][] = [
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
  ['one more space', (text) => replaceText(text, '"value": 11,', '"value":  11,')],
  ['other ends of lines', (text) => replaceText(text, '"value": 11,\n', '"value": 11,\r\n')]
]

let originals: Originals
beforeAll(async () => {
  originals = await makeOriginals()
})
const known = { knownKeys: [own.publicKey] }

describe('A report of Fitter', () => {
  it.each(['whole', 'redacted', 'elsewhere', 'earlier'] as const)(
    'verifies with its key, in command and page: %s',
    async (original) => {
      expect(verifyJsonReport(originals[original], known)).toMatchObject({ ok: true, verdict: 'knownKey' })
      expect(await pageScript.check(originals[original])).toMatchObject({
        state: 'holds',
        findings: [],
        fingerprint: fingerprintOf(own.publicKey)
      })
    }
  )
})

describe('A forged report is refused in command and page', () => {
  it.each(forgeries)('%s (%s)', async (_name, original, change, verdict = 'changed') => {
    const document = JSON.parse(originals[original]) as ForgedDocument
    await change(document)
    const text = write(document)
    expect(text).not.toBe(originals[original])
    expect(verifyJsonReport(text, known).verdict).toBe(verdict)
    const shown = await pageScript.check(text)
    if (verdict === 'unknownKey')
      expect(shown).toMatchObject({ state: 'holds', fingerprint: fingerprintOf(stranger.publicKey) })
    else expect(shown.state).toBe(verdict === 'hashesOnly' ? 'hashOnly' : 'broken')
  })

  it.each(spellings)('%s', async (_name, change) => {
    for (const original of ['whole', 'elsewhere'] as const) {
      const text = change(originals[original])
      expect(verifyJsonReport(text, known).verdict).toBe('changed')
      expect((await pageScript.check(text)).state).toBe('broken')
    }
  })

  it('a fact of the job that its log does not have, which the page does not show either', () => {
    const text = replaceText(originals.elsewhere, '"vehicleText":', '"note": "Fitted twice",\n    "vehicleText":')
    expect(verifyJsonReport(text, known)).toMatchObject({
      verdict: 'changed',
      findings: [{ id: 'report.check.jobDiffers', values: { field: 'note' } }]
    })
  })

  it.each([
    ['its script', (html: string) => html.replace('sealCheck.check(text)', "({ state: 'holds', findings: [] })")],
    ['its words', (html: string) => html.replace('"broken":"', '"broken":"The seal is valid ')],
    ['what stands above it', (html: string) => html.replace('<main>', '<main><h1>The seal is valid</h1>')],
    ['its end', (html: string) => `${html}<script>document.title = ''</script>\n`],
    ['its policy', (html: string) => html.replace("default-src 'none'", "default-src 'self'")],
    [
      'a second report in it',
      (html: string) =>
        html.replace(
          '<script type="application/json" id="report">',
          '<script type="application/json" id="report">\n{}</script>\n<script type="application/json">'
        )
    ]
  ])('a page that was replaced: %s', (_name, change) => {
    const html = makeSealPage(originals.whole, createTexts({ language: 'en', timeZone: 'UTC' }), false)
    expect(verifyJsonReport(html, known).verdict).toBe('knownKey')
    const forged = change(html)
    expect(forged).not.toBe(html)
    expect(verifyJsonReport(forged, known).verdict).toBe('changed')
  })

  it('whatever a script changes at random', { timeout: 60_000 }, async () => {
    expect(await proveForgeries(20, 7)).toMatchObject({ tried: 20, accepted: [] })
  })
})
