import { AppError } from '../../../preload/contract/errors.ts'
import type { GatewayCopies } from '../../../preload/contract/gateway/copies.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { CallOptions } from '../../gateway/client/transport/caller.ts'
import { createEngineClient } from '../../gateway/client/client.ts'
import { invokeEngine, invokeGateway, isMutating, isOfEngine } from '../../gateway/client/request/operations.ts'
import type { Command, CommandValues } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { givenCredentials } from '../input/environmentCredentials.ts'
import { sayOften } from '../output/progress.ts'
import { exitCodes } from '../output/exitCodes.ts'
import { confirmChange, readInput, requireInput } from '../input/inputs.ts'
import { usageError } from '../output/usage.ts'
import { openStore, type Store } from '../../data/store/index.ts'

export const runGateway: Command = async (context, [verb, ...rest], values) => {
  switch (verb) {
    case 'login':
      return login(context)
    case 'logout':
      return logout(context)
    case 'status':
      return status(context)
    case 'copy':
      return copy(context)
    case 'call':
      return call(context, rest, values)
    default:
      throw usageError(message('terminal.takes', { what: 'gateway', choices: 'login, logout, status, copy, call' }))
  }
}

async function login(context: CommandContext): Promise<number> {
  const core = await context.askOutputs(isThroughGateway)
  const { gateway, secrets } = await context.connections()
  const url = await gatewayUrl(context)
  const credentials = givenCredentials().gateway ?? (await askCredentials(context))
  const result = await gateway.signIn(url, credentials, context.signal)
  if (result.kind === 'wrongPassword') throw new AppError('NOT_AUTHENTICATED', result.detail)
  if (context.common.gatewayUrl !== undefined) keepSite(context, core?.store, { url, user: credentials.user })
  const keychain = await secrets.status()
  const note = result.kept
    ? message('terminal.kept')
    : message('common.notSaved', { why: keychain.reason ?? message('terminal.noKeychain') })
  context.terminal.result(
    { url, user: credentials.user, kept: result.kept },
    message('terminal.signedIn', { url, user: credentials.user, note })
  )
  if (!result.kept) context.terminal.say(note)
  return exitCodes.done
}

/** Stored so that later commands need no --gateway. Not stored while another Fitter uses the data folder. */
function keepSite(
  context: CommandContext,
  opened: Store | undefined,
  { url, user }: { url: string; user: string }
): void {
  try {
    const store = opened ?? openStore(context.common.dataFolder)
    const others = store.settings.get().gatewaySites.filter((site) => site.url !== url || site.user !== user)
    store.settings.change({
      gatewayUrl: url,
      gatewayUser: user,
      gatewaySites: [...others, { url, user, scheme: { kind: 'normal' } }]
    })
    if (!opened) store.close()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    context.terminal.say(message('terminal.addressNotKept', { why: error.sentence }))
  }
}

async function gatewayUrl(context: CommandContext): Promise<string> {
  const { url } = await (await context.connections()).gateway.status()
  if (url !== '') return url
  if (!context.terminal.canAsk) throw usageError(message('terminal.noGateway'))
  return requireInput(
    await context.terminal.ask(message('terminal.gatewayAddress'), context.signal),
    message('terminal.theAddress')
  )
}

async function askCredentials(context: CommandContext): Promise<{ user: string; password: string }> {
  if (!context.terminal.canAsk) {
    throw new AppError('NOT_AUTHENTICATED', message('terminal.noCredentials'))
  }
  const user = requireInput(
    await context.terminal.ask(message('terminal.gatewayUser'), context.signal),
    message('terminal.theUser')
  )
  return { user, password: await context.terminal.askSecret(message('terminal.password'), context.signal) }
}

const isThroughGateway = ({ path }: { path: string }): boolean => path === 'gateway'

async function logout(context: CommandContext): Promise<number> {
  await context.askOutputs(isThroughGateway)
  await (await context.connections()).gateway.signOut(context.signal)
  context.terminal.result({ signedOut: true }, message('terminal.signedOut'))
  return exitCodes.done
}

