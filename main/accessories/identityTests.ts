import type { AccessoryTest } from '../../preload/contract/accessories.ts'
import type { Json } from '../../preload/contract/define.ts'
import type { AccessoryGateway } from './ports.ts'
import type { Waits } from './waits.ts'

const lookEveryMs = 3_000
/** Clocks of device and gateway have whole seconds. */
const clockMarginMs = 2_000
const beforeMs = 6 * 3_600_000

/**
 * Waits until the driver of a key comes back as `aid` in the vehicle's events. A driver who is there already proves
 * nothing: then only a new entry of the association history counts.
 */
export async function startTapTest(
  { gateway, waits }: { gateway: AccessoryGateway; waits: Waits },
  input: { vehicleId: number; assetId: number; assetName: string; waitS: number },
  signal: AbortSignal
): Promise<AccessoryTest> {
  const { vehicleId, assetId, assetName } = input
  const startMs = await gateway.nowMs()
  const isAid = (name: string): boolean => name === 'aid'
  const before = await gateway.readEvents(vehicleId, isAid, { sinceMs: startMs - beforeMs, tail: 1 }, signal)
  const wasThere = before.at(-1)?.['aid'] === assetId
  let wording: 1 | 2 = 1
  return waits.start({
    kind: 'tap',
    vehicleId,
    title: `Key of ${assetName}`,
    note: wasThere ? `${assetName} is on this vehicle already. Hold the key against the reader; only a new entry of the history counts.` : 'Hold the key against the reader now.',
    limitMs: input.waitS * 1000,
    everyMs: lookEveryMs,
    async look(abort) {
      if (wasThere) {
        wording = wording === 1 ? 2 : 1
        const { found, sure, raw } = await gateway.findLink(vehicleId, assetId, { sinceMs: startMs, wording, signal: abort })
        if (found && sure) return { kind: 'found', note: `The vehicle's history names ${assetName} anew.`, evidence: raw }
        return { kind: 'waiting', note: `${assetName} was on this vehicle before: waiting for a new entry of the history.` }
      }
      const events = await gateway.readEvents(vehicleId, isAid, { sinceMs: startMs - clockMarginMs, tail: 200 }, abort)
      const hit = events.find((event) => event['aid'] === assetId)
      if (hit) {
        const at = gateway.eventMs(hit)
        return { kind: 'found', note: `An event of ${at === undefined ? 'now' : new Date(at).toISOString().slice(11, 19)} UTC names ${assetName} (asset ${assetId}).`, evidence: hit as Json }
      }
      const other = events.map((event) => event['aid']).findLast((aid) => typeof aid === 'number')
      if (typeof other === 'number' && before.at(-1)?.['aid'] !== other) return { kind: 'waiting', note: `Events name asset ${other}: another key was held against the reader.` }
      return { kind: 'waiting', note: events.length === 0 ? 'No event of the vehicle came since the start.' : `${events.length} events came, none with this driver.` }
    },
    whenOver: {
      note: `No event named ${assetName} in ${input.waitS} s.`,
      remedy:
        'Does the reader light up when the key is held against it? If so, the device needs the extended tag ;IS in its >RXAEF command; if not, check the two wires of the reader. Check also that the key is registered for this driver.'
    }
  })
}

/** Waits until a Bluetooth tag comes back as `btt_mac` in the vehicle's events. */
export async function startTagTest(
  { gateway, waits }: { gateway: AccessoryGateway; waits: Waits },
  input: { vehicleId: number; mac: string; waitS: number }
): Promise<AccessoryTest> {
  const { vehicleId, mac } = input
  const startMs = await gateway.nowMs()
  return waits.start({
    kind: 'tag',
    vehicleId,
    title: `Tag ${mac}`,
    note: 'Move the tag or press its button, close to the device.',
    limitMs: input.waitS * 1000,
    everyMs: lookEveryMs,
    async look(abort) {
      const tags = await gateway.readTags(vehicleId, startMs - clockMarginMs, abort)
      const hit = tags.find((tag) => sameMac(tag.mac, mac))
      if (hit) {
        const owner = hit.assetId === null ? ', with no asset' : `, with asset ${hit.assetId}`
        return { kind: 'found', note: `The vehicle heard the tag at ${hit.at.slice(11, 19)} UTC${owner}.`, evidence: hit as Json }
      }
      return { kind: 'waiting', note: tags.length === 0 ? 'No tag was heard since the start.' : `Heard other tags: ${tags.map((tag) => tag.mac).join(', ')}.` }
    },
    whenOver: {
      note: `The vehicle did not hear tag ${mac} in ${input.waitS} s.`,
      remedy: 'Is the battery strip of the tag pulled out? Bring it within a few meters of the device, away from metal, and compare the address on its label.'
    }
  })
}

function sameMac(a: string, b: string): boolean {
  const bare = (text: string): string => text.replaceAll(/[^0-9A-Fa-f]/g, '').toUpperCase()
  return bare(a) === bare(b)
}
