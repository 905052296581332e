import { z } from 'zod'
import type { SaidNumber } from '../../../../preload/contract/job/jobSeen.ts'
import type { Step, Witness } from '../../../../preload/contract/job/jobs.ts'
import { imeiFault, isValidImei, placeholderIn } from '../../../../preload/contract/base/imei.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { sameHost } from '../../../device/client/facts.ts'
import { simNumberField } from '../../../device/client/radio/mobileNetwork.ts'
import { lastDigits, sameSim, simNumber } from '../../../base/reading/simNumber.ts'
import { askGateway, askPatiently } from '../engine/askGateway.ts'
import {
  deferred,
  mismatch,
  pass,
  unreadable,
  warn,
  withFigure,
  type CheckContext,
  type Outcome
} from '../engine/check.ts'
import { makeMeter } from '../engine/meters.ts'
import { otherNumber, whoWords } from '../engine/otherNumber.ts'
import type { DeviceRecord } from '../engine/ports.ts'
import { deviceLostRemedy } from '../engine/silence.ts'
import { ended, type DeferredOptions, type Finish } from '../finish/finish.ts'

/** label = host name = modem IMEI = device at the gateway; SIM of the modem known to the gateway. */
export async function checkIdentity(context: CheckContext): Promise<Outcome> {
  const { device, job, signal } = context
  const wanted = job.device.imei
  const label = await askForLabel(context)
  context.saw({ witness: 'person', what: message('identity.labelSays', { label }), raw: { label } })

  let hostname: string | undefined
  let modemImei: string | undefined
  let simId: string | undefined
  try {
    const system = await device.system.info({ signal })
    hostname = system.value.hostname
    context.saw({
      witness: 'device',
      what: message('identity.hostName', { name: hostname ?? message('identity.cannotBeRead') }),
      raw: { hostname: hostname ?? null, problems: system.problems }
    })
    const modem = await device.modem.information({ signal })
    modemImei = modem.value.IMEI?.trim()
    simId = modem.value[simNumberField(modem.value)]
    context.saw({
      witness: 'device',
      what: message('identity.modem', {
        imei: modemImei ?? message('identity.cannotBeRead'),
        sim: simId === undefined ? message('identity.cannotBeRead') : `…${lastDigits(simId, 8)}`
      }),
      raw: { IMEI: modemImei ?? null, SIM_ID: simId ?? null, problems: modem.problems }
    })
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'CANCELLED') throw error
    return unreadable(error.sentence, deviceLostRemedy)
  }
  if (!hostname || !modemImei) {
    return unreadable(
      message('identity.unnamed', {
        what: !hostname ? message('identity.itsHostName') : message('identity.itsModemImei')
      }),
      message('identity.restart')
    )
  }
  const said: (SaidNumber & { says: string })[] = [
    { who: 'label', says: label, isSame: label === wanted },
    { who: 'hostName', says: hostname, isSame: sameHost(hostname, wanted) },
    { who: 'modem', says: modemImei, isSame: modemImei === wanted }
  ]
  const unready = said.find(({ who, says }) =>
    who === 'modem' ? imeiFault(says) === 'placeholder' : placeholderIn(says) !== undefined
  )
  if (unready)
    return unreadable(
      message('identity.placeholder', { who: whoWords[unready.who], says: unready.says }),
      message('identity.restart')
    )
  const differs = said.find(({ isSame }) => !isSame)
  if (differs) {
    const outcome = mismatch(
      message('identity.differs', { who: whoWords[differs.who], says: differs.says, imei: wanted }),
      message('identity.takeThe', { digits: wanted.slice(-6) }),
      ['device', 'person']
    )
    return otherNumber(outcome, wanted, [...said, { who: 'gateway', says: null, isSame: false }])
  }
  const outcome = await checkAtGateway(context, wanted, simId)
  if (outcome.state === 'fail' || outcome.state === 'unreadable') return outcome
  // The gateway counts as a witness only if it was asked and has this device.
  return withFigure(
    message('figures.agree', { n: said.length + (outcome.witness.includes('gateway') ? 1 : 0) }),
    outcome
  )
}

async function askForLabel(context: CheckContext): Promise<string> {
  let hint: Message | null = null
  // Scanned when the job was created: the scan counts for the first attempt; for another attempt, the person checks the
  // label again.
  const scanned = context.step.attempts === 1 ? readLabel(context.job.answers.get(context.step.id)?.value) : ''
  if (isValidImei(scanned)) return scanned
  for (;;) {
    context.show({
      say: message('identity.scanLabel'),
      hint,
      meters: [
        makeMeter(
          message('identity.jobIsFor'),
          message('identity.lastDigits', { digits: context.job.device.imei.slice(-6) }),
          { tone: 'wait' }
        )
      ],
      leftMs: null
    })
    const answer = await context.ask({ kind: 'imei', text: message('identity.imeiOnLabel') }).answered
    const label = readLabel(answer.value)
    if (isValidImei(label)) return label
    hint = message('identity.notValid', { label })
    context.saw({ witness: 'person', what: message('identity.refused', { label }), raw: { typed: label } })
  }
}

