import type { ChainLink, ChainStep, Diagnosis, DiagnosisSubject } from '../../../preload/contract/support/diagnosis.ts'
import type { Json } from '../../../preload/contract/define.ts'
import type { CallOutput } from '../../../preload/contract/index.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import type { LatestDiagnosis } from '../../../preload/contract/support/visits.ts'
import type { Evidence } from '../../../preload/contract/support/evidence.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { Snapshot } from '../../../preload/contract/support/snapshots.ts'
import type { Tolerances } from '../../../preload/contract/support/tolerances.ts'
import type { DeviceCompare } from '../../../preload/contract/device/deviceCompare.ts'
import { viewOfDevice } from './deviceCompare.ts'
import { conclude, diagnose, type Measures } from './diagnosis.ts'
import { compareFacts } from './facts/facts.ts'
import { createGathering, soughtOf, type Gathered, type GatheringParts } from './gathering.ts'
import { lastReportOf, rhythmOfEvents } from '../../base/reading/rhythmOfEvents.ts'
import { leastSilenceMs } from '../../../preload/gateway/reporting.ts'
import type { ShownReports } from '../../gateway/localCopy/copiedState.ts'
import { createGatewayWitness } from './gatewayWitness.ts'
import type { DiagnosisGateway } from '../../gateway/client/diagnosisGateway.ts'
import { keepLatest } from './keepLatest.ts'
import { deviceNeedsTo } from './needs.ts'
import { createRecording, type RecordedSubject, type RecordingSpan } from './recording.ts'
import { ageOf, viewEvidence, type EvidenceView } from './evidenceView.ts'
import { sayEvent } from '../../gateway/client/decoders/eventText.ts'
import { isoAt } from './linkVerdict.ts'
import { evidenceOf } from './snapshots/evidence.ts'

export interface DiagnosesParts extends Omit<GatheringParts, 'gateway'> {
  gateway: DiagnosisGateway
  tolerances(): Tolerances
  /** The vehicle in the local copy: its name while the gateway cannot be asked. */
  copied?(
    vehicleId: number | null,
    imei: string | null
  ): Promise<{ name: string; plate: string | null; copiedAt?: string | null; lastReportedAt?: string | null } | null>
  /** The reports that were read, for the local copy. */
  noteReports?(imei: string, shown: ShownReports): void
  installed(imei: string): Snapshot | null
  /** The subject that a person looks at, each time its result changes. */
  looked?(diagnosis: LatestDiagnosis): void
}

/** When to ask again: while requests run, while all is well, while nobody answers. */
const nextMs = { soon: 300, usual: 1_500, silent: 5_000 }

const chainOperations = deviceNeedsTo('visible')

/** After a longer pause a subject is opened anew. */
const openedAfterMs = 10_000

const mostLatest = 8

const mostSubjects = 32

