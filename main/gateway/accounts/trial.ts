import { AppError } from '../../../preload/contract/errors.ts'
import type { ConnectionStep, ConnectionTrial } from '../../../preload/contract/app/internet.ts'
import type { GatewayStatus } from '../../../preload/contract/gateway/gateway.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { sayDialFailure } from '../client/transport/unreachable.ts'
import type { DialStep } from '../../base/internet/dial.ts'
import { DialFailure, type DialStage } from '../../base/internet/route.ts'
import type { Internet } from './internet.ts'
import type { GatewayAccess } from './sites.ts'

export interface TrialParts {
  gateway: GatewayAccess
  internet: Internet
  /** An address that is not in use. */
  url?: string | undefined
  onStep?: ((step: ConnectionStep) => void) | undefined
}

const order: readonly ConnectionStep['name'][] = ['name', 'connected', 'proxy', 'certificate', 'answer', 'signIn']
const stepOfStage: Record<DialStage, ConnectionStep['name']> = {
  name: 'name',
  connect: 'connected',
  proxy: 'proxy',
  certificate: 'certificate'
}

/**
 * Tests the whole connection to the gateway once, for a person who watches: name, card, proxy, certificate, answer,
 * sign-in.
 */
export async function tryConnection(
  { gateway, internet, url: typed, onStep }: TrialParts,
  signal: AbortSignal
): Promise<ConnectionTrial> {
  const url = typed ?? (await gateway.status()).url
  if (url === '') throw new AppError('INVALID_REQUEST', message('connections.gatewayNotSet'))
  // Another gateway must not even learn that someone looked.
  gateway.demandAllowed(url)
  const visitor = typed === undefined ? undefined : gateway.visit(typed)
  try {
    return await tryEachStep(
      {
        gateway: visitor ? { look: (signal) => visitor.look(signal), status: () => visitor.status() } : gateway,
        internet,
        url,
        isTyped: typed !== undefined,
        onStep
      },
      signal
    )
  } finally {
    visitor?.close()
  }
}

interface EachStepParts {
  gateway: Pick<GatewayAccess, 'look'> & {
    status(): GatewayStatus | Promise<GatewayStatus>
    client?: GatewayAccess['client']
  }
  internet: Internet
  url: string
  isTyped: boolean
  onStep: TrialParts['onStep']
}

async function tryEachStep(
  { gateway, internet, url, isTyped, onStep }: EachStepParts,
  signal: AbortSignal
): Promise<ConnectionTrial> {
  const steps: ConnectionStep[] = []
  const tell: TellStep = (name, outcome, detail, tookMs) => {
    const step = {
      name,
      outcome,
      detail,
      ...(tookMs === undefined ? {} : { tookMs: Math.max(1, Math.round(tookMs)) }),
      ...(isTyped ? { url } : {})
    }
    steps.push(step)
    onStep?.(step)
  }
  const end = (remedy: Message | null): ConnectionTrial => {
    for (const name of order)
      if (!steps.some((step) => step.name === name)) tell(name, 'notReached', message('internet.notReached'))
    return { ok: remedy === null, steps, remedy }
  }
  const dialled = await dialOnce(internet, { url, signal })
  tellWay(dialled, url, tell)
  if (dialled.failure) {
    const why = dialled.failure instanceof DialFailure ? sayDialFailure(dialled.failure) : dialled.failure.sentence
    tell(dialled.failure instanceof DialFailure ? stepOfStage[dialled.failure.stage] : 'proxy', 'failed', why)
    return end(why)
  }
  const askedMs = performance.now()
  const isThere = await gateway.look(signal)
  const tookMs = performance.now() - askedMs
  const status = await gateway.status()
  if (!isThere) {
    tell('answer', 'failed', status.detail)
    return end(status.detail)
  }
  tell('answer', 'ok', message('internet.answered'), tookMs)
  if (!gateway.client || status.state === 'signedOut') {
    tell('signIn', 'notNeeded', message('internet.nobodySignedIn'))
    return end(null)
  }
  try {
    const { value } = await (await gateway.client()).user.own({}, { signal })
    tell('signIn', 'ok', message('internet.signedInAs', { user: value.username ?? status.user ?? '' }))
    return end(null)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    tell('signIn', 'failed', error.sentence)
    return end(error.sentence)
  }
}

type TellStep = (
  name: ConnectionStep['name'],
  outcome: ConnectionStep['outcome'],
  detail: Message,
  tookMs?: number
) => void

interface Dialled {
  steps: Map<DialStep['step'], DialStep>
  /** From the step before to this one. */
  tookMs: Map<DialStep['step'], number>
  failure: DialFailure | AppError | undefined
  card: string | null
}

/** A separate connection, which is closed again: nothing is sent over it. */
async function dialOnce(internet: Internet, { url, signal }: { url: string; signal: AbortSignal }): Promise<Dialled> {
  const steps: Dialled['steps'] = new Map()
  const tookMs: Dialled['tookMs'] = new Map()
  let beforeMs = performance.now()
  const onStep = (step: DialStep): void => {
    steps.set(step.step, step)
    tookMs.set(step.step, performance.now() - beforeMs)
    beforeMs = performance.now()
  }
  try {
    const socket = await internet.ways.connect(url, { signal, onStep })
    socket.destroy()
    return { steps, tookMs, failure: undefined, card: internet.ways.last()?.card ?? null }
  } catch (error) {
    if (error instanceof DialFailure || error instanceof AppError) return { steps, tookMs, failure: error, card: null }
    throw error
  }
}

function tellWay({ steps, tookMs, failure, card }: Dialled, url: string, tell: TellStep): void {
  const stage = failure instanceof DialFailure ? failure.stage : undefined
  const name = steps.get('name')
  const connected = steps.get('connected')
  const tunnel = steps.get('tunnel')
  const certificate = steps.get('certificate')
  if (name?.step === 'name')
    tell(
      'name',
      'ok',
      message('internet.nameFound', { host: name.host, addresses: name.addresses.slice(0, 4).join(', ') }),
      tookMs.get('name')
    )
  else if (connected) tell('name', 'notNeeded', message('internet.nameIsAddress'))
  if (connected?.step === 'connected' && stage !== 'connect' && stage !== 'name')
    tell(
      'connected',
      'ok',
      card === null
        ? message('internet.connectedFrom', { from: connected.localAddress, to: connected.remoteAddress })
        : message('internet.connectedOver', { card, from: connected.localAddress, to: connected.remoteAddress }),
      tookMs.get('connected')
    )
  if (tunnel?.step === 'tunnel')
    tell('proxy', 'ok', message('internet.throughProxy', { proxy: tunnel.proxy }), tookMs.get('tunnel'))
  else if (!failure) tell('proxy', 'notNeeded', message('internet.withoutProxy'))
  if (certificate?.step === 'certificate')
    tell(
      'certificate',
      'ok',
      message('internet.certificateOf', { issuer: certificate.issuer, validUntilAt: certificate.validUntil }),
      tookMs.get('certificate')
    )
  else if (!failure && !url.startsWith('https:'))
    tell('certificate', 'notNeeded', message('internet.withoutEncryption'))
}
