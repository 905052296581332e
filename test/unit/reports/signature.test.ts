import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sealEntry, startHash, type JournalEntry } from '../../../main/store/seal.ts'
import { addFields, fieldsOfLog, firstFields, leaveOut, withSalt } from '../../../main/store/sealedFields.ts'
import { checkSeals, isSignedBy, sealText } from '../../../main/store/signature.ts'
import { makeSealedJob, makeSigner, sealedJobId } from '../../support/sealedJob.ts'

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
      const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64')
      expect(isSignedBy(text, spkiOf(publicKey), signature)).toBe(false)
    }
    const ed = generateKeyPairSync('ed25519')
    expect(isSignedBy(text, spkiOf(ed.publicKey), sign(null, Buffer.from(text), ed.privateKey).toString('base64'))).toBe(false)
  })

  it('of a seal is over job, head, number, time and salted hashes; one without them reads as it always did', () => {
    const claim = { job: 'j', head: 'h', entries: 2, at: 't' }
    expect(sealText(claim)).toBe('{"at":"t","entries":2,"head":"h","job":"j","what":"fitter-job-seal"}')
    expect(sealText({ ...claim, fields: 'f' })).toBe('{"at":"t","entries":2,"fields":"f","head":"h","job":"j","what":"fitter-job-seal"}')
  })
})

describe('The seals of a log', () => {
  it('are of the last key, and tell how much is proved', async () => {
    const own = makeSigner()
    const { entries } = await makeSealedJob(own.sign)
    expect(checkSeals(sealedJobId, entries)).toMatchObject({ faults: [], kind: 'signed', publicKey: own.publicKey, proved: entries.length - 1, open: 0 })
    expect(checkSeals('another', entries).faults).toEqual([{ fault: 'sealChanged', entry: entries.length }])
    const { entries: earlier } = await makeSealedJob(own.sign, sealedJobId, 'earlier')
    expect(checkSeals(sealedJobId, earlier)).toMatchObject({ faults: [], kind: 'signed', proved: 0 })
  })

  it.each<JournalEntry['data']>([null, 'text', {}, { head: 1 }, { head: '', entries: 1, at: '', algorithm: 'other' }, { head: '', entries: 1, at: '', fields: 1, algorithm: 'hashOnly' }])('are faulty where one makes no sense: %j', async (data) => {
    const { entries } = await makeSealedJob(makeSigner().sign)
    const forged = [...entries.slice(0, -1), { ...entries.at(-1)!, data }]
    expect(checkSeals(sealedJobId, forged)).toMatchObject({ faults: [{ fault: 'sealChanged' }], kind: 'none', publicKey: null, proved: 0 })
  })
})

describe('Salted hashes', () => {
  const entryOf = (type: string, data: JournalEntry['data']): JournalEntry => sealEntry(startHash('j'), { seq: 1, at: 't', type, stepId: 's', data: withSalt(type, data) })
  const evidence = () => entryOf('evidence', { attempt: 1, witness: 'device', what: 'Seen', raw: { pin: '1234' }, thresholds: null })

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
    for (const type of ['jobCreated', 'stepEnded', 'waived', 'stateChanged', 'sealed', 'constructor']) expect(addFields('', { ...shown, type }, redaction)).toBeUndefined()
    expect(entryOf('stepEnded', { state: 'pass' }).data).toEqual({ state: 'pass' })
  })
})
