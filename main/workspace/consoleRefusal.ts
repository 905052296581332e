import type { Refusal } from './consoleGuard.ts'

const reasons: Record<Refusal, string> = {
  removesFiles: 'it removes files.',
  overwritesFiles: 'it overwrites or moves files.',
  wipesDisk: 'it changes or wipes a disk.',
  writesFlash: 'it writes the flash memory.',
  switchesOff: 'it switches the device off, and nobody could switch it on again from here.',
  changesUsers: 'it changes who may sign in.',
  endsPrograms: 'it ends programs by name.',
  changesRights: 'it changes the rights of files.',
  takesSystemAway: 'it takes parts of the system away.',
  removesSoftware: 'it removes software.',
  removesSettings: 'it removes settings of the device.',
  stopsSystem: 'it stops parts of the system.',
  locksOut: 'it can lock everyone out.',
  cutsConnection: 'it can cut the connection to the device.',
  runsContainer: 'what runs in a container, or is taken from it, cannot be checked here.',
  setsOutput: 'outputs are switched only where the vehicle is watched, under Lines or in a job.',
  cannotBeSeen: 'what it would run cannot be checked here.',
  programUnknown: 'Which command this runs cannot be seen from here. Write its name out.',
  manyLines: 'Give one command on one line.',
  hiddenCharacters: 'It holds characters that cannot be seen. Type it anew.',
  openQuote: 'A quotation mark or a backslash at the end is left open.',
  insideAnother: 'A command or a variable inside another command ($…, `…`) cannot be checked here. Run them one after the other.',
  function: 'Shell functions cannot be checked here.',
  writesFile: 'Writing into a file with ">" is not allowed here: it can overwrite what the device needs.',
  feedsInput: 'Text that is fed to a command cannot be checked here.',
  comment: 'A "#" can hide the rest of a command. Leave it out, or put it into quotes.',
  notReadable: 'This is no command.'
}

/** Why a command is not sent, as a sentence. */
export function refusalSentence({ why, name }: { why: Refusal; name: string }): string {
  return name === '' ? reasons[why] : `"${name}" is not sent: ${reasons[why]}`
}
