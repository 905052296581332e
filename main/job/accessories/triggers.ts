import { ulid } from 'ulid'
import { AppError } from '../../../preload/contract/errors.ts'
import type { CallParsed } from '../../../preload/contract/index.ts'
import { message, plainMessage } from '../../../preload/contract/messages.ts'
import type { GatewayClient } from '../../gateway/client/client.ts'
import { assistanceLabels } from '../../gateway/client/decoders/assistance.ts'
import { sayEvent, sayLabel } from '../../gateway/client/decoders/eventText.ts'
import { checkTrigger, evaluateTrigger, type TriggerConditions } from '../../gateway/client/decoders/trigger.ts'
import { describeTrigger, sayTriggerField } from '../../gateway/client/decoders/triggerText.ts'
import type { Fields } from '../../gateway/client/decoders/fields.ts'
import type { Copies } from '../../gateway/localCopy/copies.ts'
import { whileAway } from '../../gateway/localCopy/whileAway.ts'
import { eventMs } from '../../gateway/client/decoders/eventTimes.ts'
import type { EventReader } from '../../gateway/client/events/eventReader.ts'
import { nullIfUnreadable } from '../../gateway/client/transport/orNull.ts'
import {
  createTriggerReader,
  fenceNames,
  fenceOf,
  triggerCategories
} from '../../gateway/client/accessories/triggerReader.ts'
import type { NewWork, Operations } from '../../gateway/waitingWork/engine.ts'
import { geofencesCreateKind, geofenceTitle } from '../../gateway/waitingWork/kinds/geofencesCreate.ts'
import { triggersCreateKind, triggerTitle } from '../../gateway/waitingWork/kinds/triggersCreate.ts'
import type { AccessoryGateway } from './ports.ts'
import type { AccessoryTrials } from './trials.ts'
import { provokeTrigger } from './provokeTrigger.ts'

export interface TriggerParts {
  client(): Promise<GatewayClient>
  copies: Pick<Copies, 'all'>
  gateway: AccessoryGateway
  reader: Pick<EventReader, 'labels'>
  tests: AccessoryTrials
  operations: Pick<Operations, 'add'>
  sendSoon(): void
}

/** Enough for a busy week. */
const mostPast = 10_000
const mostKept = 5_000

