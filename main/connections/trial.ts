import { AppError } from '../../preload/contract/errors.ts'
import type { ConnectionStep, ConnectionTrial } from '../../preload/contract/app/internet.ts'
import { message, type Message } from '../../preload/contract/messages.ts'
import { sayDialFailure } from '../gateway/transport/unreachable.ts'
import type { DialStep } from '../internet/dial.ts'
import { DialFailure, type DialStage } from '../internet/route.ts'
import type { Internet } from './internet.ts'
import type { GatewayAccess } from './sites.ts'

export interface TrialParts {
  gateway: GatewayAccess
  internet: Internet
  onStep?: ((step: ConnectionStep) => void) | undefined
}

const order: readonly ConnectionStep['name'][] = ['name', 'connected', 'proxy', 'certificate', 'answer', 'signIn']
const stepOfStage: Record<DialStage, ConnectionStep['name']> = { name: 'name', connect: 'connected', proxy: 'proxy', certificate: 'certificate' }

/** Tests the whole connection to the gateway once, for a person who watches: name, card, proxy, certificate, answer, sign-in. */
export async function tryConnection({ gateway, internet, onStep }: TrialParts, signal: AbortSignal): Promise<ConnectionTrial> {
  const { url } = await gateway.status()
  if (url === '') throw new AppError('INVALID_REQUEST', message('connections.gatewayNotSet'))
  const steps: ConnectionStep[] = []
  const tell = (name: ConnectionStep['name'], outcome: ConnectionStep['outcome'], detail: Message): void => {
    const step = { name, outcome, detail }
    steps.push(step)
    onStep?.(step)
  }
  const end = (remedy: Message | null): ConnectionTrial => {
    for (const name of order) if (!steps.some((step) => step.name === name)) tell(name, 'notReached', message('internet.notReached'))
    return { ok: remedy === null, steps, remedy }
  }
  const dialled = await dialOnce(internet, { url, signal })
  tellWay(dialled, url, tell)
  if (dialled.failure) {
    const why = dialled.failure instanceof DialFailure ? sayDialFailure(dialled.failure) : dialled.failure.sentence
    tell(dialled.failure instanceof DialFailure ? stepOfStage[dialled.failure.stage] : 'proxy', 'failed', why)
    return end(why)
  }
  const isThere = await gateway.look(signal)
  const status = await gateway.status()
  if (!isThere) {
    tell('answer', 'failed', status.detail)
    return end(status.detail)
  }
  tell('answer', 'ok', message('internet.answered'))
  if (status.state === 'signedOut') {
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

interface Dialled {
  steps: Map<DialStep['step'], DialStep>
  failure: DialFailure | AppError | undefined
  card: string | null
}

/** A separate connection, which is closed again: nothing is sent over it. */
async function dialOnce(internet: Internet, { url, signal }: { url: string; signal: AbortSignal }): Promise<Dialled> {
  const steps: Dialled['steps'] = new Map()
  try {
    const socket = await internet.ways.connect(url, { signal, onStep: (step) => steps.set(step.step, step) })
    socket.destroy()
    return { steps, failure: undefined, card: internet.ways.last()?.card ?? null }
  } catch (error) {
    if (error instanceof DialFailure || error instanceof AppError) return { steps, failure: error, card: null }
    throw error
  }
}

function tellWay({ steps, failure, card }: Dialled, url: string, tell: (name: ConnectionStep['name'], outcome: ConnectionStep['outcome'], detail: Message) => void): void {
  const stage = failure instanceof DialFailure ? failure.stage : undefined
  const name = steps.get('name')
  const connected = steps.get('connected')
  const tunnel = steps.get('tunnel')
  const certificate = steps.get('certificate')
  if (name?.step === 'name') tell('name', 'ok', message('internet.nameFound', { host: name.host, addresses: name.addresses.slice(0, 4).join(', ') }))
  else if (connected) tell('name', 'notNeeded', message('internet.nameIsAddress'))
  if (connected?.step === 'connected' && stage !== 'connect' && stage !== 'name') tell('connected', 'ok', card === null ? message('internet.connectedFrom', { from: connected.localAddress, to: connected.remoteAddress }) : message('internet.connectedOver', { card, from: connected.localAddress, to: connected.remoteAddress }))
  if (tunnel?.step === 'tunnel') tell('proxy', 'ok', message('internet.throughProxy', { proxy: tunnel.proxy }))
  else if (!failure) tell('proxy', 'notNeeded', message('internet.withoutProxy'))
  if (certificate?.step === 'certificate') tell('certificate', 'ok', message('internet.certificateOf', { issuer: certificate.issuer, validUntilAt: certificate.validUntil }))
  else if (!failure && !url.startsWith('https:')) tell('certificate', 'notNeeded', message('internet.withoutEncryption'))
}
