import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sealEntry, startHash, type JournalEntry } from '../../../../main/data/store/jobs/seal.ts'
import {
  addFields,
  fieldsOfLog,
  firstFields,
  leaveOut,
  withSalt
} from '../../../../main/data/store/jobs/sealedFields.ts'
import { checkSeals, isSignedBy, sealText } from '../../../../main/data/store/jobs/signature.ts'
import { makeSealedJob, makeSigner, sealedJobId } from '../../../world/data/sealedJob.ts'

const text = 'what is sealed'
const spkiOf = (key: KeyObject): string => key.export({ format: 'der', type: 'spki' }).toString('base64')

describe('A signature', () => {
  it('is of a key on P-256 over exactly this text', async () => {
    const { publicKey, sign: signText } = makeSigner()
    const { signature } = await signText(text)
    expect(isSignedBy(text, publicKey, signature!)).toBe(true)
    expect(isSignedBy(`${text} `, publicKey, signature!)).toBe(false)
    expect(isSignedBy(text, makeSigner().publicKey, signature!)).toBe(false)
    expect(isSignedBy(text, publicKey, '')).toBe(false)
    expect(isSignedBy(text, 'no key', signature!)).toBe(false)
  })

  it('of another kind of key does not count, however right it is', () => {
    const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' })
    const k256 = generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
    for (const { publicKey, privateKey } of [p384, k256, rsa]) {
      const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString(
        'base64'
      )
      expect(isSignedBy(text, spkiOf(publicKey), signature)).toBe(false)
    }
    const ed = generateKeyPairSync('ed25519')
    expect(
      isSignedBy(text, spkiOf(ed.publicKey), sign(null, Buffer.from(text), ed.privateKey).toString('base64'))
    ).toBe(false)
  })

  it('of a seal is over job, head, number, time and salted hashes; one without them reads as it always did', () => {
    const claim = { job: 'j', head: 'h', entries: 2, at: 't' }
    expect(sealText(claim)).toBe('{"at":"t","entries":2,"head":"h","job":"j","what":"fitter-job-seal"}')
    expect(sealText({ ...claim, fields: 'f' })).toBe(
      '{"at":"t","entries":2,"fields":"f","head":"h","job":"j","what":"fitter-job-seal"}'
    )
  })
})

describe('The seals of a log', () => {
  it('are of the last key, and tell how much is proved', async () => {
    const own = makeSigner()
    const { entries } = await makeSealedJob(own.sign)
    expect(checkSeals(sealedJobId, entries)).toMatchObject({
      faults: [],
      kind: 'signed',
      publicKey: own.publicKey,
      proved: entries.length - 1,
      open: 0
    })
    expect(checkSeals('another', entries).faults).toEqual([{ fault: 'sealChanged', entry: entries.length }])
    const { entries: earlier } = await makeSealedJob(own.sign, sealedJobId, 'earlier')
    expect(checkSeals(sealedJobId, earlier)).toMatchObject({ faults: [], kind: 'signed', proved: 0 })
  })

  it.each<JournalEntry['data']>([
    null,
    'text',
    {},
    { head: 1 },
    { head: '', entries: 1, at: '', algorithm: 'other' },
    { head: '', entries: 1, at: '', fields: 1, algorithm: 'hashOnly' }
  ])('are faulty where one makes no sense: %j', async (data) => {
    const { entries } = await makeSealedJob(makeSigner().sign)
    const forged = [...entries.slice(0, -1), { ...entries.at(-1)!, data }]
    expect(checkSeals(sealedJobId, forged)).toMatchObject({
      faults: [{ fault: 'sealChanged' }],
      kind: 'none',
      publicKey: null,
      proved: 0
    })
  })
})

