import type { SeenRow } from '../../../../preload/contract/job/jobSeen.ts'
import { asMessage, message, plainMessage, type Message } from '../../../../preload/contract/messages.ts'
import { bareMac } from '../../../../preload/base/messages/hiddenMarks.ts'
import type { AccessoryEvent, TagSeen } from '../engine/accessoryPort.ts'
import { fail, pass, received, unreadable, warn, withFigure, type CheckContext, type Outcome } from '../engine/check.ts'
import {
  asReceived,
  finishByEvents,
  followEvents,
  notExposed,
  unreadableField,
  type EventView,
  type Judgement
} from './accessoryEvents.ts'

/**
 * The vehicle received each ordered Bluetooth tag since the step began, with battery and temperature in range
 * ("Accessory data").
 */
export function checkBtTag(context: CheckContext<'btTag'>): Promise<Outcome> {
  return followEvents(context, {
    giveUpS: context.profile.btTag.giveUpS,
    say: message('accessoryChecks.moveTags'),
    judge: judgeTags
  })
}

export const finishBtTag = finishByEvents<'btTag'>(() => judgeTags)

interface Heard {
  tag: TagSeen
  event: AccessoryEvent
}

export function judgeTags({
  events,
  fields,
  plan,
  profile,
  startMs,
  isSettled,
  isOver
}: EventView<'btTag'>): Judgement {
  const limits = {
    batteryPercent: plan.minBatteryPercent ?? profile.btTag.batteryPercent,
    minDegC: plan.minDegC ?? profile.btTag.minDegC,
    maxDegC: plan.maxDegC ?? profile.btTag.maxDegC
  }
  const heard = new Map<string, Heard>()
  for (const event of events) if (event.tag) heard.set(event.tag.mac, { tag: event.tag, event })
  const wanted = plan.macs?.map(bareMac)
  const { macs, minBatteryPercent, minDegC, maxDegC } = plan
  const isCompared = [macs, minBatteryPercent, minDegC, maxDegC].some((one) => one !== undefined)
  const others = [...heard.values()].filter(({ tag }) => !wanted?.includes(tag.mac))
  const judged = (wanted ?? others.map(({ tag }) => tag.mac)).map((mac) => judgeTag(mac, heard.get(mac), limits))
  const rows = [
    ...judged.map(({ row }) => (isCompared ? row : asReceived(row))),
    ...(wanted
      ? others.map(({ tag }): SeenRow => ({
          label: plainMessage(tag.mac),
          wanted: null,
          device: null,
          gateway: sayTag(tag),
          verdict: 'notOrdered'
        }))
      : [])
  ]
  const seen = [...heard.values()].map(({ tag, event }) => ({
    what: message('accessoryChecks.tagHeard', {
      mac: tag.mac,
      afterS: Math.max(0, Math.round((event.eventAtMs - startMs) / 1000))
    }),
    event,
    thresholds: limits
  }))
  const hint =
    others.length > 0 && wanted
      ? message('accessoryChecks.otherTags', { tags: others.map(({ tag }) => tag.mac) })
      : null
  return { outcome: outcomeOf(), rows, hint, seen }

  function outcomeOf(): Outcome | null {
    if (!fields.has('btt_mac')) return notExposed('btt_mac')
    const missing = judged.filter(({ row }) => row.verdict === 'missing').map(({ mac }) => mac)
    if (!isOver && (missing.length > 0 || judged.length === 0)) return null
    const odd = unreadableField(events, ['btt_mac', 'btt_battery', 'btt_temp'])
    if (judged.length === 0 || missing.length > 0) {
      if (odd)
        return unreadable(message('accessoryChecks.fieldUnreadable', { field: odd }), message('jobs.lookAtRawAnswer'))
      const what =
        missing.length > 0
          ? message('accessoryChecks.tagsNotHeard', { tags: missing })
          : message('accessoryChecks.noTagHeard')
      return fail(
        hint ? message('accessoryChecks.withRemark', { what, remark: hint }) : what,
        message('accessoryChecks.checkTag'),
        ['gateway']
      )
    }
    // The next report of a tag may contain what this one lacks.
    const unread = judged.find(({ row }) => row.verdict === 'unreadable')
    if (unread)
      return isOver
        ? unreadable(message('accessoryChecks.tagIncomplete', { mac: unread.mac }), message('jobs.lookAtRawAnswer'))
        : null
    const problem = judged.find((one) => one.problem)?.problem
    if (problem) return isSettled || isOver ? fail(problem.what, problem.remedy, ['gateway']) : null
    const summary = message('accessoryChecks.tagsHeard', { tags: judged.map(({ mac }) => mac) })
    const text = hint ? message('accessoryChecks.withRemark', { what: summary, remark: hint }) : summary
    const figure = message('accessoryChecks.tagCount', { n: judged.length })
    const byVoltage = judged.filter(({ row }) => row.verdict === 'notExposed').map(({ mac }) => mac)
    if (byVoltage.length > 0) {
      const remark = message('accessoryChecks.tagsByVoltage', { tags: byVoltage })
      const what = message('accessoryChecks.withRemark', { what: text, remark })
      return withFigure(figure, warn(what, message('accessoryChecks.checkTagBattery'), ['gateway']))
    }
    // Without an order it may be a tag of the neighbouring vehicle.
    const compareTags = message('accessoryChecks.compareTags')
    return withFigure(
      figure,
      wanted
        ? pass(text, ['gateway'])
        : isCompared
          ? warn(text, compareTags, ['gateway'])
          : received(text, ['gateway'], compareTags)
    )
  }
}

