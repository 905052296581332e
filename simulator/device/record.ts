/** A device's record of the requests it received, without secrets. */
export interface RecordedRequest {
  at: string
  method: string
  path: string
  /** Operation id, or null when the path is not documented. */
  operation: string | null
  /** Null until it is answered. */
  status: number | null
  hadCredentials: boolean
}

/**
 * `undocumented`: not in the document. `refused`: a command that the device does not run. `doubled`: an effect happened
 * twice.
 */
export interface Violation {
  at: string
  kind: 'undocumented' | 'refused' | 'doubled'
  method: string
  path: string
  why: string
}

const keptRequests = 2000

export class DeviceRecord {
  readonly requests: RecordedRequest[] = []
  readonly violations: Violation[] = []

  addRequest(request: RecordedRequest): RecordedRequest {
    this.requests.push(request)
    if (this.requests.length > keptRequests) this.requests.splice(0, this.requests.length - keptRequests)
    return request
  }

  addViolation(violation: Violation): void {
    if (this.violations.length < keptRequests) this.violations.push(violation)
  }
}

/** The path without its query and without the passwords that the API puts into it. */
export function redactPath(url: string): string {
  const path = url.split('?')[0] ?? ''
  return path.replace(/^(\/+(?:wifi\/+add|hotspot\/+edit)\/+[^/]+\/+).+$/i, '$1***')
}