function readLabel(value: string | number | undefined): string {
  return String(value ?? '').replace(/[\s-]/g, '')
}

/** The reason why the gateway's record does not match this device; undefined if it does. */
export function judgeRecord(record: DeviceRecord, imei: string): Outcome | undefined {
  if (record.imei === imei) return undefined
  if (record.imei === null)
    return unreadable(message('identity.recordUnnamed'), message('identity.recordProvesNothing'))
  const outcome = mismatch(
    message('identity.differs', { who: message('identity.theGateway'), says: record.imei, imei }),
    message('identity.stopAtGateway'),
    ['gateway']
  )
  return {
    ...outcome,
    other: { wanted: imei, seen: record.imei, said: [{ who: 'gateway', says: record.imei, isSame: false }] }
  }
}

const all: Witness[] = ['device', 'gateway', 'person']

async function checkAtGateway(context: CheckContext, imei: string, simId: string | undefined): Promise<Outcome> {
  const { gateway, signal } = context
  context.show({ say: message('identity.askingGateway'), hint: null, meters: [], leftMs: null })
  const found = await askPatiently(context, () => gateway.findDevice(imei, signal))
  if (found.kind === 'away')
    return { ...deferred(message('identity.notAsked', { why: found.why })), witness: ['device', 'person'] }
  if (found.kind === 'no')
    return warn(message('identity.notAsked', { why: found.why }), message('identity.checkGateway'), [
      'device',
      'person'
    ])
  if (found.value === null) {
    return warn(message('identity.notShown'), message('jobs.askWhetherRegistered'), ['device', 'person'])
  }
  context.saw({
    witness: 'gateway',
    what: message('identity.recordNames', { imei: found.value.imei ?? message('identity.noDevice') }),
    raw: found.value.raw,
    thresholds: { imei }
  })
  const wrong = judgeRecord(found.value, imei)
  if (wrong) return wrong
  const { simIds } = found.value
  if (!simId || simIds.some((id) => sameSim(id, simId))) return judgeSim({ simId, atGateway: simIds, isKnown: false })
  const sim = await askPatiently(context, () => gateway.findSim(simNumber(simId) ?? simId, signal))
  if (sim.kind === 'away') return { ...deferred(message('identity.simNotAsked', { why: sim.why })), witness: all }
  const isKnown = sim.kind === 'answer' && sim.value !== null
  if (isKnown)
    context.saw({
      witness: 'gateway',
      what: message('identity.knowsSim', { digits: lastDigits(simId, 8) }),
      raw: sim.value?.raw
    })
  return judgeSim({ simId, atGateway: simIds, isKnown })
}

/** The SIM of a device according to the gateway: the same SIM, another one, or none. */
export function judgeSim({
  simId,
  atGateway,
  isKnown
}: {
  simId: string | undefined
  atGateway: string[]
  isKnown: boolean
}): Outcome {
  if (!simId) return warn(message('identity.simUnreadable'), message('identity.checkSim'), all)
  if (atGateway.some((id) => sameSim(id, simId))) return pass(message('identity.sameSim'), all)
  if (atGateway.length > 0) {
    return isKnown
      ? warn(message('identity.simDiffersKnown'), message('identity.tellSimChanged'), all)
      : warn(message('identity.otherSim'), message('identity.tellWhichSim'), all)
  }
  return isKnown
    ? pass(message('identity.simKnown'), all)
    : warn(message('identity.simNotShown'), message('identity.simComesLater'), all)
}

const simOfEvidence = z.object({ SIM_ID: z.string() })

/** Label, host name and modem were compared during the step; only the gateway is missing. */
export async function finishIdentity(step: Step, { job, gateway, signal }: DeferredOptions): Promise<Finish> {
  const { imei } = job().device
  const found = await askGateway(() => gateway.findDevice(imei, signal))
  if (found.kind === 'away') return { kind: 'away', why: found.why }
  if (found.kind === 'no' || found.value === null) {
    return ended(warn(message('identity.notShown'), message('jobs.askWhetherRegistered'), ['device', 'person']))
  }
  const { value } = found
  const seen = [
    { what: message('identity.recordNames', { imei: value.imei ?? message('identity.noDevice') }), raw: value.raw }
  ]
  const wrong = judgeRecord(value, imei)
  if (wrong) return ended(wrong, seen)
  const simId = step.evidence
    .toReversed()
    .map((one) => simOfEvidence.safeParse(one.raw))
    .find((one) => one.success)?.data?.SIM_ID
  const sim = simId ? await askGateway(() => gateway.findSim(simNumber(simId) ?? simId, signal)) : undefined
  if (sim?.kind === 'away') return { kind: 'away', why: sim.why }
  const isKnown = sim?.kind === 'answer' && sim.value !== null
  return ended(judgeSim({ simId, atGateway: value.simIds, isKnown }), seen)
}