interface JudgedTag {
  mac: string
  row: SeenRow
  problem: { what: Message; remedy: Message } | null
}

function judgeTag(
  mac: string,
  heard: Heard | undefined,
  limits: { batteryPercent: number; minDegC: number; maxDegC: number }
): JudgedTag {
  const row = {
    label: plainMessage(mac),
    wanted: asMessage(message('accessoryChecks.tagWanted', limits)),
    device: null
  }
  if (!heard) return { mac, row: { ...row, gateway: null, verdict: 'missing' }, problem: null }
  const { batteryPercent, batteryMv, temperatureC } = heard.tag
  const gateway = sayTag(heard.tag)
  if ((batteryPercent === null && batteryMv === null) || temperatureC === null)
    return { mac, row: { ...row, gateway, verdict: 'unreadable' }, problem: null }
  if (batteryPercent !== null && batteryPercent < limits.batteryPercent) {
    const what = message('accessoryChecks.tagBatteryLow', { mac, batteryPercent, leastPercent: limits.batteryPercent })
    return {
      mac,
      row: { ...row, gateway, verdict: 'differs', note: what },
      problem: { what, remedy: message('accessoryChecks.changeTagBattery') }
    }
  }
  if (temperatureC < limits.minDegC || temperatureC > limits.maxDegC) {
    const what = message('accessoryChecks.tagTemperature', {
      mac,
      atDegC: temperatureC,
      minDegC: limits.minDegC,
      maxDegC: limits.maxDegC
    })
    return {
      mac,
      row: { ...row, gateway, verdict: 'differs', note: what },
      problem: { what, remedy: message('accessoryChecks.moveTagAway') }
    }
  }
  return { mac, row: { ...row, gateway, verdict: batteryPercent === null ? 'notExposed' : 'agrees' }, problem: null }
}

function sayTag({ batteryPercent, batteryMv, temperatureC }: TagSeen): Message {
  return message('accessoryChecks.tagSays', {
    battery:
      batteryPercent === null
        ? batteryMv === null
          ? message('accessoryChecks.unknown')
          : message('accessoryChecks.atMv', { atMv: batteryMv })
        : message('accessoryChecks.percent', { batteryPercent }),
    temperature:
      temperatureC === null
        ? message('accessoryChecks.unknown')
        : message('accessoryChecks.degrees', { atDegC: temperatureC })
  })
}
