import { setTimeout as wait } from 'node:timers/promises'
import { anyTwo, note, type Member, type World } from './world.ts'

const never = new AbortController().signal
const troubles = ['nothing', 'cut', 'answer to the offer lost', 'answer to the take lost', 'server killed'] as const
type Trouble = (typeof troubles)[number]

/** So often both try until it has arrived. */
const mostTries = 20

/** A job goes from one laptop to another, while one thing breaks; the other works on with it. */
export async function giveOnward(world: World, trouble?: Trouble): Promise<string[]> {
  const { random, way, server } = world
  const [from, to] = anyTwo(world)
  const given = from.laptop.workOn(null, 1 + Math.floor(random() * 20))
  note(world, [given])
  if (random() < 0.5) await from.laptop.push()
  const breaks = trouble ?? (troubles[world.timesGiven++ % troubles.length] as Trouble)
  if (breaks === 'cut') way.cutAfter(Math.floor(random() * 12_000))
  if (breaks === 'answer to the offer lost') void way.loseAnswerTo('fitter.offer(')
  if (breaks === 'answer to the take lost') void way.loseAnswerTo('fitter.take_offer(')
  const handing = from.laptop.attempt(() =>
    from.laptop.holding.handOver({ jobIds: [given.jobId], to: random() < 0.5 ? to.at.name : '' }, never)
  )
  if (breaks === 'server killed') {
    await wait(random() * 60)
    await server.stop('immediate')
    await handing
    await server.start()
  }
  await handing
  for (let tries = 0; tries < mostTries && !isHere(to, given.jobId); tries++) {
    if (tries === 3) way.mend()
    await from.laptop.attempt(() => from.laptop.holding.goOn(never))
    await to.laptop.attempt(async () => {
      const { offers } = await to.laptop.holding.offers(never)
      await to.laptop.holding.pull(
        never,
        offers
          .filter(
            ({ direction, state, jobs }) =>
              direction === 'toAnybody' && state === 'open' && jobs.some(({ id }) => id === given.jobId)
          )
          .map(({ id }) => id)
      )
    })
  }
  way.mend()
  if (!isHere(to, given.jobId)) return [`a job that was handed over (${breaks}) did not arrive`]
  const log = from.laptop.logOf(given.jobId)
  const there = to.laptop.logOf(given.jobId)
  const wrong = log.every((hash, at) => there[at] === hash)
    ? []
    : [`the log of a job that was handed over (${breaks}) does not begin as it was`]
  if (isHere(from, given.jobId)) wrong.push(`a job that was handed over (${breaks}) can be worked on at both ends`)
  note(world, [to.laptop.workOn(given.jobId, 1 + Math.floor(random() * 10))])
  await to.laptop.push()
  return wrong
}

/**
 * A laptop is lost with its job, and comes back; another has taken the job over. What the lost one did meanwhile is a
 * fork.
 */
export async function takeOver(world: World): Promise<string[]> {
  const { random, way, ledger } = world
  const [lost, by] = anyTwo(world)
  const { jobId } = lost.laptop.workOn(null, 1 + Math.floor(random() * 20))
  await lost.laptop.push()
  if (random() < 0.5) void way.loseAnswerTo('fitter.take_over(')
  for (let tries = 0; tries < mostTries && !isHere(by, jobId); tries++) {
    await by.laptop.attempt(() =>
      by.laptop.holding.isUnderWay()
        ? by.laptop.holding.goOn(never)
        : by.laptop.holding.takeOver({ jobId, reason: 'The laptop is broken' }, never)
    )
  }
  way.mend()
  if (!isHere(by, jobId)) return ['a job was not taken over']
  note(world, [by.laptop.workOn(jobId, 1 + Math.floor(random() * 10))])
  await by.laptop.push()
  if (random() < 0.5)
    for (const hash of lost.laptop.workOn(jobId, 1 + Math.floor(random() * 5)).hashes) ledger.forks.add(hash)
  await lost.laptop.push()
  const pulled = await lost.laptop.holding.pull(never)
  const wrong = pulled.lost.some((one) => one.jobId === jobId) ? [] : ['whoever lost a job was not told']
  if (isHere(lost, jobId)) wrong.push('a job that was taken over can be worked on at both ends')
  return wrong
}

/** It can be worked on there. */
function isHere({ laptop }: Member, jobId: string): boolean {
  return laptop.logOf(jobId).length > 0 && laptop.jobs.show(jobId).handedOver === undefined
}
