import type { HandlersOf } from '../../preload/contract/index.ts'
import type { AccessoryDesk } from './accessories.ts'

type AccessoryTopic = 'accessories' | 'photos' | 'remoteOutputs' | 'triggers' | 'navUnit' | 'rawdata'

const now = (): string => new Date().toISOString()

/** The calls of the accessory screens. */
export function createAccessoryHandlers(desk: AccessoryDesk): HandlersOf<AccessoryTopic> {
  return {
    'accessories.keys': (_input, signal) => desk.keys(signal),
    'accessories.registerKey': (input) => desk.registerKey(input),
    'accessories.createAsset': (input) => desk.createAsset(input),
    'accessories.assignTag': (input) => desk.assignTag(input),
    'accessories.setSimNumber': (input) => desk.setSimNumber(input),
    'accessories.tags': async ({ vehicleId, hours }, signal) => ({ tags: await desk.readTags(vehicleId, hours, signal), readAt: now() }),
    'accessories.read': ({ vehicleId }, signal) => desk.read(vehicleId, signal),
    'accessories.startTapTest': (input, signal) => desk.startTapTest(input, signal),
    'accessories.startTagTest': (input) => desk.startTagTest(input),
    'accessories.tests': () => ({ tests: desk.waits.list() }),
    'accessories.stopTest': async ({ id }) => {
      desk.waits.stop(id)
      await desk.waits.ended(id)
      return { tests: desk.waits.list() }
    },
    'photos.capture': (input, signal) => desk.capture(input, signal),
    'photos.last': async ({ vehicleId }, signal) => ({ ...(await desk.photos.last(vehicleId, signal)), readAt: now() }),
    'photos.browse': async ({ vehicleId, from, to }, signal) => ({ events: await desk.photos.browse(vehicleId, { from, to }, signal), readAt: now() }),
    'photos.open': async ({ vehicleId, eventId, systemTime }, signal) => ({ ...(await desk.photos.open(vehicleId, eventId, systemTime, signal)), readAt: now() }),
    'photos.keep': (input) => desk.keepPhoto(input),
    'remoteOutputs.story': ({ vehicleId }, signal) => desk.outputStory(vehicleId, signal),
    'remoteOutputs.set': (input, signal) => desk.setOutput(input, signal),
    'triggers.structure': async (_input, signal) => ({ categories: await desk.triggers.structure(signal) }),
    'triggers.list': async ({ vehicleId }, signal) => {
      const list = await desk.triggers.list(vehicleId, signal)
      return { triggers: list?.triggers ?? [], complete: list?.complete ?? false, readAt: now() }
    },
    'triggers.describe': (input, signal) => desk.describeConditions(input, signal),
    'triggers.create': (input) => desk.createTrigger(input),
    'triggers.provoke': (input, signal) => desk.provoke(input, signal),
    'triggers.fences': async (_input, signal) => {
      const { fences, complete } = await desk.triggers.fences(signal)
      return { fences: fences.map(({ id, name, what }) => ({ id, name, what })), complete }
    },
    'triggers.createFence': (input) => desk.createFence(input),
    'navUnit.state': ({ vehicleId }, signal) => desk.navState(vehicleId, signal),
    'navUnit.setMode': ({ vehicleId, on }, signal) => desk.setNavMode(vehicleId, on, signal),
    'navUnit.messages': ({ vehicleId, days }, signal) => desk.navMessages(vehicleId, days, signal),
    'navUnit.sendMessage': (input, signal) => desk.sendMessage(input, signal),
    'navUnit.sendJob': (input, signal) => desk.sendJob(input, signal),
    'rawdata.fields': async (_input, signal) => {
      const fields = await desk.fields(signal)
      return { fields, sets: [...new Set(fields.map(({ group }) => group).filter((group) => group !== ''))].map((group) => `$${group}`), readAt: now() }
    },
    'rawdata.check': async (input, signal) => ({ problems: await desk.tables.check(input, signal) }),
    'rawdata.query': (input, signal) => desk.tables.query(input, signal),
    'rawdata.journeys': ({ vehicleId, days }, signal) => desk.journeys(vehicleId, days, signal),
    'rawdata.export': (input, signal) => desk.exportEvents(input, signal)
  }
}
