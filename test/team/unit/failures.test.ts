import { expect, it } from 'vitest'
import { refusalOf } from '../../../main/team/server/failures.ts'
import { migrations } from '../../../main/team/server/migrations/index.ts'

it('whatever the functions of the team log refuse with is known to the laptop, and nothing else is', () => {
  const written = new Set(migrations.flatMap(({ sql }) => sql.match(/\bFT\d{3}\b/g) ?? []))
  const known = Array.from({ length: 1000 }, (_, number) => `FT${String(number).padStart(3, '0')}`).filter(
    (code) => refusalOf({ code }) !== null
  )
  expect([...written].sort()).toEqual(known)
})
