import type { Witness } from '../../../preload/contract/jobs.ts'
import { isValidImei } from '../../../preload/contract/imei.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { sameHost } from '../../device/facts.ts'
import { askPatiently } from '../askGateway.ts'
import { deferred, fail, pass, unreadable, warn, type CheckContext, type Outcome } from '../check.ts'
import { meter } from '../meters.ts'
import type { DeviceRecord } from '../ports.ts'
import { deviceLostRemedy } from '../silence.ts'

/** label = host name = modem IMEI = device at the gateway; SIM of the modem known to the gateway. */
export async function checkIdentity(context: CheckContext): Promise<Outcome> {
  const { device, job, signal } = context
  const wanted = job.device.imei
  const label = await askForLabel(context)
  context.saw({ witness: 'person', what: `Label says ${label}`, raw: { label } })

  let hostname: string | undefined
  let modemImei: string | undefined
  let simId: string | undefined
  try {
    const system = await device.system.info({ signal })
    hostname = system.value.hostname
    context.saw({ witness: 'device', what: `Host name ${hostname ?? 'unreadable'}`, raw: { hostname: hostname ?? null, problems: system.problems } })
    const modem = await device.modem.information({ signal })
    modemImei = modem.value.IMEI?.trim()
    simId = modem.value.SIM_TYPE === 'EMBEDDED' && modem.value.eSIM_ID ? modem.value.eSIM_ID : modem.value.SIM_ID
    context.saw({
      witness: 'device',
      what: `Modem IMEI ${modemImei ?? 'unreadable'}, SIM …${simId?.slice(-8) ?? 'unreadable'}`,
      raw: { IMEI: modemImei ?? null, SIM_ID: simId ?? null, problems: modem.problems }
    })
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'CANCELLED') throw error
    return unreadable(error.message, deviceLostRemedy)
  }
  if (!hostname || !modemImei) {
    return unreadable(`The device does not say who it is: ${!hostname ? 'host name' : 'modem IMEI'} missing`, 'Restart the device and run the step again. Do not go on: the vehicle could get the wrong device.')
  }
  const differs = [
    { who: 'the label', says: label, isSame: label === wanted },
    { who: 'the host name', says: hostname, isSame: sameHost(hostname, wanted) },
    { who: 'the modem', says: modemImei, isSame: modemImei === wanted }
  ].find(({ isSame }) => !isSame)
  if (differs) {
    return fail(
      `${differs.who} says ${differs.says}, this job is for ${wanted}`,
      'Stop: this is another device. Take the device whose label fits, or make a new job for this one.',
      ['device', 'person']
    )
  }
  return checkAtGateway(context, wanted, simId)
}

async function askForLabel(context: CheckContext): Promise<string> {
  let hint = ''
  // Scanned when the job was made: it counts for the first attempt, a person who runs the step again looks again.
  const scanned = context.step.attempts === 1 ? readLabel(context.job.answers.get(context.step.id)?.value) : ''
  if (isValidImei(scanned)) return scanned
  for (;;) {
    context.show({
      say: "Scan or type the IMEI on the device's label.",
      hint,
      meters: [meter('This job is for', `…${context.job.device.imei.slice(-6)}`, { tone: 'wait' })],
      leftMs: null
    })
    const answer = await context.ask({ kind: 'imei', text: 'IMEI on the label (15 digits)' }).answered
    const label = readLabel(answer.value)
    if (isValidImei(label)) return label
    hint = `"${label}" is no valid IMEI: 15 digits, and the last one must fit. Read the label again.`
    context.saw({ witness: 'person', what: `Refused "${label}": wrong check digit`, raw: { typed: label } })
  }
}

function readLabel(value: string | number | undefined): string {
  return String(value ?? '').replace(/[\s-]/g, '')
}

/** Why the gateway's record does not stand for this device; undefined when it names it. */
export function judgeRecord(record: DeviceRecord, imei: string): Outcome | undefined {
  if (record.imei === imei) return undefined
  if (record.imei === null) return unreadable(`${local}; the gateway's record does not say which device it is of`, 'Run the step again; if it stays so, tell the back office: this record proves nothing.')
  return fail(`the gateway says ${record.imei}, this job is for ${imei}`, 'Stop: the gateway takes this device for another one. Ask the back office before you go on.', ['gateway'])
}

const local = 'label = host name = modem'
const all: Witness[] = ['device', 'gateway', 'person']

async function checkAtGateway(context: CheckContext, imei: string, simId: string | undefined): Promise<Outcome> {
  const { gateway, signal } = context
  context.show({ say: 'Asking the gateway for this device.', hint: '', meters: [], leftMs: null })
  const found = await askPatiently(context, () => gateway.findDevice(imei, signal))
  if (found.kind === 'away') return { ...deferred(`${local}; the gateway could not be asked: ${found.why}`), witness: ['device', 'person'] }
  if (found.kind === 'no') return warn(`${local}; the gateway could not be asked: ${found.why}`, 'Check the gateway in the settings, or ask the back office for the right that is missing. Then run the step again.', ['device', 'person'])
  if (found.value === null) {
    return warn(
      `${local}; the gateway does not show this device (not found or not permitted)`,
      'Ask the back office whether the device is registered and its group is yours.',
      ['device', 'person']
    )
  }
  context.saw({ witness: 'gateway', what: `The gateway's record names ${found.value.imei ?? 'no device'}`, raw: found.value.raw, thresholds: { imei } })
  const wrong = judgeRecord(found.value, imei)
  if (wrong) return wrong
  const { simIds } = found.value
  if (!simId || simIds.some((id) => sameSim(id, simId))) return judgeSim({ simId, atGateway: simIds, isKnown: false })
  const sim = await askPatiently(context, () => gateway.findSim(simId, signal))
  if (sim.kind === 'away') return { ...deferred(`${local} = gateway; its SIM could not be asked for: ${sim.why}`), witness: all }
  const isKnown = sim.kind === 'answer' && sim.value !== null
  if (isKnown) context.saw({ witness: 'gateway', what: `The gateway knows SIM …${simId.slice(-8)}`, raw: sim.value?.raw })
  return judgeSim({ simId, atGateway: simIds, isKnown })
}

/** The SIM of a device that the gateway knows: the one that it names for it, another one, or none. */
export function judgeSim({ simId, atGateway, isKnown }: { simId: string | undefined; atGateway: string[]; isKnown: boolean }): Outcome {
  if (!simId) return warn(`${local} = gateway; the SIM cannot be read`, 'Check that a SIM is inserted.', all)
  if (atGateway.some((id) => sameSim(id, simId))) return pass(`${local} = gateway, same SIM`, all)
  if (atGateway.length > 0) {
    return isKnown
      ? warn(`${local} = gateway; the SIM differs but is known`, 'Tell the back office that the SIM was changed.', all)
      : warn(`${local} = gateway; the gateway has another SIM for this device`, 'Tell the back office which SIM is inserted.', all)
  }
  return isKnown
    ? pass(`${local} = gateway, SIM known`, all)
    : warn(`${local} = gateway; the gateway does not show the SIM`, 'It appears with the first report of the device, or you may not see SIMs.', all)
}

/** ICCIDs come with 19 or 20 digits: the last one is a check digit that some modems leave out. */
function sameSim(left: string, right: string): boolean {
  const [a, b] = [left, right].map((id) => id.replace(/\D/g, '').slice(0, 19))
  return a !== '' && a === b
}
