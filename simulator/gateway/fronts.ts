const page = (title: string, text: string): string =>
  `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>`

/** What may answer instead of the gateway, or the gateway in a state in which it does no work. */
const answers = {
  challenge: {
    status: 403,
    headers: { 'cf-mitigated': 'challenge', Server: 'cloudflare', 'CF-RAY': '8c0ffee0-BOG' },
    html: page('Just a moment...', 'Enable JavaScript and cookies to continue')
  },
  busyChallenge: {
    status: 503,
    headers: { 'cf-mitigated': 'challenge', Server: 'cloudflare' },
    html: page('Just a moment...', 'Checking your browser')
  },
  firewall: { status: 403, headers: { Server: 'awselb/2.0' }, html: page('403 Forbidden', 'Request blocked.') },
  hotelPage: { status: 403, headers: {}, html: page('Welcome', 'Sign in to this network') },
  wrongBackend: { status: 404, headers: { Server: 'nginx' }, html: page('404 Not Found', 'nginx') },
  noBackend: { status: 503, headers: { Server: 'nginx' }, html: page('503 Service Temporarily Unavailable', 'nginx') },
  lawPage: { status: 451, headers: {}, html: page('Unavailable for legal reasons', 'This page is blocked.') },
  law: { status: 451, headers: {}, json: { message: 'Not available in this country' } },
  proxyPassword: {
    status: 407,
    headers: { 'Proxy-Authenticate': 'Basic realm="squid.company.example"' },
    html: page('Proxy authentication required', 'squid')
  },
  maintenance: { status: 503, headers: {}, json: { message: 'Scheduled maintenance until 14:00 UTC' } },
  maintenanceAnswered: { status: 200, headers: {}, json: { message: 'Under maintenance, back at 14:00 UTC' } },
  maintenanceLaw: { status: 451, headers: {}, json: { message: 'Maintenance in progress' } },
  accountLocked: { status: 403, headers: {}, json: { message: 'Account locked after too many failed attempts' } },
  accountLocked401: { status: 401, headers: {}, json: { error: 'account_locked' } },
  accountLocked423: { status: 423, headers: {}, json: {} },
  sessionExpired: { status: 403, headers: {}, json: { message: 'Session expired' } },
  tooMany: { status: 429, headers: {}, json: { message: 'Rate exceeded' } },
  refusedInBody: { status: 200, headers: {}, json: { success: false, message: 'The unit does not exist' } },
  busy: { status: 503, headers: {}, json: { message: 'busy' } }
} as const satisfies Record<string, { status: number; headers: Record<string, string>; html?: string; json?: object }>

export type FrontName = keyof typeof answers

interface FrontAnswer {
  status: number
  body?: unknown
  text?: string
  contentType?: string
}

export function answerOfFront(
  name: FrontName,
  retryAfter: string | undefined
): { answer: FrontAnswer; headers: Record<string, string> } {
  const front: { status: number; headers: Record<string, string>; html?: string; json?: object } = answers[name]
  return {
    answer: {
      status: front.status,
      ...(front.html === undefined
        ? { body: front.json }
        : { text: front.html, contentType: 'text/html; charset=utf-8' })
    },
    headers: { ...front.headers, ...(retryAfter === undefined ? {} : { 'Retry-After': retryAfter }) }
  }
}
