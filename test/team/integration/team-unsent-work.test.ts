import { createHash } from 'node:crypto'
import path from 'node:path'
import fs from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGatewayClient } from '../../../main/gateway/client/client.ts'
import { counterKey, setGlobalKind, setGlobalTitle } from '../../../main/gateway/waitingWork/kinds/counters.ts'
import type { SimulatedGateway } from '../../../simulator/gateway/gateway.ts'
import { imei } from '../../world/data/parkedReport.ts'
import { realKinds } from '../../world/gateway/operations/queuedKinds.ts'
import { joinedLaptop, type TeamLaptop } from '../../world/team/teamLaptop.ts'
import { push, teamsOfTest } from '../../world/team/teamsOfTest.ts'
import { tempFolder } from '../../world/tempFolder.ts'
import { openGateway } from '../../world/gateway/vehicleCalls.ts'

const { server, newTeam } = teamsOfTest()
const signal = new AbortController().signal
const typed = 120_000_000

interface Worker {
  laptop: TeamLaptop
  /** Whether the gateway can be reached from there. */
  isOnline: boolean
}

/** Laptops of one team with all kinds of gateway work and one gateway, whose clock may be set forward. */
async function scene() {
  const gateway = await openGateway()
  let aheadMs = 0
  const team = newTeam()
  const vehicle = gateway.state.vehicles.find(({ device }) => device === Number(imei))
  if (!vehicle) throw new Error('No vehicle')
  async function worker(name: string): Promise<Worker> {
    const reached = createGatewayClient({
      url: gateway.url,
      credentials: () => Promise.resolve({ user: gateway.user, password: gateway.password }),
      timeoutMs: 5_000
    })
    const away = createGatewayClient({
      url: 'http://127.0.0.1:9/api',
      credentials: () => Promise.resolve({ user: 'x', password: 'x' }),
      timeoutMs: 500
    })
    onTestFinished(() => (reached.close(), away.close()))
    const one = { isOnline: true } as Worker
    one.laptop = await joinedLaptop(server(), team, name, {
      kinds: realKinds(() => Promise.resolve(one.isOnline ? reached : away)),
      nowMs: () => Date.now() + aheadMs,
      chooseWaitMs: () => 0
    })
    return one
  }
  /** The odometer, as a technician types it without the gateway. */
  async function typeOdometer(from: Worker): Promise<{ job: string; work: string }> {
    const job = from.laptop.makeJob()
    const payload = {
      vid: vehicle?.id ?? null,
      vehicle: vehicle?.name ?? '',
      counter: 'dev_dist',
      unit: 'm',
      value: typed
    }
    from.isOnline = false
    const work = from.laptop.operations.add({
      kind: setGlobalKind,
      key: counterKey(payload),
      title: setGlobalTitle(payload),
      payload,
      jobId: job,
      draft: false
    }).id
    await from.laptop.operations.pass(signal)
    expect(from.laptop.operations.get(work)).toMatchObject({ state: 'pending', attempts: 0 })
    return { job, work }
  }
  /** Passes of these laptops until the work rests there, and time goes by. */
  async function pass(...workers: Worker[]): Promise<void> {
    for (let round = 0; round < 8; round += 1) {
      for (const { laptop } of workers) await laptop.operations.pass(signal)
      aheadMs += 130_000
    }
  }
  const device = gateway.state.devices.find((one) => one.imei === Number(imei))
  return {
    gateway,
    worker,
    typeOdometer,
    pass,
    /** The device reports: the gateway shows what was set. */
    report: () => void (device && (device.reportCount += 1)),
    sent: (of: SimulatedGateway = gateway) =>
      of.requests.filter(({ operation }) => operation === 'counters.setGlobal').length,
    stateOf: ({ laptop }: Worker, id: string) => laptop.operations.get(id)?.state
  }
}

const give = async ({ laptop }: Worker, job: string) => {
  const file = path.join(tempFolder(), 'work.handover')
  await laptop.transfers.give({ jobIds: [job], to: '', file }, signal)
  return file
}