export function createDiagnoses(parts: DiagnosesParts) {
  const now = parts.now ?? (() => Date.now())
  const witness = createGatewayWitness(parts.gateway, parts.reportFault, parts.now)
  const gathering = createGathering({ ...parts, gateway: witness })

  const measures = (): Measures => ({ limits: parts.limits(), tolerances: parts.tolerances() })

  const recording = createRecording()
  /** The identities behind each subject: an earlier moment is shown with the same names. */
  const seen = new Map<string, Pick<Gathered, 'deviceKey' | 'model'> & { recorded: RecordedSubject }>()

  function record(subject: DiagnosisSubject, gathered: Gathered): Gathered {
    noteReports(gathered.evidence)
    const recorded = recordedOf(gathered.evidence)
    if (recorded.imei === null && recorded.vehicleId === null) return gathered
    recording.keep(recorded, gathered.evidence)
    const key = JSON.stringify(subject)
    keepLatest(seen, key, { deviceKey: gathered.deviceKey, model: gathered.model, recorded }, mostSubjects)
    return gathered
  }

  /** The lists judge by the same reports. */
  function noteReports({ imei, gateway, at }: Evidence): void {
    const events = gateway?.events?.value.filter((event) => event.imei === imei) ?? []
    const last = lastReportOf(events)
    if (imei === null || last === null) return
    parts.noteReports?.(imei, {
      lastReportedAt: new Date(last.atMs).toISOString(),
      isDriving: last.isDriving,
      rhythm: rhythmOfEvents(events),
      readAt: at
    })
  }

  /** The evidence at a moment. Throws NOT_FOUND without a recording. */
  function recall(subject: DiagnosisSubject, atMs: number): Gathered {
    const known = seen.get(JSON.stringify(subject))
    const sought: RecordedSubject = known?.recorded ?? {
      imei: 'imei' in subject ? subject.imei : null,
      vehicleId: 'vehicleId' in subject ? (subject.vehicleId ?? null) : null
    }
    const evidence = recording.at(sought, atMs)
    if (evidence === null) throw new AppError('NOT_FOUND', message('facts.notRecorded'))
    return { evidence, deviceKey: known?.deviceKey ?? null, model: known?.model ?? null, isWhole: true }
  }

  function told(
    { evidence, deviceKey, model, isWhole, retry = null }: Gathered,
    { limits, tolerances } = measures()
  ): Diagnosis {
    const { device, gateway } = evidence
    const sight = viewEvidence(evidence, limits)
    const { heard } = sight
    const verdicts = diagnose(evidence, { limits, tolerances })
    // Power that was on a moment ago: two seconds decide whether it is gone.
    const isSoon =
      !isWhole ||
      verdicts.chain.some(({ state, sentence }) => state === 'unknown' && sentence.id === 'chain.power.momentary')
    const vehicle = gateway?.vehicle?.value ?? null
    const isSilent = device !== null && device.state !== 'answers' && device.state !== 'asking'
    return {
      ...verdicts,
      at: evidence.at,
      subject: {
        deviceKey,
        vehicleId: vehicle?.id ?? null,
        imei: evidence.imei,
        name: vehicle?.name ?? null,
        plate: vehicle?.plate ?? null,
        model,
        host: device?.host || null,
        copiedAt: null
      },
      device: device && {
        state: device.state,
        why: device.why,
        readAt: oldest(chainOperations.map((operation) => device.readings[operation]?.readAt))
      },
      gateway: gateway && {
        state: gateway.state,
        why: gateway.why,
        readAt: oldest([gateway.events, gateway.vehicle, gateway.user].map((kept) => kept?.readAt)),
        aheadS: gateway.aheadS,
        trouble: gateway.trouble ?? null,
        username: gateway.username ?? null,
        retry
      },
      lastReport: heard && {
        at: new Date(heard.atMs).toISOString(),
        ageS: Math.round(heard.ageS),
        reportsWithinS: sight.reporting.limitS ?? leastSilenceMs / 1_000
      },
      reporting: sight.reporting,
      latest: latestOf(sight),
      recorded: spanOf(recording.span(recordedOf(evidence))),
      isWhole,
      nextInMs: isSoon ? nextMs.soon : isSilent ? nextMs.silent : nextMs.usual,
      openedAfterMs
    }
  }

  /** The broken link of each subject, until a reading of the same link disproves it. */
  const red = new Map<string, ChainStep>()
  let redOf: string | null = null

  async function hold(subject: DiagnosisSubject, look: Diagnosis): Promise<Diagnosis> {
    const account = await parts.gatewayName()
    if (account !== redOf) red.clear()
    redOf = account
    const key = JSON.stringify(subject)
    const before = red.get(key)
    const isUnread = before && look.chain.some(({ link, state }) => link === before.link && state === 'unknown')
    if (isUnread) {
      const chain = look.chain.map((step) => (step.link === before.link ? { ...before, isHeld: true } : step))
      return { ...look, ...conclude({ chain, findings: look.findings, facts: look.facts }) }
    }
    const broken = look.chain.find(({ state }) => state === 'broken')
    if (broken) keepLatest(red, key, broken, mostSubjects)
    else red.delete(key)
    return look
  }

  /** With the name from the local copy if the gateway did not report one. */
  async function toldNow(subject: DiagnosisSubject, gathered: Gathered): Promise<Diagnosis> {
    const look = await hold(subject, told(record(subject, gathered)))
    const { vehicleId } = soughtOf(subject)
    const isInNone = vehicleId === null && gathered.evidence.gateway?.vehicle?.value === null
    if (look.subject.name !== null || isInNone) return look
    const copied = (await parts.copied?.(vehicleId, look.subject.imei)) ?? null
    return copied
      ? {
          ...look,
          subject: {
            ...look.subject,
            name: copied.name,
            plate: copied.plate,
            copiedAt: copied.copiedAt ?? null,
            copiedReportAt: copied.lastReportedAt ?? null
          }
        }
      : look
  }

  /** What was told last, so that a live diagnosis is noted when it changes and not with each reading. */
  let noted = ''

  function noteLatest(subject: DiagnosisSubject, look: Diagnosis): Diagnosis {
    const note = latestOfLook(subject, look)
    if (!note) return look
    const result = JSON.stringify([subject, note.name, note.tone, note.brokenAt, note.links])
    if (result !== noted) parts.looked?.(note)
    noted = result
    return look
  }

  const lookedMs = new Map<string, number>()

  async function lookNow(subject: DiagnosisSubject): Promise<Gathered> {
    const key = JSON.stringify(subject)
    const before = lookedMs.get(key)
    const isOpened = before !== undefined && now() - before > openedAfterMs
    try {
      return await (isOpened ? gathering.open(soughtOf(subject)) : gathering.look(soughtOf(subject)))
    } finally {
      keepLatest(lookedMs, key, now(), mostSubjects)
    }
  }

  return {
    /** The diagnosis so far; call again after `nextInMs`. */
    look: async (subject: DiagnosisSubject, atMs: number | null = null): Promise<Diagnosis> =>
      atMs === null ? noteLatest(subject, await toldNow(subject, await lookNow(subject))) : told(recall(subject, atMs)),
    /** What is known already: the first picture waits for nobody. */
    quick: async (subject: DiagnosisSubject): Promise<Diagnosis> =>
      toldNow(subject, await gathering.quick(soughtOf(subject))),
    /** Requests the data of this link afresh; null: of all links. */
    retest: async (subject: DiagnosisSubject, link: ChainLink | null): Promise<Diagnosis> =>
      noteLatest(subject, await toldNow(subject, await gathering.again(soughtOf(subject), link))),
    /** The diagnosis of evidence from a file with its writer's limits, as if it had just been collected. */
    tell: (evidence: Evidence, of: Pick<Gathered, 'deviceKey' | 'model'>, by: Measures): Diagnosis =>
      told({ evidence, ...of, isWhole: true }, by),
    /** The same for the screens of a device. */
    tellDevice: (evidence: Evidence, { tolerances }: Measures): DeviceCompare => viewOfDevice(evidence, tolerances),
    evidence: async (subject: DiagnosisSubject): Promise<Evidence> =>
      (await gathering.whole(soughtOf(subject))).evidence,
    /** For the device screens: the facts of the same evidence. */
    compare: async (key: string): Promise<DeviceCompare> => {
      const subject = { key }
      return viewOfDevice(record(subject, await gathering.look(soughtOf(subject))).evidence, parts.tolerances())
    },
    /** What the gateway alone reports about a device or a vehicle, waiting at most this long. */
    gateway: gathering.gateway,
    raw(subject: DiagnosisSubject, atMs: number | null): CallOutput<'diagnosis.raw'> {
      const { at, device, gateway } = recall(subject, atMs ?? Infinity).evidence
      return { at, device: plain(device?.readings ?? {}), gateway: plain(gateway ?? {}) }
    },
    /** Both witnesses at the sign-off of a device's last installation. */
    installed(imei: string): CallOutput<'diagnosis.installed'> {
      const snapshot = parts.installed(imei)
      return {
        installed: snapshot && {
          takenAt: snapshot.takenAt,
          facts: compareFacts(evidenceOf(snapshot), parts.tolerances())
        }
      }
    },
    addReadings: gathering.addReadings,
    recording,
    stop: () => gathering.stop()
  }
}
export type Diagnoses = ReturnType<typeof createDiagnoses>

