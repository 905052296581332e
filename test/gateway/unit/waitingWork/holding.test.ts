import { describe, expect, test } from 'vitest'
import { rules, type Setup } from '../../../world/team/holding/state.ts'
import { walk } from '../../../world/team/holding/walk.ts'
import { removals, worlds } from '../../../world/team/holding/worlds.ts'

/** `npm run proof -- holding` walks the large worlds too. */
const isLongForm = process.env['FITTER_HOLDING'] === 'all'
const mostStates = 1_500_000
const timeout = 3_600_000

function nameOf({ laptops, kinds, left }: Setup): string {
  const may = Object.entries(left).map(([what, n]) => `${String(n)} ${what}`)
  return `${String(laptops)} laptops, ${kinds.join(' and ')}: ${may.join(', ')}`
}

describe('Whose job it is', () => {
  test.for(worlds.filter(({ isLong }) => isLongForm || !isLong).map(({ setup }) => [nameOf(setup), setup] as const))(
    'in every state, each piece of work is applied once, nothing is claimed that is not there, and nothing is lost: %s',
    { timeout },
    async ([name, setup]) => {
      const { states, moves, wrong, isCut } = await walk(setup, mostStates)
      if (isLongForm)
        console.log(`${name}: ${String(states)} states, ${String(moves)} moves${isCut ? ', the nearest of more' : ''}`)
      expect(wrong).toBeNull()
    }
  )

  test.for(
    removals.filter(({ isLong }) => isLongForm || !isLong).map(({ without, setup }) => [without, setup] as const)
  )('goes wrong without the rule: %s', { timeout }, async ([without, setup]) => {
    const { wrong } = await walk({ ...setup, without }, mostStates)
    if (isLongForm) console.log(`without "${without}": ${wrong?.what ?? ''}: ${wrong?.way.join('; ') ?? ''}`)
    expect(wrong?.way.length).toBeGreaterThan(0)
  })

  test('has a removal for each of its rules', () => {
    expect(removals.map(({ without }) => without).sort()).toEqual([...rules].sort())
  })
})