describe('An odometer that was typed without the gateway and handed over before it was sent', () => {
  it.each(['a file', 'the team log'])(
    'is set once, by who received it through %s, and nobody is asked',
    async (way) => {
      const { worker, typeOdometer, pass, report, sent, stateOf } = await scene()
      const [from, to] = [await worker('Laptop 1'), await worker('Laptop 2')]
      const { job, work } = await typeOdometer(from)
      if (way === 'a file') await to.laptop.transfers.take(await give(from, job))
      else {
        await from.laptop.holding.handOver({ jobIds: [job], to: 'Laptop 2' }, signal)
        expect((await to.laptop.holding.pull(signal)).arrived).toHaveLength(1)
      }
      from.isOnline = true
      await pass(from, to)
      expect([stateOf(from, work), stateOf(to, work), sent()]).toEqual(['moved', 'accepted', 1])
      report()
      to.laptop.operations.tryNow([work])
      await pass(from, to)
      expect([stateOf(to, work), sent()]).toEqual(['done', 1])
      expect(from.laptop.operations.get(work)?.attempts).toBe(0)
      expect(to.laptop.operations.get(work)?.evidence.map(({ what }) => what.id)).not.toContain(
        'operations.claimNotTold'
      )
    }
  )

  it('goes from hand to hand like that, and back to who typed it', async () => {
    const { worker, typeOdometer, pass, sent, stateOf } = await scene()
    const [one, two] = [await worker('Laptop 1'), await worker('Laptop 2')]
    const { job, work } = await typeOdometer(one)
    two.isOnline = false
    await one.laptop.holding.handOver({ jobIds: [job], to: 'Laptop 2' }, signal)
    await two.laptop.holding.pull(signal)
    await pass(two)
    expect(stateOf(two, work)).toBe('unknown')
    await two.laptop.holding.handOver({ jobIds: [job], to: 'Laptop 1' }, signal)
    await one.laptop.holding.pull(signal)
    one.isOnline = two.isOnline = true
    await pass(one, two)
    expect([stateOf(one, work), stateOf(two, work), sent()]).toEqual(['accepted', 'moved', 1])
  })

  it('is set by who withdrew the offer, without a question', async () => {
    const { worker, typeOdometer, pass, sent, stateOf } = await scene()
    const from = await worker('Laptop 1')
    await worker('Laptop 2')
    const { job, work } = await typeOdometer(from)
    const { id } = await from.laptop.holding.handOver({ jobIds: [job], to: 'Laptop 2' }, signal)
    await from.laptop.holding.withdraw(id, signal)
    from.isOnline = true
    await pass(from)
    expect([stateOf(from, work), sent()]).toEqual(['accepted', 1])
  })

  it('is found by a second one who imports the same file once a report shows it, and not set again', async () => {
    const { worker, typeOdometer, pass, report, sent, stateOf } = await scene()
    const [from, to, second] = [await worker('Laptop 1'), await worker('Laptop 2'), await worker('Laptop 3')]
    const { job, work } = await typeOdometer(from)
    const file = await give(from, job)
    await to.laptop.transfers.take(file)
    await pass(to)
    report()
    await second.laptop.transfers.take(file)
    await pass(second)
    expect([stateOf(second, work), sent()]).toEqual(['done', 1])
  })

  it.each(['taken over from a lost laptop', 'taken back from a file that somebody may have'])(
    'asks a person where it was %s',
    async (how) => {
      const { worker, typeOdometer, pass, sent, stateOf } = await scene()
      const [from, to] = [await worker('Laptop 1'), await worker('Laptop 2')]
      const { job, work } = await typeOdometer(from)
      const isBack = how.startsWith('taken back')
      if (isBack) {
        await give(from, job)
        await from.laptop.transfers.takeBack(job, 'Nobody took it')
      } else {
        await push(from.laptop)
        await to.laptop.holding.takeOver({ jobId: job, reason: 'The laptop was stolen' }, signal)
      }
      const holder = isBack ? from : to
      holder.isOnline = true
      await pass(holder)
      expect([stateOf(holder, work), sent()]).toEqual(['needsAttention', 0])
      expect(holder.laptop.operations.get(work)?.reason.id).toBe('operations.claimNotTold')
    }
  )

  it('is looked for, and not set by itself, where an answer was lost before; a file that leaves the attempt out does not change that', async () => {
    const { gateway, worker, typeOdometer, pass, sent, stateOf } = await scene()
    const [from, to, fooled] = [await worker('Laptop 1'), await worker('Laptop 2'), await worker('Laptop 3')]
    const { job, work } = await typeOdometer(from)
    from.isOnline = true
    gateway.setFault({ operation: 'counters.setGlobal', resetAfter: true, times: 1 })
    from.laptop.operations.tryNow([work])
    await from.laptop.operations.pass(signal)
    expect([from.laptop.operations.get(work)?.attempts, sent()]).toEqual([1, 1])
    const file = await give(from, job)
    expect(lineOf(file, '"movedAway"')).not.toContain('unsent')
    await to.laptop.transfers.take(file)
    await pass(to)
    expect([stateOf(to, work), sent()]).toEqual(['unknown', 1])
    changeFile(
      file,
      (line) => line.operation && Object.assign(line.operation, { attempts: [], state: 'pending', evidence: [] })
    )
    await fooled.laptop.transfers.take(file)
    await pass(fooled)
    expect([stateOf(fooled, work), sent()]).toEqual(['needsAttention', 1])
  })
})

const linesOf = (file: string) => fs.readFileSync(file, 'utf8').trimEnd().split('\n')
const lineOf = (file: string, part: string) => linesOf(file).find((line) => line.includes(part))

/** Changes lines of a file and gives it a right end: whoever changes a file can do that as well. */
function changeFile(file: string, change: (line: { operation?: object }) => unknown): void {
  const lines = linesOf(file)
    .slice(0, -1)
    .map((text) => {
      const line = JSON.parse(text) as { operation?: object }
      change(line)
      return `${JSON.stringify(line)}\n`
    })
  fs.writeFileSync(
    file,
    `${lines.join('')}${JSON.stringify({ end: { lines: lines.length, sha256: createHash('sha256').update(lines.join('')).digest('hex') } })}\n`
  )
}