/** Triggers of a vehicle: described in words, created once, and tested live. */
export function createTriggerWork({ client, copies, gateway, reader, tests, operations, sendSoon }: TriggerParts) {
  const triggers = createTriggerReader(client, reader.labels)
  const asksForFences = ({ rules }: TriggerConditions): boolean =>
    rules.some(({ operator }) => operator.endsWith('_fence'))

  function add(work: NewWork): { operationId: string } {
    const { id } = operations.add(work)
    sendSoon()
    return { operationId: id }
  }

  /** Geofences for rules, with the age of the local copy while the gateway is offline. */
  const fencesToChoose = (signal: AbortSignal) => whileAway(() => triggers.fences(signal), keptFences)

  async function fencesFor(conditions: TriggerConditions, signal: AbortSignal) {
    return asksForFences(conditions) ? (await fencesToChoose(signal)).fences : []
  }

  async function keptStructure() {
    const kept = await copies.all('triggerFields', mostKept)
    return (
      kept && {
        categories: triggerCategories(
          Object.fromEntries(kept.records.map(({ category, fields }) => [String(category), fields]))
        ),
        copiedAt: kept.copiedAt
      }
    )
  }

  async function keptLabels() {
    const kept = await copies.all('labels', mostKept)
    return (
      kept && {
        records: Object.fromEntries(kept.records.map((one) => [one.label, one])) as Fields,
        copiedAt: kept.copiedAt
      }
    )
  }

  async function keptFences() {
    const kept = await copies.all('fences', mostKept)
    return (
      kept && {
        fences: kept.records.map((one) => fenceOf(one as never)).filter((fence) => fence !== undefined),
        complete: kept.isComplete,
        copiedAt: kept.copiedAt
      }
    )
  }

  return {
    triggers,
    fencesToChoose,
    async triggerStructure(signal: AbortSignal) {
      const { categories, ...age } = await whileAway(
        async () => ({ categories: await triggers.structure(signal) }),
        keptStructure
      )
      const keys = new Set(categories.filter(({ category }) => category === 'vehicle').flatMap((one) => one.keys))
      return { ...age, categories, fields: [...keys].map((key) => ({ key, words: sayTriggerField(key) })) }
    },
    async triggerLabels(signal: AbortSignal) {
      const { records, ...age } = await whileAway(async () => ({ records: await reader.labels(signal) }), keptLabels)
      const known = [...new Set([...Object.keys(records), ...Object.keys(assistanceLabels)])].filter((label) =>
        /^[\w.-]{1,60}$/.test(label)
      )
      return {
        ...age,
        labels: known.map((label) => ({ label, words: sayLabel(records, label) ?? plainMessage(label) }))
      }
    },
    async tryOnPast({ vehicleId, rules, postfix, hours }: CallParsed<'triggers.past'>, signal: AbortSignal) {
      const conditions: TriggerConditions = { rules, postfix }
      refuseBroken(conditions)
      const fences = await fencesFor(conditions, signal)
      const sinceMs = (await gateway.nowMs()) - hours * 3_600_000
      const [events, labels] = await Promise.all([
        gateway.readEvents(
          vehicleId,
          (field) => keysOf(conditions).includes(field),
          { sinceMs, tail: mostPast },
          signal
        ),
        reader.labels(signal)
      ])
      const verdicts = events.map((event, index) =>
        evaluateTrigger(conditions, event, events[index - 1] ?? null, fences)
      )
      const hits = events.flatMap((event, index) => {
        const { what, detail, happenedAt, arrivedAt } = sayEvent(event, { labels })
        const at = happenedAt ?? arrivedAt
        return verdicts[index] === true && at !== null ? [{ at, what, detail }] : []
      })
      const firstMs =
        events.length < mostPast ? undefined : events.map((event) => eventMs(event)).find((ms) => ms !== undefined)
      return {
        hits: hits.reverse(),
        sinceAt: new Date(firstMs ?? sinceMs).toISOString(),
        tested: events.length,
        lacking: verdicts.filter((verdict) => verdict === null).length
      }
    },
    async provoke(input: CallParsed<'triggers.provoke'>, signal: AbortSignal) {
      const conditions: TriggerConditions = { rules: input.rules, postfix: input.postfix }
      refuseBroken(conditions)
      const fences = await fencesFor(conditions, signal)
      return provokeTrigger({ gateway, tests }, input, {
        keys: keysOf(conditions),
        evaluate: (event, before) => evaluateTrigger(conditions, event, before, fences)
      })
    },
    async describeConditions(conditions: TriggerConditions, signal: AbortSignal) {
      const names = asksForFences(conditions)
        ? fenceNames((await triggers.fences(signal)).fences)
        : new Map<number, string>()
      return {
        text: describeTrigger(conditions, names, await reader.labels(signal).catch(nullIfUnreadable)),
        problems: checkTrigger(conditions)
      }
    },
    createTrigger({ emails, vehicleId, name, timezone, rules, postfix }: CallParsed<'triggers.create'>) {
      refuseBroken({ rules, postfix })
      const ref = `ref:${ulid()}`
      const payload = { name, timezone, vehicleId, rules, postfix, emails, ref }
      return add({
        kind: triggersCreateKind,
        key: `trigger:${ref}`,
        title: triggerTitle({ name }),
        payload,
        jobId: null,
        draft: false
      })
    },
    createFence({ name, latitude, longitude, radiusM }: CallParsed<'triggers.createFence'>) {
      const ref = `ref:${ulid()}`
      const payload = { name, latitude, longitude, radiusM, ref }
      return add({
        kind: geofencesCreateKind,
        key: `fence:${ref}`,
        title: geofenceTitle({ name, radiusM }),
        payload,
        jobId: null,
        draft: false
      })
    }
  }
}

/** The event fields that the rules look at. */
function keysOf({ rules }: TriggerConditions): string[] {
  return [...new Set(rules.flatMap(({ key, operator }) => (operator.endsWith('_fence') ? ['lat', 'lon'] : [key])))]
}

function refuseBroken(conditions: TriggerConditions): void {
  const problems = checkTrigger(conditions)
  if (problems.length > 0) throw new AppError('INVALID_REQUEST', message('triggers.broken', { problems }))
}
