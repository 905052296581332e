import { expect, test } from 'vitest'
import { proveKind } from '../../world/gateway/operations/everyCase.ts'
import { liveKinds } from '../../world/gateway/operations/liveKinds.ts'
import { runLive } from '../../world/gateway/operations/liveMatrix.ts'
import { runLogin } from '../../world/gateway/operations/loginMatrix.ts'
import { useOwnTable } from '../../world/gateway/operations/ownTable.ts'

/**
 * Gateway work that is sent at once and once, or not at all, through all that a network, a gateway and a dying process
 * do.
 */
const table = useOwnTable()

test.for(Object.entries(liveKinds).map(([name, kind], nth) => ({ name, kind, nth })))(
  '$name: never sent twice, never claimed without an effect, and the log is true',
  { timeout: 1_800_000 },
  async ({ name, kind, nth }) => {
    const { harms } = await proveKind(name, nth, (one, seed) => runLive(kind, one, { store: table(), seed }))
    expect(harms).toEqual([])
  }
)

test(
  'the sign-in: a reply that is lost costs a session that nobody knows of, and never the way in',
  { timeout: 1_800_000 },
  async () => {
    const { harms } = await proveKind('the sign-in', 0, (one, seed) =>
      runLogin(one, { rows: table().operations, seed })
    )
    expect(harms).toEqual([])
  }
)
