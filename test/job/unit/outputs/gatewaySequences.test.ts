import fc from 'fast-check'
import { test } from 'vitest'
import {
  createGatewayWorld,
  modelNumbers,
  type GatewayTrouble,
  type GatewayWorld
} from '../../../world/device/outputModel/gatewayWorld.ts'
import { forS, happens, lasting, often, passes, playSequences } from '../../../world/device/outputModel/stories.ts'

const does = (name: string, work: (world: GatewayWorld) => unknown) => fc.constant(happens(name, work))
const output = fc.constantFrom(...modelNumbers)
const troubles: Record<GatewayTrouble, string> = {
  none: 'the gateway answers as it should',
  slow: 'the gateway answers slowly',
  away: 'the gateway cannot be reached',
  lostAnswer: 'answers of the gateway are lost',
  limited: 'the gateway’s limit is reached',
  refused: 'the gateway refuses commands',
  stuck: 'the device stays on in spite of “off”',
  deaf: 'the device stays off in spite of “on”',
  late: '“on” takes effect late',
  twice: '“on” takes effect twice'
}

const steps = [
  ...often(9, passes<GatewayWorld>()),
  ...often(
    12,
    fc.tuple(output, fc.constantFrom(0, 10, 30, 45, 60, 75, 90, 300, 2_000, 4_000, 9_000)).map(([out, passMs]) =>
      happens<GatewayWorld>(`output ${out} is to go on; ${passMs} ms pass`, (world) => {
        world.on(out)
        return world.clock.advance(passMs)
      })
    )
  ),
  ...often(
    2,
    output.map((out) => happens<GatewayWorld>(`somebody presses Off for output ${out}`, (world) => world.off(out)))
  ),
  output.map((out) =>
    happens<GatewayWorld>(`somebody presses Off in the list for output ${out}`, (world) => world.offInList(out))
  ),
  does('somebody presses All off', (world) => world.allOff()),
  ...often(
    2,
    output.map((out) => happens<GatewayWorld>(`somebody says: I saw output ${out} off`, (world) => world.sawOff(out)))
  ),
  lasting.map((ms) =>
    happens<GatewayWorld>(`the vehicle moves${forS(ms)}`, (world) =>
      world.forAWhile(ms, { isParked: false }, { isParked: true })
    )
  ),
  fc
    .tuple(fc.constantFrom('signing out', 'signing in elsewhere', 'a policy that forbids the gateway'), lasting)
    .map(([name, ms]) => happens<GatewayWorld>(`${name}${forS(ms)}`, (world) => world.signOut(name, ms))),
  lasting.map((ms) => happens<GatewayWorld>(`training is entered${forS(ms)}`, (world) => world.enterTraining(ms))),
  does('a backup is restored', (world) => world.restore()),
  does('a support bundle is opened', (world) => world.openBundle()),
  fc
    .tuple(fc.constantFrom('quitting', 'an update', 'SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGTSTP'), lasting)
    .map(([name, ms]) => happens<GatewayWorld>(`${name} ends Fitter${forS(ms)}`, (world) => world.quit(name, ms))),
  lasting.map((ms) =>
    happens<GatewayWorld>(`Fitter is killed, and started again after ${ms / 1000} s`, (world) => world.kill(ms))
  ),
  fc
    .boolean()
    .map((isStopped) =>
      happens<GatewayWorld>(`the computer sleeps for 30 s${isStopped ? ', its clock too' : ''}`, (world) =>
        world.clock.sleep(30_000, isStopped)
      )
    ),
  ...often(
    5,
    fc
      .constantFrom(...(Object.keys(troubles) as GatewayTrouble[]))
      .chain((trouble) =>
        lasting.map((ms) =>
          happens<GatewayWorld>(`${troubles[trouble]}${forS(ms)}`, (world) =>
            world.forAWhile(ms, { trouble }, { trouble: 'none' })
          )
        )
      )
  ),
  lasting.map((ms) =>
    happens<GatewayWorld>(`the vehicle has another device${forS(ms)}`, (world) =>
      world.forAWhile(ms, { isOther: true }, { isOther: false })
    )
  ),
  lasting.map((ms) =>
    happens<GatewayWorld>(`the disk is full, or the file locked${forS(ms)}`, (world) => world.fillDisk(ms))
  )
]

test(
  'whatever happens in whatever order, no output that the gateway switched is on that nothing names, and off means off',
  { timeout: 3_600_000 },
  async () => {
    await playSequences(steps, createGatewayWorld)
  }
)