async function status(context: CommandContext): Promise<number> {
  const { gateway } = await context.connections()
  const client = await gateway.client()
  const own = await client.user.own(
    {},
    { signal: context.signal, timeoutMs: context.common.timeoutMs, priority: 'person' }
  )
  await client.tz.list({}, { signal: context.signal, timeoutMs: context.common.timeoutMs })
  const now = await gateway.status()
  const { text } = context.terminal
  const plain = [
    `${text(now.url)}: ${text(now.detail)}`,
    text(
      message(own.value.is_staff ? 'terminal.statusStaff' : 'terminal.statusUser', {
        user: now.user ?? own.value.username ?? message('terminal.unknown')
      })
    ),
    text(
      message('terminal.statusScopes', {
        scopes:
          Object.entries(now.scopes ?? {})
            .map(([name, level]) => `${name} ${level}`)
            .join(', ') || message('terminal.none')
      })
    ),
    text(now.rateLimit ? message('terminal.statusRate', now.rateLimit) : message('terminal.statusNoRate')),
    text(
      now.clockDifferenceS === null
        ? message('terminal.statusNoClock')
        : message('terminal.statusClock', { differenceS: now.clockDifferenceS })
    )
  ].join('\n')
  context.terminal.result(now, plain)
  return exitCodes.done
}

async function copy(context: CommandContext): Promise<number> {
  const { terminal, signal } = context
  const { copies, events, connections } = await context.core()
  // A page may take a minute and wait for the rate limit: a gateway that does not answer at all is reported before
  // that.
  await (await connections.gateway.client()).user.own({}, { signal, timeoutMs: context.common.timeoutMs })
  const say = sayOften(terminal, () =>
    message('terminalCopies.copying', {
      kind: now?.kind ?? '',
      done: now?.done ?? 0,
      total: now?.total ?? message('terminal.unknown')
    })
  )
  let now: GatewayCopies['running'] = null
  const stop = events.onEvent((name, payload) => {
    if (name !== 'copies.changed') return
    now = (payload as GatewayCopies).running
    if (now) say(now.done, now.total ?? 0)
  })
  const onAbort = (): void => void copies.stop()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    await copies.refresh()
    await copies.ended()
  } finally {
    stop()
    signal.removeEventListener('abort', onAbort)
  }
  const state = await copies.status()
  const lines = state.kinds.map(({ kind, count, copiedAt, complete, refused }) => {
    const extent =
      refused ??
      message(complete ? 'terminalCopies.copyWhole' : 'terminalCopies.copyPart', { copiedAt: copiedAt ?? '' })
    return message('terminalCopies.copied', {
      kind,
      n: count,
      extent: copiedAt === null && !refused ? message('terminalCopies.copyNone') : extent
    })
  })
  const sentences = [...lines, ...(state.problem ? [state.problem] : [])]
  terminal.result(state, sentences.map((one) => terminal.text(one)).join('\n'))
  return state.problem || signal.aborted ? exitCodes.attention : exitCodes.done
}

async function call(context: CommandContext, [operation]: string[], values: CommandValues): Promise<number> {
  const id = requireInput(operation, message('terminal.theOperation'))
  const input = readInput(values)
  if (isMutating(id) === true) await confirmChange(context, id, values.yes)
  const options = { signal: context.signal, timeoutMs: context.common.timeoutMs, priority: 'person' as const }
  if (id === 'session.logout') {
    await context.askOutputs(isThroughGateway)
    await (await context.connections()).gateway.leave()
  }
  const reading = isOfEngine(id)
    ? await callEngine(context, id, input, options)
    : await invokeGateway(await (await context.connections()).gateway.client(), id, input, {
        ...options,
        ...(values.all ? { all: true, rateLimitWaitMs: 10 * 60_000 } : {})
      })
  const { operation: name, status: code, value, rateLimit, problems } = reading
  context.terminal.result(
    { operation: name, status: code, value: value ?? null, rateLimit, problems },
    JSON.stringify(value ?? null, null, 2)
  )
  for (const problem of problems) context.terminal.say(`! ${context.terminal.text(problem)}`)
  return exitCodes.done
}

/** A report job engine has its own address: here `--gateway` names it. */
async function callEngine(
  context: CommandContext,
  id: string,
  input: { params: Record<string, unknown>; body: unknown },
  options: CallOptions
) {
  const url = context.common.gatewayUrl
  if (url === undefined) throw usageError(message('terminal.engineNeedsAddress', { operation: id }))
  const client = createEngineClient({ url })
  try {
    return await invokeEngine(client, id, input, options)
  } finally {
    client.close()
  }
}
