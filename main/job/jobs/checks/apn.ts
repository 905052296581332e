import type { ModemConfiguration, ModemInformation, Reading } from '../../../../preload/contract/device/deviceAreas.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import type { SeenRow } from '../../../../preload/contract/job/jobSeen.ts'
import { message, nameMessage, type Message } from '../../../../preload/contract/messages.ts'
import { isOnNetwork, sameApn } from '../../../device/client/facts.ts'
import { judgeMobileNetwork } from '../../../device/client/radio/mobileNetwork.ts'
import {
  fail,
  missingField,
  pass,
  received,
  unreadable,
  warn,
  withRows,
  type Asked,
  type CheckContext,
  type Outcome
} from '../engine/check.ts'
import { sendChange } from '../engine/deviceWrite.ts'
import { makeMeter } from '../engine/meters.ts'
import { whyNotProved } from '../engine/sameDevice.ts'
import { deviceLost } from '../engine/silence.ts'

interface Seen {
  apn: string
  isRegistered: boolean
  isUnknown: boolean
  hasAddress: boolean
  raw: { APN: string; GSM_REG: unknown; GPRS_REG: unknown; IP: unknown }
}

/**
 * The modem uses the ordered APN (`GET /storage/hgetall/modem_configuration`) and has a registration and an address
 * with it. A different APN is changed after the person agrees (`POST /storage/edit`), read back, and checked in the
 * same way. That call also sets user, password and PIN, which are secrets and not part of a checklist: the step offers
 * the change only if the order says that all three are empty.
 */
export async function checkApn(context: CheckContext<'apn'>): Promise<Outcome> {
  const { giveUpS, settleS } = context.profile.apn
  const wanted = context.plan.apn?.trim()
  const thresholds = { apn: wanted ?? null, settleS }
  let asked: Asked | undefined
  let isSet = false
  let sinceMs = context.elapsedMs()
  let withoutAddressSinceMs: number | undefined
  let noted = ''

  for (;;) {
    const read = await look(context)
    const forMs = context.elapsedMs() - sinceMs
    const leftMs = giveUpS * 1000 - forMs
    if ('seen' in read) {
      const { seen } = read
      const rows = rowsOf(seen, wanted)
      const what = message('apn.seen', {
        apn: nameOf(seen.apn),
        isRegistered: yesOrNo(seen.isRegistered),
        hasAddress: yesOrNo(seen.hasAddress)
      })
      if (nameMessage(what) !== noted) {
        context.saw({ witness: 'device', what, raw: seen.raw, thresholds })
        noted = nameMessage(what)
      }
      if (wanted !== undefined && !sameApn(seen.apn, wanted)) {
        if (isSet)
          return withRows(
            rows,
            fail(message('apn.notTaken', { apn: nameOf(seen.apn), wanted }), message('apn.openPanel'), ['device'])
          )
        if (!context.plan.clearsSignIn)
          return withRows(
            rows,
            fail(message('apn.differs', { apn: nameOf(seen.apn), wanted }), message('apn.openPanel'), ['device'])
          )
        asked ??= context.ask({ kind: 'yesNo', text: message('apn.offer', { apn: nameOf(seen.apn), wanted }) })
        if (asked.given?.answer === true) {
          const failed = await setApn(context, wanted)
          if (failed) return withRows(rows, failed)
          asked = undefined
          isSet = true
          withoutAddressSinceMs = undefined
          sinceMs = context.elapsedMs()
          continue
        }
        if (asked.given)
          return withRows(
            rows,
            fail(message('apn.differs', { apn: nameOf(seen.apn), wanted }), message('apn.openPanel'), [
              'device',
              'person'
            ])
          )
        context.show({
          say: message('apn.differs', { apn: nameOf(seen.apn), wanted }),
          hint: null,
          meters: metersOf(seen),
          rows,
          leftMs: null
        })
      } else {
        // Someone else corrected it in the meantime: the question is no longer needed.
        if (asked) context.unask()
        asked = undefined
        if (seen.isRegistered && seen.hasAddress) {
          const what = message(isSet ? 'apn.setAndProved' : 'apn.good', { apn: nameOf(seen.apn) })
          return withRows(rows, wanted === undefined ? received(what, ['device']) : pass(what, ['device']))
        }
        withoutAddressSinceMs =
          seen.hasAddress || !seen.isRegistered ? undefined : (withoutAddressSinceMs ?? context.elapsedMs())
        if (withoutAddressSinceMs !== undefined && context.elapsedMs() - withoutAddressSinceMs >= settleS * 1000) {
          return withRows(
            rows,
            fail(
              message('apn.noAddress', { apn: nameOf(seen.apn) }),
              message(wanted === undefined ? 'apn.wrongApn' : 'apn.orderedApnRefused', { apn: nameOf(seen.apn) }),
              ['device']
            )
          )
        }
        if (leftMs <= 0) {
          if (seen.isUnknown && seen.hasAddress)
            return withRows(
              rows,
              warn(message('apn.wordingUnknown', { apn: nameOf(seen.apn) }), message('network.seeWhetherDelivered'), [
                'device'
              ])
            )
          return withRows(
            rows,
            fail(message('apn.notRegistered', { apn: nameOf(seen.apn) }), message('apn.seeNetwork'), ['device'])
          )
        }
        context.show({
          say: message('apn.waiting', { apn: nameOf(seen.apn) }),
          hint: withoutAddressSinceMs === undefined ? null : message('network.checkApn'),
          meters: metersOf(seen),
          rows,
          leftMs
        })
      }
    } else if (leftMs <= 0 || ('problem' in read && forMs >= settleS * 1000)) {
      const why = 'problem' in read ? read.problem : read.failure.sentence
      return unreadable(
        message('apn.unreadable', { why }),
        'problem' in read ? message('jobs.lookAtRawAnswer') : message('jobs.runAgainWhenAnswering')
      )
    }
    const lost = deviceLost(context)
    if (lost) return lost
    await Promise.race([context.pause(1_000), ...(asked && !asked.given ? [asked.answered] : [])])
  }
}

