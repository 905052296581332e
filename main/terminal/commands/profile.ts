import {
  apnLogin,
  idOfSetting,
  mostProfileBytes,
  type ApnLogin,
  type AppliedRow,
  type ListedProfile,
  type PreviewRow,
  type ProfileRun,
  type ProfileSetting
} from '../../../preload/contract/device/deviceProfiles.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { parseAddress } from '../../base/addresses/address.ts'
import type { DeviceProfiles } from '../../support/deviceSession/deviceProfiles/deviceProfiles.ts'
import type { Command, CommandValues } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { confirmChange, readInput, requireInput } from '../input/inputs.ts'
import { readBounded } from '../input/readBounded.ts'
import { nameOfDevice } from '../nameOfDevice.ts'
import { exitCodes } from '../output/exitCodes.ts'
import { usageError } from '../output/usage.ts'
import { writeNew } from '../output/writeNew.ts'

/** `profile save|list|show|apply|export|import|remove`: the settings of one device for others. */
export const runProfile: Command = async (context, [verb, first, second, ...more], values) => {
  if (more.length > 0) throw usageError(message('terminalProfile.words', { words: more.join(' ') }))
  switch (verb) {
    case 'save':
      return save(
        context,
        requireInput(first, message('terminal.theDevice')),
        requireInput(second, message('terminalProfile.theName'))
      )
    case 'list': {
      const profiles = (await deviceProfiles(context)).list()
      context.terminal.result(profiles, profiles.map((one) => context.terminal.text(sayProfile(one))).join('\n'))
      return exitCodes.done
    }
    case 'show': {
      const profiles = await deviceProfiles(context)
      const profile = profiles.show(find(profiles, first).id)
      context.terminal.result(
        profile,
        [
          context.terminal.text(sayProfile({ ...profile, settings: profile.settings.length })),
          ...profile.settings.map((setting) => `  ${idOfSetting(setting)}  ${valueOf(setting)}`)
        ].join('\n')
      )
      return exitCodes.done
    }
    case 'apply':
      return apply(context, first, requireInput(second, message('terminal.theDevice')), values)
    case 'export': {
      const out = requireInput(values.out, '--out FILE')
      const profiles = await deviceProfiles(context)
      writeNew(out, Buffer.from(profiles.export(find(profiles, first).id).text, 'utf8'))
      context.terminal.result({ file: out }, message('terminal.fileWritten', { file: out }))
      return exitCodes.done
    }
    case 'import': {
      const text = readBounded(requireInput(first, message('terminalProfile.theFile')), mostProfileBytes).toString(
        'utf8'
      )
      const imported = (await deviceProfiles(context)).import(text)
      if (imported.outcome === 'refused') throw new AppError('INVALID_REQUEST', imported.why)
      context.terminal.result(imported.profile, sayProfile(imported.profile))
      return exitCodes.done
    }
    case 'remove': {
      const profiles = await deviceProfiles(context)
      const { id, name } = find(profiles, first)
      profiles.remove(id)
      context.terminal.result({ id, name }, message('terminalProfile.removed', { name }))
      return exitCodes.done
    }
    default:
      throw usageError(
        message('terminal.takes', { what: 'profile', choices: 'save, list, show, apply, export, import, remove' })
      )
  }
}

async function deviceProfiles(context: CommandContext): Promise<DeviceProfiles> {
  return (await context.core()).workspaceDevices.deviceProfiles
}

/** A profile by its name or its id. */
function find(profiles: DeviceProfiles, given: string | undefined): ListedProfile {
  const wanted = requireInput(given, message('terminalProfile.theName'))
  const all = profiles.list()
  const found = all.find(({ id, name }) => id === wanted || name.toLocaleLowerCase() === wanted.toLocaleLowerCase())
  if (!found)
    throw usageError(
      message('terminalProfile.noSuch', { name: wanted, choices: all.map(({ name }) => name).join(', ') || '-' })
    )
  return found
}

/** Puts the device that a person named into the table, by which the core knows it. */
async function keyOf(context: CommandContext, host: string): Promise<string> {
  const { connections } = await context.core()
  const { imei, model, address } = await nameOfDevice(context, host)
  const seen = () =>
    connections.discovery.table().devices.find((device) => device.imei === imei && device.addresses.length > 0)
  if (!seen()) {
    const added = await connections.discovery.addAddress(address, { signal: context.signal })
    if (added.kind !== 'added') throw new AppError('UNREACHABLE', added.detail)
    if (added.device.imei === null)
      connections.discovery.learn(added.device.key, { hostname: `${model}-${imei}`, osVersion: null })
  }
  const device = seen()
  if (!device) throw new AppError('UNREACHABLE', message('workspace.noAddress'), { retryable: true })
  // Two devices with one IMEI on the network: nothing goes to the other one.
  const named = parseAddress(address)
  if (named && !named.isName && connections.addressOf(device) !== named.label)
    throw new AppError(
      'WRONG_DEVICE',
      message('terminalProfile.elsewhere', { imei, named: named.label, found: connections.addressOf(device) ?? '' })
    )
  return device.key
}

