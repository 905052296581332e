import { message, type Message, type MessageId, type ValuesOf } from '../../../../preload/contract/messages.ts'

/** working: it may still become a photo. ready: the photo exists. failed: there will be no photo. */
export type PhotoOutcome = 'working' | 'ready' | 'failed'

export interface PhotoStatus {
  code: number
  meaning: Message
  outcome: PhotoOutcome
  /** The remedy for the technician; null while waiting is all there is to do. */
  remedy: Message | null
}

type PlainId = { [Id in MessageId]: keyof ValuesOf<Id> extends never ? Id : never }[MessageId]
type Line = readonly [code: number, outcome: PhotoOutcome, meaning: PlainId, remedy: PlainId | null]

const cameraLines: Line[] = [
  [0, 'working', 'photos.taking', null],
  [1, 'working', 'photos.confirming', null],
  [2, 'working', 'photos.receiving', null],
  [3, 'working', 'photos.uploading', null],
  [4, 'ready', 'photos.ready', null],
  [5, 'failed', 'photos.cameraSilent', 'photos.checkWiring'],
  [6, 'failed', 'photos.commandNotSent', 'photos.checkWiring'],
  [7, 'failed', 'photos.commandNotUnderstood', 'photos.takeAgain'],
  [8, 'failed', 'photos.notReadable', 'photos.takeAgain'],
  [9, 'failed', 'photos.cameraLine', 'photos.checkWiring'],
  [10, 'failed', 'photos.noFile', 'photos.restartDevice'],
  [11, 'failed', 'photos.notSent', 'photos.checkSignalAndRepeat'],
  [12, 'working', 'photos.triesAgain', 'photos.checkSignal'],
  [13, 'working', 'photos.waitsForOther', null],
  [14, 'failed', 'photos.memoryFull', 'photos.waitForUploads'],
  [15, 'failed', 'photos.givenUp', 'photos.takeAgain'],
  [16, 'failed', 'photos.highestNumber', 'photos.askToReset'],
  [99, 'failed', 'photos.inactive', 'photos.switchIgnitionOn']
]

const flashLines: Line[] = [
  [0, 'working', 'photos.cameraReady', null],
  [3, 'working', 'photos.sending', null],
  [4, 'ready', 'photos.sentToServer', null],
  [5, 'failed', 'photos.cameraSilent', 'photos.checkWiring'],
  [6, 'failed', 'photos.commandNotSent', 'photos.checkWiring'],
  [8, 'failed', 'photos.notReadable', 'photos.takeAgain'],
  [9, 'failed', 'photos.damaged', 'photos.checkWiring'],
  [10, 'failed', 'photos.noFile', 'photos.restartDevice'],
  [11, 'working', 'photos.serviceBusy', null],
  [12, 'failed', 'photos.noServer', 'photos.checkSignalAndRepeat'],
  [13, 'working', 'photos.waitsForOther', null],
  [14, 'failed', 'photos.queueFull', 'photos.checkWiring'],
  [15, 'failed', 'photos.givenUp', 'photos.takeAgain'],
  [16, 'failed', 'photos.highestNumber', 'photos.askToReset'],
  [17, 'failed', 'photos.tooMany', 'photos.waitMinutes'],
  [99, 'failed', 'photos.inactive', 'photos.switchIgnitionOn']
]

const tableOf = (lines: Line[]): Map<number, PhotoStatus> =>
  new Map(
    lines.map(([code, outcome, meaning, remedy]) => [
      code,
      { code, outcome, meaning: message(meaning), remedy: remedy === null ? null : message(remedy) }
    ])
  )
const cameraStatuses = tableOf(cameraLines)
const flashStatuses = tableOf(flashLines)

/** `status_no` of the camera accessory ("Photo status numbers"); undefined for an undocumented number. */
export function describePhotoStatus(statusNo: number): PhotoStatus | undefined {
  return cameraStatuses.get(statusNo)
}

/** Status of the flash camera, source 99 ("Flash camera status codes"). */
export function describeFlashStatus(statusNo: number): PhotoStatus | undefined {
  return flashStatuses.get(statusNo)
}