/** Null while nothing was found and questions have no answer yet. */
function latestOfLook(
  subject: DiagnosisSubject,
  { isWhole, at, tone, brokenAt, since, chain, findings, headline, subject: { name, plate, imei } }: Diagnosis
): LatestDiagnosis | null {
  if (!isWhole && tone === 'unknown') return null
  const finding = headline && 'finding' in headline ? findings.find(({ id }) => id === headline.finding) : undefined
  const step = chain.find(({ state }) => state === 'broken')
  return {
    subject,
    name,
    plate,
    imei,
    at,
    tone,
    brokenAt,
    sinceAt: since,
    what: finding?.sentence ?? step?.sentence ?? null,
    links: chain.map(({ state }) => state)
  }
}

/** The latest events in words; one without a time on our clock is left out. */
function latestOf(sight: EvidenceView): Diagnosis['latest'] {
  return sight.events.slice(0, mostLatest).flatMap((event) => {
    const ageS = ageOf(event, sight)
    const at = ageS === null ? null : isoAt(sight.nowMs - ageS * 1000)
    return at === null
      ? []
      : [{ at, what: sayEvent((event.raw ?? {}) as Record<string, unknown>, { labels: {} }).what }]
  })
}

function recordedOf({ imei, gateway }: Evidence): RecordedSubject {
  return { imei, vehicleId: gateway?.vehicle?.value?.id ?? null }
}

function spanOf(span: RecordingSpan | null): Diagnosis['recorded'] {
  return span && { fromMs: span.fromMs, toMs: span.toMs }
}

function plain(tree: object): Record<string, Json> {
  return tree as Record<string, Json>
}

/** A verdict is as old as the oldest of its inputs. */
function oldest(times: readonly (string | undefined)[]): string | null {
  return times.filter((time) => time !== undefined).sort()[0] ?? null
}
