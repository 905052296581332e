import type { ModemInformation, Sparse } from '../../../../preload/contract/device/deviceAreas.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import {
  hasIp,
  isOnNetwork,
  isSignalNotKnown,
  readRegistration,
  readSignal,
  type Registration,
  type SignalReading
} from '../facts.ts'

export type SimWord = 'ready' | 'absent' | 'pin' | 'puk' | 'blocked' | 'notReady' | 'notInUse' | 'unknown'

/**
 * SIM_STATE by its meaning: only READY is documented. PIN2 and PUK2 do not stop a SIM, and "no error" is not an error.
 */
export function readSimState(text: string | undefined): SimWord {
  const words = ` ${(text ?? '').toLowerCase().replace(/[^a-z0-9]+/g, ' ')} `
    .replace(
      / (?:sim )?(?:pin|puk|chv) ?2(?: (?:is|not|permanently|blocked|locked|required|needed|failed|failure|error|invalid|disabled|enabled|verified|ok))*(?= )/g,
      ' '
    )
    .replace(
      / (?:no|without|0|not) (?:errors?|failures?|faults?|failed|faulty|blocked|locked|invalid|rejected|defective)(?= )/g,
      ' '
    )
  if (/ (not in use|not used|unused) /.test(words)) return 'notInUse'
  if (
    / (absent|removed|missing|no sim|no card|nosim|no sim card|not ?inserted|not ?present|not detected|card removed|empty slot) /.test(
      words
    )
  )
    return 'absent'
  if (/ (puk|puk1) /.test(words)) return 'puk'
  if (
    / (blocked|permanently|locked out|perm disabled|invalid|rejected|failure|failed|fail|error|faulty|defective|card io error) /.test(
      words
    )
  )
    return 'blocked'
  if (/ not ready | notready | not provisioned /.test(words)) return 'notReady'
  if (/ (ready|loaded) /.test(words)) return 'ready'
  if (
    / (pin required|enter pin|sim pin|pin needed|pin locked|need pin|pin1|ph sim pin|pin) /.test(words) &&
    !/ (disabled|verified|ok|pin2) /.test(words)
  )
    return 'pin'
  return 'unknown'
}

export interface SimCard {
  kind: 'external' | 'embedded'
  state: string | undefined
  id: string | undefined
}

/**
 * The card in use, named by SIM_TYPE. Otherwise the one that is ready, or else the built-in one where the slot is empty
 * or not in use. The state of the other card says nothing.
 */
export function cardOf(modem: Sparse<ModemInformation>): SimCard {
  const external: SimCard = { kind: 'external', state: modem.SIM_STATE, id: modem.SIM_ID?.trim() }
  const embedded: SimCard = { kind: 'embedded', state: modem.eSIM_STATE, id: modem.eSIM_ID?.trim() }
  const type = modem.SIM_TYPE?.trim() ?? ''
  if (/^(embedded|esim|e-sim|internal|built.?in)$/i.test(type)) return embedded
  if (/^external$/i.test(type)) return external
  const [inserted, builtIn] = [readSimState(external.state), readSimState(embedded.state)]
  if (inserted === 'ready') return external
  if (builtIn === 'ready') return embedded
  const isSlotUnused = inserted === 'absent' || inserted === 'notInUse'
  return isSlotUnused && (builtIn === 'pin' || builtIn === 'puk' || builtIn === 'blocked') ? embedded : external
}

/**
 * The field with the number of the card in use; some modems tell the number of a built-in card in the field of the
 * other one.
 */
export function simNumberField(modem: Sparse<ModemInformation>): 'SIM_ID' | 'eSIM_ID' {
  const { kind, id } = cardOf(modem)
  return kind === 'embedded' && id ? 'eSIM_ID' : 'SIM_ID'
}

/**
 * One part of the connection: a sentence and, where it is broken, what to do. `short` is null where its caller has
 * better words.
 */
export interface PartVerdict {
  state: 'ok' | 'broken' | 'unknown'
  sentence: Message
  short: Message | null
  detail: Message | null
  remedy: Message | null
}

export type SignalVerdict =
  { kind: 'read'; reading: SignalReading } | { kind: 'notKnown'; sentence: Message } | { kind: 'unreadable' }

export interface MobileNetwork {
  card: SimCard
  /** Null where the modem does not report the state of the card in use. */
  sim: PartVerdict | null
  registered: Registration
  /** Null where the modem reports no registration. */
  registration: PartVerdict | null
  hasAddress: boolean
  signal: SignalVerdict
}

/**
 * What the modem's readings say about SIM, registration and signal: the only judgement, for a step, the diagnosis and
 * the screens. `startedS`: the device started so few seconds ago that it may still be searching; null otherwise.
 */
export function judgeMobileNetwork(modem: Sparse<ModemInformation>, startedS: number | null = null): MobileNetwork {
  const { GSM_REG, GPRS_REG, RSSI, IP } = modem
  const card = cardOf(modem)
  const registered = readRegistration(GSM_REG, GPRS_REG)
  const hasAddress = hasIp(IP)
  return {
    card,
    sim:
      card.state === undefined
        ? null
        : judgeCard(card.kind, card.state.trim(), {
            isInNetwork: hasAddress && isOnNetwork(registered),
            isStarting: startedS !== null
          }),
    registered,
    registration: GSM_REG === undefined && GPRS_REG === undefined ? null : judgeRegistered(modem, registered, startedS),
    hasAddress,
    signal: judgeSignal(RSSI)
  }
}