async function look(
  context: CheckContext<'apn'>
): Promise<{ seen: Seen } | { problem: Message | string } | { failure: AppError }> {
  const { modem } = context.device
  let configuration: Reading<ModemConfiguration>
  let information: Reading<ModemInformation>
  try {
    configuration = await modem.configuration({ signal: context.signal })
    information = await modem.information({ signal: context.signal })
  } catch (failure) {
    if (!(failure instanceof AppError) || failure.code === 'CANCELLED') throw failure
    return { failure }
  }
  const problem = missingField(configuration, ['APN']) ?? missingField(information, ['GSM_REG', 'GPRS_REG', 'IP'])
  const { APN: apn } = configuration.value
  if (problem || apn === undefined) return { problem: problem || message('jobs.missingInAnswer', { path: 'APN' }) }
  const { GSM_REG, GPRS_REG, IP } = information.value
  const { registered, registration, hasAddress } = judgeMobileNetwork(information.value)
  return {
    seen: {
      apn: apn.trim(),
      isRegistered: isOnNetwork(registered),
      isUnknown: registration?.state === 'unknown',
      hasAddress,
      raw: { APN: apn, GSM_REG, GPRS_REG, IP }
    }
  }
}

/** Undefined if the device shows the values that were sent. */
async function setApn(context: CheckContext<'apn'>, apn: string): Promise<Outcome | undefined> {
  const { device, job, signal } = context
  const write = { operation: 'modem.editApn', input: { apn } }
  context.show({ say: message('apn.setting', { apn }), hint: null, meters: [], leftMs: null })
  const unproved = await whyNotProved(device, job.device.imei, signal)
  if (unproved) return unproved
  const change = {
    ...write,
    what: message('apn.command', { apn }),
    answered: (status: number) => message('apn.answered', { status })
  }
  const sending = await sendChange(context, change, () =>
    device.modem.editApn({ apn, user: '', pass: '', pin: '' }, { signal })
  )
  // A lost answer is not a failure yet: reading back decides.
  if ('failure' in sending && sending.failure.fate !== 'unknown')
    return fail(message('apn.refused', { why: sending.failure.sentence }), message('apn.openPanel'), ['device'])
  const untilMs = context.monotonicMs() + context.profile.apn.readBackS * 1000
  for (;;) {
    const seen = await readBack(context)
    if (seen !== undefined && sameApn(seen, apn)) {
      context.recordWrite({
        ...write,
        phase: 'readBack',
        what: message('apn.readBack', { apn: seen }),
        raw: { APN: seen }
      })
      return undefined
    }
    if (context.monotonicMs() >= untilMs) {
      if (seen === undefined)
        return unreadable(
          message('apn.unreadable', { why: message('network.noAnswer') }),
          message('jobs.runAgainWhileAnswering')
        )
      context.recordWrite({
        ...write,
        phase: 'readBack',
        what: message('apn.readBack', { apn: nameOf(seen) }),
        raw: { APN: seen }
      })
      return undefined
    }
    await context.pause(500)
  }
}

async function readBack({ device, signal }: CheckContext<'apn'>): Promise<string | undefined> {
  try {
    return (await device.modem.configuration({ signal })).value.APN?.trim()
  } catch (error) {
    if (error instanceof AppError && error.code !== 'CANCELLED') return undefined
    throw error
  }
}

function nameOf(apn: string): Message {
  return apn === '' ? message('apn.none') : message('apn.name', { apn })
}

function rowsOf(seen: Seen, wanted: string | undefined): SeenRow[] {
  const there = (isThere: boolean) => message(isThere ? 'meters.present' : 'meters.none')
  return [
    {
      label: message('apn.apn'),
      wanted: wanted === undefined ? null : nameOf(wanted),
      device: nameOf(seen.apn),
      gateway: null,
      verdict: wanted === undefined ? 'received' : sameApn(seen.apn, wanted) ? 'agrees' : 'differs'
    },
    {
      label: message('apn.registration'),
      wanted: there(true),
      device: there(seen.isRegistered),
      gateway: null,
      verdict: seen.isRegistered ? 'agrees' : seen.isUnknown ? 'unreadable' : 'missing'
    },
    {
      label: message('network.address'),
      wanted: there(true),
      device: there(seen.hasAddress),
      gateway: null,
      verdict: seen.hasAddress ? 'agrees' : 'missing'
    }
  ]
}

function metersOf(seen: Seen) {
  return [
    makeMeter(message('apn.apn'), nameOf(seen.apn)),
    makeMeter(message('network.registered'), message(seen.isRegistered ? 'meters.yes' : 'meters.none'), {
      tone: seen.isRegistered ? 'pass' : 'live'
    }),
    makeMeter(message('network.address'), message(seen.hasAddress ? 'meters.present' : 'meters.none'), {
      tone: seen.hasAddress ? 'pass' : 'live'
    })
  ]
}

function yesOrNo(is: boolean): 'yes' | 'no' {
  return is ? 'yes' : 'no'
}
