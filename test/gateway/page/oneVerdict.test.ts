import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, it } from 'vitest'
import type { CopiedState } from '../../../main/gateway/localCopy/copiedState.ts'
import type { Copied } from '../../../main/gateway/localCopy/kinds.ts'
import { readFleet, stateOfVehicle } from '../../../main/gateway/vehicles/fleet.ts'
import { viewEvidence } from '../../../main/support/diagnosis/evidenceView.ts'
import { noGaps, reportingAt, type Reporting } from '../../../preload/gateway/reporting.ts'
import { useGateway } from '../../../renderer/base/shell/gateway.store.ts'
import { fleetTable } from '../../../renderer/gateway/vehicles/fleetFile.ts'
import { standingOf } from '../../../renderer/gateway/vehicles/standing.ts'
import { silenceOf } from '../../../renderer/support/diagnosis/home/silent.ts'
import { vehicleLine } from '../../../renderer/support/find/foundLines.ts'
import { presentMs } from '../../../renderer/base/ui/time/presentTime.ts'
import { gateway, kept, limits, seen } from '../../world/data/bundles/diagnosisEvidence.ts'
import * as data from '../../world/data/fakeData.ts'

const count = 300
const hourS = 3_600
const words = { reports: 'reports', silent: 'silent', unknown: 'unknown', noDevice: 'no device' }

/** The same numbers in each run. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

interface Case {
  line: Copied['vehicles']
  state: CopiedState | undefined
  /** By the rule alone. */
  expected: Reporting['is']
}

/** Read a moment ago, with a last report of any age around the limits. */
function cases(nowMs: number): Case[] {
  const random = randomFrom(7)
  const oneOf = <T>(...all: T[]): T => all[random(all.length)] as T
  return Array.from({ length: count }, (_, index) => {
    const imei = random(8) === 0 ? null : String(867_698_040_000_000 + index)
    const line = {
      id: index + 1,
      name: `Unit ${String(index + 1)}`,
      plate: null,
      vin: null,
      imei,
      groups: [1],
      info: {}
    }
    const ageS = oneOf(random(600), random(3 * hourS), random(30 * hourS), random(40 * 24 * hourS))
    const rhythm = {
      driving: oneOf(null, 30, 120),
      parked: oneOf(null, 600, hourS, 7 * hourS),
      unknown: oneOf(null, 900)
    }
    const isRead = imei !== null && random(8) > 0
    const isDriving = oneOf(true, false, null)
    const lastReportedAt = random(8) === 0 ? null : new Date(nowMs - ageS * 1_000).toISOString()
    const at = new Date(nowMs).toISOString()
    const state: CopiedState | undefined = isRead
      ? {
          readAt: at,
          gatewayAt: at,
          lastReportedAt,
          hasPower: oneOf(true, true, false, null),
          hasPosition: true,
          signalDbm: oneOf(-71, -109),
          isDriving,
          gapsS: noGaps,
          rhythm: { ...rhythm, readAt: at },
          since: {}
        }
      : undefined
    const known = {
      hasDevice: imei !== null,
      isRead,
      lastReportedAt: isRead ? lastReportedAt : null,
      isDriving,
      rhythm
    }
    return { line, state, expected: reportingAt(known, nowMs).is }
  })
}

beforeEach(() => setActivePinia(createPinia()))

it('of 300 vehicles has the same verdict in the list, its counts, the support home, the vehicle, the palette, the file and the diagnosis', async () => {
  const nowMs = presentMs()
  const all = cases(nowMs)
  const status = { ...data.gateway, state: 'reachable' as const, clockDifferenceS: 0 }
  useGateway().status = status
  const fleet = await readFleet({
    async *parts(kind) {
      if (kind === 'vehicles') yield all.map(({ line }) => line) as never
      else
        yield all.flatMap(({ line, state }) =>
          state && line.imei !== null ? [{ imei: line.imei, simIds: [], state }] : []
        ) as never
    }
  })
  const states = all.map(({ line, state }) => stateOfVehicle(line, state))
  const table = fleetTable(
    all.map(({ line }, index) => [line, states[index]]),
    () => ''
  ).split('\r\n')

  const verdicts = all.map(({ line, state, expected }, index) => {
    const shown = states[index]
    const standing = standingOf(shown, nowMs, status)
    const evidence = seen({
      ...(line.imei === null ? { imei: null } : {}),
      rhythm: state?.rhythm ?? null,
      gateway: gateway({
        events: null,
        vehicle: kept({ id: line.id, name: line.name, plate: null, groups: null, imei: line.imei }),
        lines: null,
        record: state ? kept({ imei: line.imei, simIds: [], raw: { last_reported: state.lastReportedAt } }) : null,
        ...(state && state.isDriving !== null
          ? { lines: kept({ values: { io_ign: state.isDriving }, atMs: null, raw: {} }) }
          : {})
      })
    })
    const at = new Date(nowMs).toISOString()
    const asNow = JSON.parse(JSON.stringify(evidence).replaceAll(evidence.at, at)) as typeof evidence
    const word = words[expected]
    const own = (text: string | undefined): string | undefined =>
      text?.toLowerCase().startsWith(word) ? expected : `${String(text)}, but ${expected}`
    return {
      expected,
      list: own(standing.text),
      page: own(standing.whole),
      palette: own(vehicleLine(line, null, shown).state?.text),
      file: own(table[index + 1]?.split(',')[4]?.replace('"', '')),
      home: fleet.silent('all', nowMs).includes(line.id) === (silenceOf(shown, nowMs) !== null) ? expected : 'home',
      counts: (['reports', 'silent', 'unknown', 'noDevice'] as const).filter((filter) =>
        fleet.ids(filter, null).includes(line.id)
      ),
      isCountedAsSilent: fleet.silent('all', nowMs).includes(line.id),
      isGreen: standing.shape === 'pass',
      diagnosis: viewEvidence(asNow, limits).reporting.is
    }
  })

  for (const [index, one] of verdicts.entries()) {
    const { expected } = one
    expect(one, JSON.stringify([all[index]?.line.imei, all[index]?.state])).toEqual({
      expected,
      list: expected,
      page: expected,
      palette: expected,
      file: expected,
      home: expected,
      counts: [expected],
      isCountedAsSilent: expected === 'silent',
      // A green tick means that nothing is known to be wrong.
      isGreen: expected === 'reports' && (states[index]?.conditions ?? []).length === 0,
      diagnosis: expected
    })
  }
  const counts = fleet.counts(null)
  expect(counts.reports + counts.silent + counts.unknown + counts.noDevice).toBe(count)
  expect(counts.attention).toBe(states.filter(({ conditions }) => conditions.length > 0).length)
  expect(new Set(verdicts.map(({ expected }) => expected)).size).toBe(4)
})
