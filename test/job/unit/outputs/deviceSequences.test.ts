import fc from 'fast-check'
import { test } from 'vitest'
import {
  createDeviceWorld,
  modelOutputs,
  type DeviceTrouble,
  type DeviceWorld
} from '../../../world/device/outputModel/deviceWorld.ts'
import { forS, happens, lasting, often, passes, playSequences } from '../../../world/device/outputModel/stories.ts'

const does = (name: string, work: (world: DeviceWorld) => unknown) => fc.constant(happens(name, work))
const output = fc.constantFrom(...modelOutputs)
const troubles: Record<DeviceTrouble, string> = {
  none: 'the device answers as it should',
  slow: 'the device answers slowly',
  lostBefore: 'the link is lost before requests leave',
  lostAnswer: 'answers are lost',
  hangs: 'the device answers nothing',
  stuck: 'the device answers “off” and stays on',
  deaf: 'the device answers “on” and stays off',
  late: '“on” takes effect late',
  twice: '“on” takes effect twice',
  lateWithoutAnswer: '“on” takes effect late, and its answer is lost'
}

const steps = [
  ...often(9, passes<DeviceWorld>()),
  ...often(
    12,
    fc
      .tuple(output, fc.constantFrom(0, 2_000, 60_000), fc.constantFrom(0, 4, 10, 15, 25, 25, 300, 1_000))
      .map(([out, forMs, passMs]) =>
        happens<DeviceWorld>(`${out} is to go on for ${forMs / 1000} s; ${passMs} ms pass`, (world) => {
          world.arm(out, forMs)
          return world.clock.advance(passMs)
        })
      )
  ),
  output.map((out) => happens<DeviceWorld>(`somebody presses Off for ${out}`, (world) => world.off(out))),
  does('somebody presses All off', (world) => world.allOff()),
  output.map((out) => happens<DeviceWorld>(`somebody says: I saw ${out} off`, (world) => world.sawOff(out))),
  does('the job is paused, stopped or cancelled', (world) => world.stopWork()),
  lasting.map((ms) =>
    happens<DeviceWorld>(`the page is closed${forS(ms)}`, (world) =>
      world.forAWhile(ms, { isWatched: false }, { isWatched: true })
    )
  ),
  lasting.map((ms) => happens<DeviceWorld>(`the vehicle moves${forS(ms)}`, (world) => world.moves(ms))),
  lasting.map((ms) =>
    happens<DeviceWorld>(`somebody signs out of the device${forS(ms)}`, (world) => world.signOut(ms))
  ),
  lasting.map((ms) => happens<DeviceWorld>(`training is entered${forS(ms)}`, (world) => world.enterTraining(ms))),
  does('a backup is restored', (world) => world.restore()),
  does('a support bundle is opened', (world) => world.openBundle()),
  fc
    .tuple(fc.constantFrom('quitting', 'an update', 'SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGTSTP'), lasting)
    .map(([name, ms]) => happens<DeviceWorld>(`${name} ends Fitter${forS(ms)}`, (world) => world.quit(name, ms))),
  lasting.map((ms) =>
    happens<DeviceWorld>(`Fitter is killed, and started again after ${ms / 1000} s`, (world) => world.kill(ms))
  ),
  does('Wi-Fi, hotspot, reset or a profile would cut the link', (world) => world.cutLink()),
  fc
    .boolean()
    .map((isStopped) =>
      happens<DeviceWorld>(`the computer sleeps for 30 s${isStopped ? ', its clock too' : ''}`, (world) =>
        world.clock.sleep(30_000, isStopped)
      )
    ),
  ...often(
    4,
    fc
      .constantFrom(...(Object.keys(troubles) as DeviceTrouble[]))
      .chain((trouble) =>
        lasting.map((ms) =>
          happens<DeviceWorld>(`${troubles[trouble]}${forS(ms)}`, (world) =>
            world.forAWhile(ms, { trouble }, { trouble: 'none' })
          )
        )
      )
  ),
  does('a slow question goes before everything', (world) => world.askPosition()),
  lasting.map((ms) => happens<DeviceWorld>(`another device has the address${forS(ms)}`, (world) => world.exchange(ms))),
  lasting.map((ms) =>
    happens<DeviceWorld>(`the disk is full, or the file locked${forS(ms)}`, (world) => world.fillDisk(ms))
  )
]

test(
  'whatever happens in whatever order, no output of a device is on that nothing names, and off means off',
  { timeout: 3_600_000 },
  async () => {
    await playSequences(steps, createDeviceWorld)
  }
)
