import { AppError } from '../../../preload/contract/errors.ts'
import type { CallOptions } from '../../gateway/caller.ts'
import { createEngineClient } from '../../gateway/client.ts'
import { invokeEngine, invokeGateway, isMutating, isOfEngine } from '../../gateway/operations.ts'
import type { Command, CommandValues } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { givenCredentials } from '../givenCredentials.ts'
import { exitCodes } from '../exitCodes.ts'
import { confirmChange, readBody, readParams, required } from '../inputs.ts'
import { usageError } from '../usage.ts'
import { openStore } from '../../store/index.ts'

export const runGateway: Command = async (context, [verb, ...rest], values) => {
  switch (verb) {
    case 'login':
      return login(context)
    case 'logout':
      return logout(context)
    case 'status':
      return status(context)
    case 'call':
      return call(context, rest, values)
    default:
      throw usageError('gateway takes login, logout, status or call.')
  }
}

async function login(context: CommandContext): Promise<number> {
  const { gateway, secrets } = await context.connections()
  const url = await gatewayUrl(context)
  const credentials = givenCredentials().gateway ?? (await askCredentials(context))
  const result = await gateway.signIn(url, credentials, context.signal)
  if (result.kind === 'wrongPassword') throw new AppError('NOT_AUTHENTICATED', result.detail)
  if (context.common.gatewayUrl !== undefined) keepSite(context, { url, user: credentials.user })
  const keychain = await secrets.status()
  const note = result.kept ? 'Kept in the keychain.' : `Not kept: ${keychain.reason ?? 'there is no keychain.'}`
  context.terminal.result({ url, user: credentials.user, kept: result.kept }, `Signed in at ${url} as ${credentials.user}. ${note}`)
  if (!result.kept) context.terminal.say(note)
  return exitCodes.done
}

/** So that later commands need no --gateway. While another Fitter has the data folder, it is not kept. */
function keepSite(context: CommandContext, { url, user }: { url: string; user: string }): void {
  try {
    const store = openStore(context.common.dataFolder)
    const others = store.settings.get().gatewaySites.filter((site) => site.url !== url || site.user !== user)
    store.settings.change({ gatewayUrl: url, gatewayUser: user, gatewaySites: [...others, { url, user, scheme: { kind: 'normal' } }] })
    store.close()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    context.terminal.say(`The address was not kept: ${error.message}`)
  }
}

async function gatewayUrl(context: CommandContext): Promise<string> {
  const { url } = await (await context.connections()).gateway.status()
  if (url !== '') return url
  if (!context.terminal.canAsk) throw usageError('No gateway is set: give --gateway URL.')
  return required(await context.terminal.ask('Address of the gateway (ends in /api):', context.signal), 'The address')
}

async function askCredentials(context: CommandContext): Promise<{ user: string; password: string }> {
  if (!context.terminal.canAsk) {
    throw new AppError('NOT_AUTHENTICATED', 'No credentials: set FITTER_GATEWAY_USER and FITTER_GATEWAY_PASSWORD, or sign in at a terminal.')
  }
  const user = required(await context.terminal.ask('User name of the gateway (e-mail):', context.signal), 'The user name')
  return { user, password: await context.terminal.askSecret('Password:', context.signal) }
}

async function logout(context: CommandContext): Promise<number> {
  await (await context.connections()).gateway.signOut(context.signal)
  context.terminal.result({ signedOut: true }, 'Signed out.')
  return exitCodes.done
}

async function status(context: CommandContext): Promise<number> {
  const { gateway } = await context.connections()
  const client = await gateway.client()
  const own = await client.user.own({}, { signal: context.signal, timeoutMs: context.common.timeoutMs, priority: 'person' })
  await client.tz.list({}, { signal: context.signal, timeoutMs: context.common.timeoutMs })
  const now = await gateway.status()
  const plain = [
    `${now.url}: ${now.detail}`,
    `User: ${now.user ?? own.value.username ?? 'unknown'}${own.value.is_staff ? ' (staff: every scope)' : ''}`,
    `Scopes: ${Object.entries(now.scopes ?? {}).map(([name, level]) => `${name} ${level}`).join(', ') || 'none'}`,
    now.rateLimit ? `Rate limit: ${now.rateLimit.remaining} of ${now.rateLimit.limit} left until ${now.rateLimit.resetAt}` : 'Rate limit: not stated',
    `Clock: ${now.clockDifferenceS === null ? 'unknown' : `${now.clockDifferenceS.toFixed(1)} s against this computer`}`
  ].join('\n')
  context.terminal.result(now, plain)
  return exitCodes.done
}

async function call(context: CommandContext, [operation]: string[], values: CommandValues): Promise<number> {
  const id = required(operation, 'The operation')
  const input = { params: readParams(values.param), body: readBody(values.body) }
  if (isMutating(id) === true) await confirmChange(context, id, values.yes)
  const options = { signal: context.signal, timeoutMs: context.common.timeoutMs, priority: 'person' as const }
  const reading = isOfEngine(id)
    ? await callEngine(context, id, input, options)
    : await invokeGateway(await (await context.connections()).gateway.client(), id, input, {
        ...options,
        ...(values.all ? { all: true, rateLimitWaitMs: 10 * 60_000 } : {})
      })
  const { operation: name, status: code, value, rateLimit, problems } = reading
  context.terminal.result({ operation: name, status: code, value: value ?? null, rateLimit, problems }, JSON.stringify(value ?? null, null, 2))
  for (const problem of problems) context.terminal.say(`! ${problem}`)
  return exitCodes.done
}

/** A report job engine has an address of its own: here `--gateway` names it. */
async function callEngine(context: CommandContext, id: string, input: { params: Record<string, unknown>; body: unknown }, options: CallOptions) {
  const url = context.common.gatewayUrl
  if (url === undefined) throw usageError(`${id} is an operation of a report job engine: give its base address with --gateway URL.`)
  const client = createEngineClient({ url })
  try {
    return await invokeEngine(client, id, input, options)
  } finally {
    client.close()
  }
}