function judgeCard(
  kind: SimCard['kind'],
  state: string,
  { isInNetwork, isStarting }: { isInNetwork: boolean; isStarting: boolean }
): PartVerdict {
  const word = readSimState(state)
  if (word === 'ready') return part('ok', message('chain.sim.ready', { kind }), { short: message('chain.short.ready') })
  // A card that is registered with an address works, whatever its state is called.
  if (word === 'unknown' || word === 'notInUse' || isInNetwork || (word === 'notReady' && isStarting)) {
    return part('unknown', message('chain.sim.wordUnknown', { state: state || '-' }))
  }
  return part('broken', sayOfCard[word](kind), {
    short: shortOfCard[word],
    remedy: remedyOfCard[kind][word],
    detail: message('chain.sim.reports', { state })
  })
}

type BrokenSim = 'absent' | 'pin' | 'puk' | 'blocked' | 'notReady'

const sayOfCard: Readonly<Record<BrokenSim, (kind: SimCard['kind']) => Message>> = {
  absent: (kind) => message('chain.sim.absent', { kind }),
  pin: (kind) => message('chain.sim.pin', { kind }),
  puk: (kind) => message('chain.sim.puk', { kind }),
  blocked: (kind) => message('chain.sim.blocked', { kind }),
  notReady: (kind) => message('chain.sim.notReady', { kind })
}

const shortOfCard: Readonly<Record<BrokenSim, Message>> = {
  absent: message('chain.short.none'),
  pin: message('chain.short.pin'),
  puk: message('chain.short.puk'),
  blocked: message('chain.short.blocked'),
  notReady: message('chain.short.notReady')
}

/** A built-in SIM cannot be inserted, cleaned or replaced. */
const remedyOfCard: Readonly<Record<SimCard['kind'], Readonly<Record<BrokenSim, Message>>>> = {
  external: {
    absent: message('chain.sim.insert'),
    pin: message('chain.sim.removePin'),
    puk: message('chain.sim.exchange'),
    blocked: message('chain.sim.exchange'),
    notReady: message('chain.sim.insert')
  },
  embedded: {
    absent: message('chain.sim.restart'),
    pin: message('chain.sim.enterPin'),
    puk: message('chain.sim.activateOrUnlock'),
    blocked: message('chain.sim.activateOrUnlock'),
    notReady: message('chain.sim.activateOrUnlock')
  }
}

const notFound: Readonly<
  Record<
    'searching' | 'denied' | 'notRegistered',
    { sentence: Message; remedy: Message; short: Message; withAddress: Message }
  >
> = {
  searching: {
    sentence: message('chain.registration.searching'),
    remedy: message('network.noneFound'),
    short: message('network.registrationSearching'),
    withAddress: message('chain.registration.hasAddress')
  },
  denied: {
    sentence: message('chain.registration.denied'),
    remedy: message('network.simRefused'),
    short: message('network.registrationDenied'),
    withAddress: message('chain.registration.deniedHasAddress')
  },
  notRegistered: {
    sentence: message('chain.registration.notRegistered'),
    remedy: message('chain.registration.antennaOrSim'),
    short: message('chain.short.none'),
    withAddress: message('chain.registration.hasAddress')
  }
}

function judgeRegistered(
  { GSM_REG, GPRS_REG, RAT, OPERATOR, IP }: Sparse<ModemInformation>,
  registered: Registration,
  startedS: number | null
): PartVerdict {
  if (registered === 'registered' || registered === 'roaming') {
    return part(
      'ok',
      message('chain.registration.in', {
        network: [OPERATOR?.trim(), RAT?.trim()].filter(Boolean).join(' ') || '-',
        isRoaming: registered === 'roaming' ? 'yes' : 'no'
      })
    )
  }
  if (registered === 'unknown')
    return part('unknown', message('chain.registration.wording', { gsm: GSM_REG ?? '', gprs: GPRS_REG ?? '' }))
  const { sentence, remedy, short, withAddress } = notFound[registered]
  // An address is the effect: it outweighs a registration that is missing (on LTE) or refused (voice of a SIM for
  // data).
  if (hasIp(IP)) return part('unknown', withAddress)
  if (registered !== 'denied' && startedS !== null)
    return part('unknown', message('chain.registration.starting', { upS: startedS }))
  return part('broken', sentence, { short, remedy })
}

function judgeSignal(rssi: string | undefined): SignalVerdict {
  const reading = readSignal(rssi)
  if (reading) return { kind: 'read', reading }
  return isSignalNotKnown(rssi)
    ? { kind: 'notKnown', sentence: message('network.signalNotKnown', { rssi: rssi?.trim() ?? '' }) }
    : { kind: 'unreadable' }
}

function part(state: PartVerdict['state'], sentence: Message, more: Partial<PartVerdict> = {}): PartVerdict {
  return { state, sentence, short: null, detail: null, remedy: null, ...more }
}
