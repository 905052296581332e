/** working: it may still become a photo. ready: the photo is there. failed: no photo comes of it. */
export type PhotoOutcome = 'working' | 'ready' | 'failed'

export interface PhotoStatus {
  code: number
  meaning: string
  outcome: PhotoOutcome
  /** What the technician does about it; empty where there is nothing to do but wait. */
  remedy: string
}

type Line = readonly [code: number, outcome: PhotoOutcome, meaning: string, remedy: string]

const wiring = 'Check plug, supply and data wires of the camera, then take the photo again.'
const again = 'Take the photo again.'
const signal = 'Check mobile signal and data connection of the device; it tries again by itself.'

const cameraLines: Line[] = [
  [0, 'working', 'the device takes and sends the photo', ''],
  [1, 'working', 'waiting for the camera to confirm', ''],
  [2, 'working', 'the device receives the photo from the camera', ''],
  [3, 'working', 'the photo is being uploaded', ''],
  [4, 'ready', 'photo ready', ''],
  [5, 'failed', 'the camera does not answer', wiring],
  [6, 'failed', 'the command could not be sent to the camera', wiring],
  [7, 'failed', 'the camera did not understand the command', again],
  [8, 'failed', 'what the camera took could not be read', again],
  [9, 'failed', 'communication error between camera and device', wiring],
  [10, 'failed', 'the device could not create the photo file', 'Start the device again, then take the photo again.'],
  [11, 'failed', 'the device could not send the photo', 'Check mobile signal and data connection of the device, then take the photo again.'],
  [12, 'working', 'the device could not connect and will try again', signal],
  [13, 'working', 'another photo is being taken; this one waits', ''],
  [14, 'failed', 'the memory of the device is full', 'Wait until earlier photos are uploaded, then take the photo again.'],
  [15, 'failed', 'error while taking the photo; it was given up', again],
  [16, 'failed', 'the highest photo number is reached', 'Ask support to reset the photo counter of the device.'],
  [99, 'failed', 'the camera is inactive or starting', 'Switch the ignition on, wait a minute, then take the photo again.']
]

const flashLines: Line[] = [
  [0, 'working', 'the camera is ready', ''],
  [3, 'working', 'the photo is being sent to the server', ''],
  [4, 'ready', 'photo sent to the server', ''],
  [5, 'failed', 'the camera does not answer', wiring],
  [6, 'failed', 'the command could not be sent to the camera', wiring],
  [8, 'failed', 'what the camera took could not be read', again],
  [9, 'failed', 'the photo arrived damaged (wrong checksum)', wiring],
  [10, 'failed', 'the device could not create the photo file', 'Start the device again, then take the photo again.'],
  [11, 'working', 'the upload service is busy', ''],
  [12, 'failed', 'the device could not connect to the upload server', 'Check mobile signal and data connection of the device, then take the photo again.'],
  [13, 'working', 'another photo is being taken; this one waits', ''],
  [14, 'failed', 'error while taking the photo: queue full or camera disconnected', wiring],
  [15, 'failed', 'error while taking the photo; it was given up', again],
  [16, 'failed', 'the highest photo number is reached', 'Ask support to reset the photo counter of the device.'],
  [17, 'failed', 'too many photos were asked for', 'Wait a few minutes, then take the photo again.'],
  [99, 'failed', 'the camera is inactive or starting', 'Switch the ignition on, wait a minute, then take the photo again.']
]

const tableOf = (lines: Line[]): Map<number, PhotoStatus> =>
  new Map(lines.map(([code, outcome, meaning, remedy]) => [code, { code, outcome, meaning, remedy }]))
const cameraStatuses = tableOf(cameraLines)
const flashStatuses = tableOf(flashLines)

/** `status_no` of the camera accessory ("Photo status numbers"); undefined for a number that is not named. */
export function describePhotoStatus(statusNo: number): PhotoStatus | undefined {
  return cameraStatuses.get(statusNo)
}

/** Status of the flash camera, source 99 ("Flash camera status codes"). */
export function describeFlashStatus(statusNo: number): PhotoStatus | undefined {
  return flashStatuses.get(statusNo)
}