describe('A log with seals', () => {
  type Item = [type: string, data: JournalEntry['data'] | ((head: string, entries: number) => JournalEntry['data'])]
  function logOf(...items: Item[]): JournalEntry[] {
    const log: JournalEntry[] = []
    for (const [index, [type, data]] of items.entries()) {
      const head = log.at(-1)?.hash ?? startHash('j')
      log.push(
        sealEntry(head, {
          seq: index + 1,
          at: 't',
          type,
          stepId: null,
          data: typeof data === 'function' ? data(head, index) : data
        })
      )
    }
    return log
  }
  const hashOnly = (more: object = {}): Item => [
    'sealed',
    (head, entries) =>
      ({
        head,
        entries,
        at: 'then',
        algorithm: 'hashOnly',
        publicKey: null,
        signature: null,
        ...more
      }) as JournalEntry['data']
  ]
  const created: Item = ['jobCreated', { isSealed: true }]
  const state = (name: string): Item => ['stateChanged', { state: name }]
  const note: Item = ['note', { text: 'more' }]

  it('has none, and is told to have one only when it ended and was to be sealed', () => {
    const none = { kind: 'none', at: null, publicKey: null, proved: 0, open: 0 }
    for (const end of ['done', 'installedAwaitingGateway'])
      expect(checkSeals('j', logOf(created, state(end)))).toEqual({ ...none, faults: [{ fault: 'noSeal' }] })
    for (const log of [
      [],
      logOf(created),
      logOf(created, state('running')),
      logOf(['jobCreated', {}], state('done')),
      logOf(['jobCreated', null], state('done')),
      logOf(created, ['stateChanged', null])
    ]) {
      expect(checkSeals('j', log)).toEqual({ ...none, faults: [] })
    }
  })

  it('has its last one at its end, or what came after it is told', () => {
    expect(checkSeals('j', logOf(created, state('done'), hashOnly()))).toEqual({
      faults: [],
      kind: 'hashOnly',
      at: 'then',
      publicKey: null,
      proved: 0,
      open: 0
    })
    expect(checkSeals('j', logOf(created, state('done'), hashOnly(), note, note))).toMatchObject({
      faults: [{ fault: 'addedAfterSeal', n: 2 }],
      open: 2
    })
    expect(checkSeals('j', logOf(created, state('done'), hashOnly(), state('running')))).toMatchObject({
      faults: [],
      open: 1
    })
    expect(checkSeals('j', logOf(created, hashOnly(), note))).toMatchObject({ faults: [], open: 1 })
    // Also where it stands first, as in a log that was cut.
    expect(checkSeals('j', logOf(hashOnly(), state('done')))).toMatchObject({
      faults: [{ fault: 'addedAfterSeal', n: 1 }],
      kind: 'hashOnly'
    })
  })

  it('may be handed over and taken over after its seal: that says nothing about the work', () => {
    for (const type of ['movedAway', 'movedHere'])
      expect(checkSeals('j', logOf(created, state('done'), hashOnly(), [type, {}]))).toMatchObject({
        faults: [],
        open: 0
      })
  })

  it('names the seal that another key signed, and still says whose key it gives', async () => {
    const [own, other] = [makeSigner(), makeSigner()]
    const log = logOf(created, state('done'))
    const head = log.at(-1)!.hash
    const { signature } = await other.sign(sealText({ job: 'j', head, entries: 2, at: 'then' }))
    const forged = [
      ...log,
      sealEntry(head, {
        seq: 3,
        at: 't',
        type: 'sealed',
        stepId: null,
        data: { head, entries: 2, at: 'then', algorithm: 'ECDSA-P256-SHA256', publicKey: own.publicKey, signature }
      })
    ]
    expect(checkSeals('j', forged)).toMatchObject({
      faults: [{ fault: 'wrongSignature', entry: 3 }],
      kind: 'signed',
      publicKey: own.publicKey
    })
  })

  it.each([
    { at: 5 },
    { entries: 7 },
    { head: 'other' },
    { fields: 'other' },
    { algorithm: 'other' },
    { algorithm: 'other', publicKey: 'a', signature: 'b' },
    { algorithm: 'ECDSA-P256-SHA256', signature: 'a' },
    { algorithm: 'ECDSA-P256-SHA256', publicKey: 'a' },
    { publicKey: 'a' },
    { signature: 'a' },
    { isSealed: true },
    { note: 'Approved' },
    JSON.parse('{"__proto__":{}}') as object
  ])('has a changed seal where it says %j', (more) => {
    expect(checkSeals('j', logOf(created, state('done'), hashOnly(more)))).toMatchObject({
      faults: [{ fault: 'sealChanged', entry: 3 }],
      kind: 'none',
      at: null,
      publicKey: null
    })
  })
})

describe('Salted hashes', () => {
  const entryOf = (type: string, data: JournalEntry['data']): JournalEntry =>
    sealEntry(startHash('j'), { seq: 1, at: 't', type, stepId: 's', data: withSalt(type, data) })
  const evidence = () =>
    entryOf('evidence', { attempt: 1, witness: 'device', what: 'Seen', raw: { pin: '1234' }, thresholds: null })

  it('are the same with and without a value that was left out, and never show its salt', () => {
    const entry = evidence()
    const left = leaveOut(entry, ['raw'])
    expect(left.entry.data).toEqual({ attempt: 1, witness: 'device', what: 'Seen', raw: '[hidden]', thresholds: null })
    expect(Object.keys(left.redaction.salts).sort()).toEqual(['attempt', 'thresholds', 'what', 'witness'])
    expect(Object.keys(left.redaction.hidden)).toEqual(['raw'])
    expect(addFields(firstFields('j'), left.entry, left.redaction)).toBe(fieldsOfLog('j', [entry]))
    expect(JSON.stringify(left)).not.toContain((entry.data as { salt: string }).salt)
  })

  it('differ for the same value in two entries, so that none tells of another', () => {
    expect(leaveOut(evidence(), ['raw']).redaction.hidden).not.toEqual(leaveOut(evidence(), ['raw']).redaction.hidden)
  })

  it('are refused for what decides, for another text in the place of the value, and with the salt still there', () => {
    const entry = evidence()
    const { entry: shown, redaction } = leaveOut(entry, ['raw'])
    const data = shown.data as Record<string, string>
    expect(addFields('', { ...shown, data: { ...data, raw: 'other' } }, redaction)).toBeUndefined()
    expect(addFields('', { ...shown, data: { ...data, salt: 'a' } }, redaction)).toBeUndefined()
    expect(addFields('', shown, { ...redaction, hidden: { ...redaction.hidden, witness: 'a' } })).toBeUndefined()
    for (const type of ['jobCreated', 'stepEnded', 'waived', 'stateChanged', 'sealed', 'constructor'])
      expect(addFields('', { ...shown, type }, redaction)).toBeUndefined()
    expect(entryOf('stepEnded', { state: 'pass' }).data).toEqual({ state: 'pass' })
  })
})
