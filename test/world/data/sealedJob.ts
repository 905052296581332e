import { generateKeyPairSync, sign as signBytes } from 'node:crypto'
import { newEntry, plainJson, readJob, type EntryInput, type EntryType } from '../../../main/job/jobs/record/journal.ts'
import { planSteps } from '../../../main/job/jobs/engine/plan.ts'
import { loadShipped } from '../../../main/job/jobs/checklists/shipped.ts'
import { sourceResourcesFolder } from '../../../main/app/core.ts'
import { sealEntry, sha256Hex, startHash, type JournalEntry } from '../../../main/data/store/jobs/seal.ts'
import { fieldsOfLog } from '../../../main/data/store/jobs/sealedFields.ts'
import { sealText, type Signature } from '../../../main/data/store/jobs/signature.ts'
import type { Job } from '../../../preload/contract/job/jobs.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'

/** A key that signs as the one of a keychain does. */
export function makeSigner(): { publicKey: string; sign(text: string): Promise<Signature> } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const spki = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
  return {
    publicKey: spki,
    sign: (text) =>
      Promise.resolve({
        algorithm: 'ECDSA-P256-SHA256',
        publicKey: spki,
        signature: signBytes('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString(
          'base64'
        )
      })
  }
}

export const sealedJobId = '01JD2F7Q3XW9V6M0KZ4T8B5HCN'

export interface SealedJobDetails {
  isTraining?: boolean
  /** Pictures of the job, as its reports show them. */
  pictures?: readonly Uint8Array[]
  /** After the seal the job was handed over, and came back. */
  isMoved?: boolean
}

/**
 * The log of a job that was signed off and sealed, and the job that follows from it; `earlier`: by a version without
 * salts.
 */
export async function makeSealedJob(
  sign: (text: string) => Promise<Signature>,
  id = sealedJobId,
  by: 'now' | 'earlier' = 'now',
  { isTraining = false, pictures = [], isMoved = false }: SealedJobDetails = {}
): Promise<{ job: Job; entries: JournalEntry[] }> {
  const entries: JournalEntry[] = []
  const startMs = Date.parse('2026-11-20T15:58:00.000Z')
  const write = <Type extends EntryType>(type: Type, stepId: string | null, data: EntryInput<Type>): void => {
    const at = new Date(startMs + entries.length * 21_000).toISOString()
    entries.push(
      sealEntry(entries.at(-1)?.hash ?? startHash(id), {
        seq: entries.length + 1,
        at,
        ...(by === 'now' ? newEntry(type, stepId, data) : { type, stepId, data: plainJson(data) })
      })
    )
  }
  const { templates, profiles } = loadShipped(sourceResourcesFolder)
  const template = templates.get('standard-installation')!
  write('jobCreated', null, {
    template,
    profile: profiles.get('standard')!,
    device: { imei: '867698040023056', model: 'ft4', address: '192.168.8.1' },
    vehicleText: 'Unit 7',
    customer: 'Customer One',
    technician: 'Technician One',
    order: null,
    ...(by === 'now' ? { isTraining } : {}),
    isSealed: true
  })
  write('stateChanged', null, { state: 'running', reason: plainMessage('connected') })
  for (const { id: stepId, kind } of planSteps(template, null)) {
    write('stepStarted', stepId, { attempt: 1 })
    if (kind !== 'signOff') {
      const clocks = { device: '2026-11-20T15:58:09.000Z', gateway: '2026-11-20T15:58:11.000Z' }
      write('evidence', stepId, {
        attempt: 1,
        witness: 'device',
        what: plainMessage(`Seen for ${stepId}`),
        raw: { value: 11, latitude: 4.65, longitude: -74.1 },
        thresholds: { profile: 'standard 3', passM: 50 },
        clocks
      })
    }
    if (kind === 'signOff') write('namesGiven', stepId, { technician: 'Technician One', customer: 'Customer One' })
    write('stepEnded', stepId, {
      attempt: 1,
      state: 'pass',
      summary: plainMessage('As it should be.'),
      remedy: null,
      witness: ['device'],
      durationMs: 8_000
    })
  }
  for (const picture of pictures) {
    const sha256 = sha256Hex(picture)
    write('attached', null, {
      attempt: 0,
      sha256,
      reportSha256: sha256,
      mediaType: 'image/jpeg',
      bytes: picture.length,
      width: 1,
      height: 1,
      purpose: 'other',
      takenAt: null,
      keptAt: '2026-11-20T16:00:00.000Z',
      source: 'file',
      latitude: null,
      longitude: null,
      placeSource: null
    })
  }
  write('stateChanged', null, { state: 'done', reason: plainMessage('signed off') })
  const claim = {
    head: entries.at(-1)!.hash,
    entries: entries.length,
    at: new Date(startMs + entries.length * 21_000).toISOString(),
    ...(by === 'now' ? { fields: fieldsOfLog(id, entries) } : {})
  }
  write('sealed', null, { ...claim, ...(await sign(sealText({ job: id, ...claim }))) })
  if (isMoved) {
    write('movedAway', null, { id: '01JD2FA0QW', to: 'Laptop Two', at: '2026-11-20T16:40:00.000Z' })
    write('movedHere', null, {
      id: '01JD2FA0QW',
      from: 'Laptop Two',
      at: '2026-11-20T16:41:00.000Z',
      by: 'Technician One',
      reason: null
    })
  }
  return { job: jobOf(id, entries), entries }
}

/** A job as its log tells it. */
export function jobOf(id: string, entries: readonly JournalEntry[]): Job {
  const {
    checklist: _checklist,
    templateSteps: _steps,
    thresholds: _thresholds,
    answers: _answers,
    outputsLeftOn: _left,
    sealing: _sealing,
    ...job
  } = readJob(id, entries)
  return { ...job, operations: [] }
}
