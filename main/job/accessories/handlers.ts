import type { HandlersOf } from '../../../preload/contract/index.ts'
import type { Accessories } from './accessories.ts'

type AccessoryTopic = 'accessories' | 'photos' | 'remoteOutputs' | 'triggers' | 'navUnit' | 'rawdata'

const now = (): string => new Date().toISOString()

export function createAccessoryHandlers(accessories: Accessories): HandlersOf<AccessoryTopic> {
  return {
    'accessories.keys': (_input, signal) => accessories.keys(signal),
    'accessories.registerKey': (input) => accessories.registerKey(input),
    'accessories.createAsset': (input) => accessories.createAsset(input),
    'accessories.assignTag': (input) => accessories.assignTag(input),
    'accessories.setSimNumber': (input) => accessories.setSimNumber(input),
    'accessories.tags': async ({ vehicleId, hours }, signal) => ({
      tags: await accessories.readTags(vehicleId, hours, signal),
      readAt: now()
    }),
    'accessories.read': ({ vehicleId }, signal) => accessories.read(vehicleId, signal),
    'accessories.startTapTest': (input, signal) => accessories.startTapTest(input, signal),
    'accessories.startTagTest': (input) => accessories.startTagTest(input),
    'accessories.tests': () => ({ tests: accessories.tests.list() }),
    'accessories.stopTest': async ({ id }) => {
      accessories.tests.stop(id)
      await accessories.tests.ended(id)
      return { tests: accessories.tests.list() }
    },
    'photos.capture': (input, signal) => accessories.capture(input, signal),
    'photos.last': async ({ vehicleId }, signal) => ({
      ...(await accessories.photos.last(vehicleId, signal)),
      readAt: now()
    }),
    'photos.browse': async ({ vehicleId, from, to }, signal) => ({
      events: await accessories.photos.browse(vehicleId, { from, to }, signal),
      readAt: now()
    }),
    'photos.open': async ({ vehicleId, eventId, systemTime }, signal) => ({
      ...(await accessories.photos.open(vehicleId, eventId, systemTime, signal)),
      readAt: now()
    }),
    'photos.keep': (input) => accessories.keepPhoto(input),
    'remoteOutputs.story': ({ vehicleId }, signal) => accessories.outputStory(vehicleId, signal),
    'remoteOutputs.set': (input, signal) => accessories.setOutput(input, signal),
    'triggers.structure': (_input, signal) => accessories.triggerStructure(signal),
    'triggers.list': async ({ vehicleId }, signal) => {
      const list = await accessories.triggers.list(vehicleId, signal)
      return { triggers: list?.triggers ?? [], complete: list?.complete ?? false, readAt: now() }
    },
    'triggers.describe': (input, signal) => accessories.describeConditions(input, signal),
    'triggers.labels': (_input, signal) => accessories.triggerLabels(signal),
    'triggers.past': (input, signal) => accessories.tryOnPast(input, signal),
    'triggers.create': (input) => accessories.createTrigger(input),
    'triggers.provoke': (input, signal) => accessories.provoke(input, signal),
    'triggers.fences': async (_input, signal) => {
      const { fences, complete, ...age } = await accessories.fencesToChoose(signal)
      return { fences: fences.map(({ id, name, what }) => ({ id, name, what })), complete, ...age }
    },
    'triggers.createFence': (input) => accessories.createFence(input),
    'navUnit.state': ({ vehicleId }, signal) => accessories.navState(vehicleId, signal),
    'navUnit.setMode': (input, signal) => accessories.setNavMode(input, signal),
    'navUnit.messages': ({ vehicleId, days }, signal) => accessories.navMessages(vehicleId, days, signal),
    'navUnit.sendMessage': (input, signal) => accessories.sendNavMessage(input, signal),
    'navUnit.sendJob': (input, signal) => accessories.sendNavJob(input, signal),
    'rawdata.fields': (_input, signal) => accessories.tables.fields(signal),
    'rawdata.check': async (input, signal) => ({ problems: await accessories.tables.check(input, signal) }),
    'rawdata.request': (input) => ({ text: accessories.tables.requestText(input) }),
    'rawdata.query': (input, signal) => accessories.tables.query(input, signal),
    'rawdata.journeys': ({ vehicleId, days }, signal) => accessories.tables.journeys(vehicleId, days, signal),
    'rawdata.export': (input, signal) => accessories.tables.exportEvents(input, signal)
  }
}
