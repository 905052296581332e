import { wordsOfServer } from './serverWords.ts'
import { withoutMark } from '../../../preload/base/messages/utf8.ts'
import { markupIn } from '../reading/markup.ts'

interface Answer {
  status: number
  /** Names in lower case. */
  headers: ReadonlyMap<string, string>
  body: Buffer
}

/**
 * Who answered, and what that means. `network`: a redirect, a sign-in page of the network, a page instead of data.
 * `challenge`, `between`: a firewall, a proxy or another server before the gateway. `proxy`: a proxy that wants a
 * password. `failedBefore`: a server before the gateway has no gateway to ask. `refusedInBody`: the status is good, but
 * the answer says that it is no success. `status`: the gateway, and its status means what the document says;
 * `isDoubtful`: something else may have said it, so nothing secret is sent before the gateway answered a look.
 */
export type Judgement =
  | {
      kind:
        | 'network'
        | 'challenge'
        | 'between'
        | 'proxy'
        | 'failedBefore'
        | 'maintenance'
        | 'legalBlock'
        | 'accountLocked'
        | 'sessionOver'
        | 'refusedInBody'
    }
  | { kind: 'status'; isDoubtful: boolean }

export interface JudgedRequest {
  isSignIn?: boolean
  isPageExpected?: boolean
  /** It changes something: then its answer is no record with a field of that name. */
  isChange?: boolean
  /** What was sent: an answer that repeats it does not speak of the gateway. */
  sent?: string | undefined
}

/**
 * The only judge of what the address of a gateway, or of another server on the internet, answers. Who answers comes
 * before what the status says.
 */
export function judge(
  answer: Answer,
  { isSignIn = false, isPageExpected = false, isChange = false, sent = '' }: JudgedRequest = {}
): Judgement {
  const { status, headers } = answer
  if (challengeHeaders.some((name) => headers.has(name))) return { kind: 'challenge' }
  if (status === 407) return { kind: 'proxy' }
  if ((status >= 300 && status < 400) || status === 511) return { kind: 'network' }
  if (status >= 400 && headers.has('x-maintenance-mode')) return { kind: 'maintenance' }
  const isPage = isMarkup(answer)
  if (status >= 200 && status < 300) {
    if (isPage && !isPageExpected) return { kind: 'network' }
    if (!isPage && isMaintenance(answer, sent)) return { kind: 'maintenance' }
    if (!isPage && isRefusal(answer, isChange || isSignIn))
      return { kind: isSignIn && isLocked(wordsOfServer(answer.body)) ? 'accountLocked' : 'refusedInBody' }
    return { kind: 'status', isDoubtful: false }
  }
  // Whoever is asked for pages may refuse with one.
  if (isPage && isPageExpected && status === 404) return { kind: 'status', isDoubtful: false }
  if (isPage) return judgePage(answer, isSignIn)
  return judgeWords(answer, isSignIn, sent)
}

/** Whether the body is a web page, whatever its content type. */
export function isMarkup({ headers, body }: Pick<Answer, 'headers' | 'body'>): boolean {
  return (
    /\bhtml\b/i.test(headers.get('content-type') ?? '') || markupIn(body.subarray(0, 4000).toString('utf8')) !== null
  )
}

/** Nobody but the gateway may learn a secret: after one of these, Fitter looks for the gateway first. */
export function isOfAnother({ kind }: Judgement): boolean {
  return kind === 'network' || kind === 'challenge' || kind === 'between' || kind === 'proxy'
}

/** Only what blocks a request writes these headers. */
const challengeHeaders = ['cf-mitigated', 'x-amzn-waf-action', 'x-sucuri-block']

function judgePage(answer: Answer, isSignIn: boolean): Judgement {
  const { status, headers } = answer
  const isGateway = [...headers.keys()].some((name) => /^x-(gw|ratelimit)-/.test(name))
  // Whoever counts the requests, they are too many; a request that was given up on is repeated.
  if (isGateway || status === 429 || status === 408) return { kind: 'status', isDoubtful: isGateway ? false : isSignIn }
  if (status >= 500) return { kind: 'failedBefore' }
  // The page may be the gateway’s own: without a new sign-in an ended session would never end.
  if (status === 401 && !isSignIn) return { kind: 'status', isDoubtful: true }
  return { kind: 'between' }
}

