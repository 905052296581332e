import type { AccessoryTest } from '../../../preload/contract/gateway/accessories.ts'
import type { Json } from '../../../preload/contract/define.ts'
import type { AccessoryGateway } from './ports.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { AccessoryTrials } from './trials.ts'

const lookEveryMs = 3_000
/** Clocks of device and gateway have whole seconds. */
const clockMarginMs = 2_000
const beforeMs = 6 * 3_600_000
/** More events than a device sends in a second. */
const mostAtOnce = 20

/**
 * Waits for the driver of a key as `aid` in the vehicle's events; a driver who is already linked needs a new entry of
 * the history.
 */
export async function startTapTrial(
  { gateway, tests }: { gateway: AccessoryGateway; tests: AccessoryTrials },
  input: { vehicleId: number; assetId: number; assetName: string; waitS: number },
  signal: AbortSignal
): Promise<AccessoryTest> {
  const { vehicleId, assetId, assetName } = input
  const startMs = await gateway.nowMs()
  const isAid = (name: string): boolean => name === 'aid'
  const before = await gateway.readEvents(vehicleId, isAid, { sinceMs: startMs - beforeMs, tail: mostAtOnce }, signal)
  const last = before.at(-1)
  const lastMs = last && gateway.eventMs(last)
  // Events have whole seconds: those of one second come in any order, and each of them may be the last.
  const namedLast = new Set(before.filter((event) => gateway.eventMs(event) === lastMs).map((event) => event['aid']))
  const wasThere = namedLast.has(assetId)
  let wording: 1 | 2 = 1
  return tests.start({
    kind: 'tap',
    vehicleId,
    title: message('accessories.keyOf', { name: assetName }),
    note: wasThere ? message('accessories.driverThereAlready', { name: assetName }) : message('accessories.holdKey'),
    limitMs: input.waitS * 1000,
    everyMs: lookEveryMs,
    async look(abort) {
      if (wasThere) {
        wording = wording === 1 ? 2 : 1
        const { found, sure, raw } = await gateway.findLink(vehicleId, assetId, {
          sinceMs: startMs,
          afterMs: lastMs,
          wording,
          signal: abort
        })
        if (found && sure)
          return { kind: 'found', note: message('accessories.historyNamesAnew', { name: assetName }), evidence: raw }
        return { kind: 'waiting', note: message('accessories.waitsForHistory', { name: assetName }) }
      }
      const events = await gateway.readEvents(vehicleId, isAid, { sinceMs: startMs - clockMarginMs, tail: 200 }, abort)
      const hit = events.find((event) => event['aid'] === assetId)
      if (hit) {
        const at = gateway.eventMs(hit)
        const note =
          at === undefined
            ? message('accessories.anEventNames', { name: assetName })
            : message('accessories.eventNames', { name: assetName, at: new Date(at).toISOString() })
        return { kind: 'found', note, evidence: hit as Json }
      }
      const other = events.map((event) => event['aid']).findLast((aid) => typeof aid === 'number')
      if (typeof other === 'number' && !namedLast.has(other))
        return { kind: 'waiting', note: message('accessories.otherKey') }
      return {
        kind: 'waiting',
        note:
          events.length === 0
            ? message('accessories.noEventYet')
            : message('accessories.eventsWithoutDriver', { n: events.length })
      }
    },
    whenOver: {
      note: message('accessories.driverNotSeen', { name: assetName, waitS: input.waitS }),
      remedy: message('accessories.checkReader')
    }
  })
}

/** Waits until a Bluetooth tag appears as `btt_mac` in the vehicle's events. */
export async function startTagTrial(
  { gateway, tests }: { gateway: AccessoryGateway; tests: AccessoryTrials },
  input: { vehicleId: number; mac: string; waitS: number }
): Promise<AccessoryTest> {
  const { vehicleId, mac } = input
  const startMs = await gateway.nowMs()
  return tests.start({
    kind: 'tag',
    vehicleId,
    title: message('accessories.tag', { mac }),
    note: message('accessories.moveTag'),
    limitMs: input.waitS * 1000,
    everyMs: lookEveryMs,
    async look(abort) {
      const tags = await gateway.readTags(vehicleId, startMs - clockMarginMs, abort)
      const hit = tags.find((tag) => sameMac(tag.mac, mac))
      if (hit) {
        const note = message(hit.assetId === null ? 'accessories.tagHeardAlone' : 'accessories.tagHeard', {
          at: hit.at
        })
        return { kind: 'found', note, evidence: hit as unknown as Json }
      }
      return {
        kind: 'waiting',
        note:
          tags.length === 0
            ? message('accessories.noTagYet')
            : message('accessories.otherTags', { tags: tags.map((tag) => tag.mac) })
      }
    },
    whenOver: {
      note: message('accessories.tagNotHeard', { mac, waitS: input.waitS }),
      remedy: message('accessories.checkTag')
    }
  })
}

function sameMac(a: string, b: string): boolean {
  const bare = (text: string): string => text.replaceAll(/[^0-9A-Fa-f]/g, '').toUpperCase()
  return bare(a) === bare(b)
}
