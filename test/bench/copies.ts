import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import Database from 'better-sqlite3'
import { createGatewayClient } from '../../main/gateway/client/client.ts'
import { openStore } from '../../main/data/store/index.ts'
import { startGateway } from '../../simulator/gateway/gateway.ts'
import { listOf, openCopies } from '../world/gateway/copiedLists.ts'
import { kindsOfCopy } from '../../main/gateway/localCopy/kinds.ts'

/**
 * npm run bench -- copies [--quick]: finding in a copy of 100,000 vehicles and 100,000 assets as a person types,
 * against the bare full-text statement on the same file, in turn; and how long a copy of 10,000 vehicles takes under a
 * limit of 30 requests in a window (a minute; 10 s with --quick) against the bound of that limit.
 */
const isQuick = process.argv.includes('--quick')
const each = 100_000
const goalMs = 20
const windowS = isQuick ? 10 : 60
const limit = 30
const listed = 10_000
const pageSize = 200

const makes = ['Volvo', 'Scania', 'Mercedes-Benz', 'Ford', 'Toyota', 'Isuzu', 'Citroën']

function vehicle(n: number) {
  const plate = `B${'CDFGHJKLMN'[n % 10]}${'PRSTVWXZ'[n % 8]} ${String((n * 7) % 1000).padStart(3, '0')}`
  const vin = `YV2RT40A${String(100_000_000 + n * 7)}`
  return {
    id: 100 + n,
    name: `Unit ${String(n).padStart(6, '0')}`,
    device: 351_900_120_000_000 + n * 11,
    groups: [1],
    info: {
      license_plate: plate,
      vin,
      make: makes[n % makes.length],
      model: 'FH 460',
      year: 2015 + (n % 11),
      color: n % 2 === 0 ? 'café' : 'red'
    }
  }
}

function asset(n: number) {
  return {
    id: 500_000 + n,
    name: n % 2 === 0 ? `Driver ${String(n).padStart(6, '0')}` : `Trailer ${n}`,
    type: n % 2 === 0 ? 'driver' : 'trailer',
    groups: [1],
    info: { first_name: `First ${n % 977}`, last_name: `Last ${n}` }
  }
}

/** What a person types on the way to each of these, key by key. */
const typed = ['unit 054321', 'bcp 007', 'driver 012340', 'trailer 4711', 'volvo 2019']
const keyStrokes = typed.flatMap((text) => Array.from({ length: text.length }, (_, index) => text.slice(0, index + 1)))
const exact = Array.from({ length: 60 }, (_, n) => vehicle(n * 1_601).name)
const nothing = Array.from({ length: 60 }, (_, n) => `nobody ${n * 31} zzq`)

async function timed<T>(work: () => Promise<T> | T): Promise<{ ms: number; value: T }> {
  const started = performance.now()
  const value = await work()
  return { ms: performance.now() - started, value }
}

function shares(times: readonly number[]): { p50: number; p95: number } {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { p50: at(0.5), p95: at(0.95) }
}

const say = (text: string) => process.stdout.write(`${text}\n`)
const ms = (value: number) => `${value.toFixed(1)} ms`

async function benchSearch(): Promise<boolean> {
  const folder = mkdtempSync(path.join(tmpdir(), 'fitter-bench-'))
  const store = openStore(folder)
  try {
    const copies = openCopies(store.copies, [
      listOf(
        'vehicles',
        Array.from({ length: each }, (_, n) => vehicle(n))
      ),
      listOf(
        'assets',
        Array.from({ length: each }, (_, n) => asset(n))
      )
    ])
    const made = await timed(async () => {
      await copies.refresh()
      await copies.ended()
    })
    say(
      `A copy of ${each} vehicles and ${each} assets was made in ${(made.ms / 1000).toFixed(1)} s; load of the machine ${loadavg()[0]?.toFixed(1)} on ${cpus().length} processors`
    )
    const sql = new Database(store.file, { readonly: true })
    const statement = sql.prepare(
      'select record from copy_word w join copy_record r on r.key = w.rowid where copy_word match ? order by w.rowid limit 51'
    )
    const bare = (kind: string, text: string): unknown[] => {
      const starts = text
        .toLowerCase()
        .split(/[^a-z0-9]+/)
        .filter((word) => word !== '')
      const place = kind === 'vehicles' ? 'site1' : 'site1assets'
      return starts.length === 0
        ? []
        : statement
            .all([`site : "${place}"`, ...starts.map((start) => `words : "${start}" *`)].join(' AND '))
            .map((row) => JSON.parse((row as { record: string }).record) as unknown)
    }
    let isMet = true
    for (const kind of ['vehicles', 'assets'] as const) {
      for (const [what, texts] of [
        ['first page at each key', keyStrokes],
        ['exact name', exact],
        ['nothing like it', nothing]
      ] as const) {
        const own: number[] = []
        const plain: number[] = []
        for (const text of texts) {
          own.push((await timed(() => copies.search(kind, { text, limit: 50 }))).ms)
          plain.push((await timed(() => bare(kind, text))).ms)
        }
        const [a, b] = [shares(own), shares(plain)]
        isMet &&= a.p95 < goalMs
        say(
          `${kind}, ${what} (${texts.length}): p50 ${ms(a.p50)}, p95 ${ms(a.p95)}; bare statement p50 ${ms(b.p50)}, p95 ${ms(b.p95)}; ratio of p95 ${(a.p95 / b.p95).toFixed(2)}`
        )
      }
    }
    sql.close()
    return isMet
  } finally {
    store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function benchWalk(): Promise<{ ms: number; boundMs: number; refused: number; count: number }> {
  const tier = [{ requests: limit, perSeconds: windowS }]
  // A sixth of the seeded vehicles is in a group that the user does not have.
  const gateway = await startGateway({
    devices: [],
    delayMs: 0,
    vehicles: (listed * 6) / 5,
    rateTiers: { data: tier, other: tier }
  })
  const client = createGatewayClient({
    url: gateway.url,
    credentials: async () => ({ user: gateway.user, password: gateway.password })
  })
  const folder = mkdtempSync(path.join(tmpdir(), 'fitter-bench-'))
  const store = openStore(folder)
  try {
    const kinds = kindsOfCopy.filter(({ kind }) => kind === 'vehicles').map((kind) => ({ ...kind, pageSize }))
    const copies = openCopies(store.copies, kinds, { client: () => client })
    const walk = await timed(async () => {
      await copies.refresh()
      await copies.ended()
    })
    const count = (await copies.status()).kinds.find(({ kind }) => kind === 'vehicles')?.count ?? 0
    const boundMs = (Math.ceil(listed / pageSize / limit) - 1) * windowS * 1000
    return { ms: walk.ms, boundMs, refused: gateway.requests.filter(({ status }) => status === 429).length, count }
  } finally {
    store.close()
    rmSync(folder, { recursive: true, force: true })
    client.close()
    await gateway.stop()
  }
}

const isMet = await benchSearch()
say(`  goal: every p95 under ${goalMs} ms: ${isMet ? 'met' : 'NOT MET'}`)
const walk = await benchWalk()
say(
  `Copy of ${walk.count} vehicles in pages of ${pageSize}, ${limit} requests in ${windowS} s: ${(walk.ms / 1000).toFixed(1)} s; bound ${(walk.boundMs / 1000).toFixed(1)} s; ratio ${(walk.ms / walk.boundMs).toFixed(3)}; ${walk.refused} times 429`
)