function judgeWords(answer: Answer, isSignIn: boolean, sent: string): Judgement {
  const { status } = answer
  if (isMaintenance(answer, sent)) return { kind: 'maintenance' }
  if (status === 451) return { kind: 'legalBlock' }
  const words = wordsOfServer(answer.body)
  if (isSignIn && (status === 423 || ([400, 401, 403].includes(status) && isLocked(words))))
    return { kind: 'accountLocked' }
  // 419, 440 and 498 are used by some servers for this alone.
  if (
    !isSignIn &&
    [403, 419, 440, 498].includes(status) &&
    overWords.test(answer.body.subarray(0, longestNote).toString('utf8'))
  )
    return { kind: 'sessionOver' }
  return { kind: 'status', isDoubtful: isSignIn && [400, 401, 403].includes(status) && !isJson(answer) }
}

const maintenanceWords = /(?<![a-z])(maintenance|mantenimiento|(system|service)[ _-]?disabled)(?![a-z])/i
/** Other statuses may refuse a record that is about maintenance: then only what speaks of the service counts. */
const serviceWords =
  /(under|in|for|scheduled|planned|ongoing|undergoing)\s+(\w+\s+)?maintenance|(?<![a-z])maintenance[ _-]*(mode|window|works?|in progress|ongoing|break|until|till|[.…,;:!]|$)|(en|por)\s+mantenimiento|mantenimiento\s+(programado|hasta|en curso)|(system|service)[ _-]?disabled/i
const noteKeys =
  /^(message|error_?(status|code)|msg|error|errors|reason|detail|details|description|status|code|title|maintenance|success|ok|retry_?after|timestamp|path)$/i
const longestNote = 4_000

/** A short note that is about maintenance and contains nothing else: a record may mention it too. */
function isMaintenance({ status, body }: Answer, sent: string): boolean {
  if (body.length > longestNote) return false
  const note = readJson(body)
  if (status < 300 && (note === null || typeof note !== 'object' || Array.isArray(note))) return false
  if (note !== null && typeof note === 'object' && !Array.isArray(note)) {
    if (!Object.keys(note).every((key) => noteKeys.test(key))) return false
    if ((note as { maintenance?: unknown }).maintenance === true) return true
  }
  const words = wordsOfServer(body)
  const pattern = status >= 500 || status === 451 ? maintenanceWords : serviceWords
  return pattern.test(words) && !sent.includes(words)
}

/** `{"success": false}` and its like. A record that is read may have such a field, and has an id. */
function isRefusal({ body }: Answer, isChange: boolean): boolean {
  if (body.length > longestNote) return false
  const note = readJson(body)
  if (note === null || typeof note !== 'object' || Array.isArray(note)) return false
  const byKey = new Map(Object.entries(note).map(([key, value]) => [key.toLowerCase(), String(value).toLowerCase()]))
  return (byKey.get('success') ?? byKey.get('ok')) === 'false' && (isChange || !byKey.has('id'))
}

const lockedWords =
  /(?<![a-z])(locked|blocked|disabled|suspended|deactivated|bloquead[ao]|suspendid[ao]|desactivad[ao]|deshabilitad[ao])(?![a-z])|too[ _-]many[ _-](failed |invalid |incorrect )?(login |sign-?in )?attempts/i
/**
 * A warning of what comes after more attempts, or a refusal that names the password too, does not say that the account
 * is locked.
 */
const unsureWords =
  /(?<![a-z])(will|would|may|might|can|could|before|until|se bloquear[áa]|ser[áa])(?![a-z])|password|credential|contraseña|clave/i

function isLocked(words: string): boolean {
  return lockedWords.test(words) && !unsureWords.test(words)
}

const overWords =
  /(session|sesi[oó]n|token)[\s_-]*((has|is|was|have|ha|está|es|been)[\s_-]*)*(expired|ended|closed|timed[\s_-]*out|terminated|invalid|no longer valid|not valid|caducad[ao]|expirad[ao]|vencid[ao]|terminad[ao]|caducó|expiró)|(expired|invalid|ended)[\s_-]*(session|token)/i

function isJson({ body }: Answer): boolean {
  return readJson(body.subarray(0, 100_000)) !== undefined
}

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(withoutMark(body.toString('utf8'))) as unknown
  } catch {
    return undefined
  }
}
