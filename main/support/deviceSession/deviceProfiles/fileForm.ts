import {
  mostProfileBytes,
  profileFile,
  type DeviceProfile,
  type ProfileFile
} from '../../../../preload/contract/device/deviceProfiles.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import { checkJson } from '../../../base/reading/checkJson.ts'

const format = 'fitter-device-profile'

/** The text of a file with this profile, without the vehicle that it was saved from. */
export function writeProfileFile({ name, savedAt, savedBy, from, settings }: DeviceProfile): string {
  const { vehicle: _vehicle, ...origin } = from
  const file: ProfileFile = { format, version: 1, name, savedAt, savedBy, from: origin, settings }
  return `${JSON.stringify(file, null, 2)}\n`
}

/** Reads a file, which may come from anyone: content that does not match the form is refused. */
export function readProfileFile(
  text: string
): { outcome: 'read'; file: ProfileFile } | { outcome: 'refused'; why: Message } {
  const refused = (why: Message) => ({ outcome: 'refused' as const, why })
  if (Buffer.byteLength(text) > mostProfileBytes)
    return refused(message('deviceProfiles.tooLarge', { mostBytes: mostProfileBytes }))
  const parsed = checkJson(text)
  const value = parsed.kind === 'json' ? (parsed.value as { format?: unknown; version?: unknown } | null) : null
  if (typeof value !== 'object' || value?.format !== format) return refused(message('deviceProfiles.notOurs'))
  if (typeof value.version === 'number' && value.version > 1) return refused(message('deviceProfiles.newer'))
  const read = profileFile.safeParse(value)
  return read.success ? { outcome: 'read', file: read.data } : refused(message('deviceProfiles.broken'))
}

/** The suggested name of the file. */
export function profileFileName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\w]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase()
    .slice(0, 60)
  return `device-profile-${plain || 'unnamed'}.json`
}