async function save(context: CommandContext, host: string, name: string): Promise<number> {
  const profiles = await deviceProfiles(context)
  const draft = await profiles.read(await keyOf(context, host), context.signal)
  for (const { kind, why } of draft.unread)
    context.terminal.say(message('terminalProfile.unread', { setting: kind, why }))
  if (draft.settings.length === 0) throw new AppError('UNREADABLE', message('deviceProfiles.nothingChosen'))
  const profile = profiles.save({
    draft: draft.id,
    name: name.trim().slice(0, 80),
    settings: draft.settings.map(({ id }) => id)
  })
  context.terminal.result(profile, sayProfile(profile))
  return exitCodes.done
}

async function apply(
  context: CommandContext,
  given: string | undefined,
  host: string,
  values: CommandValues
): Promise<number> {
  const { terminal, signal } = context
  const login = readLogin(values.body)
  const profiles = await deviceProfiles(context)
  const { id } = find(profiles, given)
  const key = await keyOf(context, host)
  const preview = await profiles.preview(key, id, signal)
  const without = new Set((values.without ?? '').split(',').map((one) => one.trim()))
  const chosen = preview.rows.filter(
    (row) => (row.state === 'changes' || row.state === 'cannotRead') && !without.has(row.id)
  )
  for (const row of preview.rows) terminal.say(sayRow(row, chosen.includes(row)))
  for (const { id: setting, cut } of chosen)
    if (cut) terminal.warn(message('terminalProfile.cut', { setting, detail: cut.detail, wayBack: cut.wayBack }))
  if (values['dry-run'] === true || chosen.length === 0) {
    terminal.result(preview, message('terminalProfile.nothingSent', { n: chosen.length }))
    return exitCodes.done
  }
  await confirmChange(context, 'profile apply', values.yes)
  const answer = await profiles.apply(
    { key, id, settings: chosen.map((row) => row.id), apnLogin: login, confirmCut: true, afterJob: false },
    signal
  )
  if (answer.kind !== 'started') {
    terminal.result(preview, message('terminalProfile.nothingSent', { n: 0 }))
    return exitCodes.done
  }
  const stop = (): void => void profiles.stop(answer.run.id)
  signal.addEventListener('abort', stop, { once: true })
  const run = await profiles.ended(answer.run.id)
  signal.removeEventListener('abort', stop)
  terminal.result(run, run.rows.map((row) => terminal.text(sayResult(row))).join('\n'))
  if (run.why) terminal.say(run.why)
  return codeOf(run)
}

/**
 * The API needs user, password and PIN together with an APN. From standard input, so that no process has them in its
 * arguments.
 */
function readLogin(body: string | undefined): ApnLogin | null {
  if (body === undefined) return null
  const { success, data } = apnLogin.safeParse(readInput({ body }).body)
  if (!success)
    throw usageError(message('terminalProfile.loginForm', { example: '{"user": "", "pass": "", "pin": ""}' }))
  return data
}

function codeOf({ state, rows }: ProfileRun): number {
  if (state === 'lost') return exitCodes.notReachable
  return rows.every((row) => row.state === 'confirmed' || row.state === 'sent') ? exitCodes.done : exitCodes.attention
}

function sayProfile({ name, settings, savedAt, from }: ListedProfile): Message {
  return message('terminalProfile.line', { name, n: settings, savedAt, model: from.model ?? '-', digits: from.digits })
}

/** As the API names it. */
function valueOf(setting: ProfileSetting): string {
  return typeof setting.value === 'object' ? JSON.stringify(setting.value) : String(setting.value)
}

function sayRow({ id, setting, now, state, why }: PreviewRow, isChosen: boolean): Message {
  const row = message('terminalProfile.row', {
    id,
    now: now === null ? '?' : String(now),
    value: valueOf(setting),
    state: isChosen || state === 'same' ? state : 'leftOut'
  })
  return why ? message('common.nameWhy', { name: row, why }) : row
}

function sayResult({ id, setting, before, state, detail }: AppliedRow): Message {
  const row = message('terminalProfile.result', {
    id,
    before: before === null ? '?' : String(before),
    value: valueOf(setting),
    state
  })
  return detail && state !== 'confirmed' && state !== 'sent'
    ? message('common.nameWhy', { name: row, why: detail })
    : row
}
