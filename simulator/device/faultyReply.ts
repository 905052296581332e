import type { ServerResponse } from 'node:http'
import { addFields, spoilTypes, textBooleans, type Faults } from '../faults.ts'
import { unauthorizedAnswer, type Answer } from './handlers.ts'

const hugeBytes = 30 * 1024 * 1024

export function sendAnswer(response: ServerResponse, answer: Answer): void {
  const isText = answer.text !== undefined
  const payload = Buffer.from(isText ? (answer.text ?? '') : JSON.stringify(answer.body ?? null))
  const headers: Record<string, string | number> = {
    'Content-Type': isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8',
    'Content-Length': payload.length
  }
  if (answer.status === 401) headers['WWW-Authenticate'] = 'Basic realm="device"'
  response.writeHead(answer.status, headers).end(payload)
}

/** Answers that replace the device's own, without effect: `sent`, or `silent` for none. */
export function answerInstead(
  response: ServerResponse,
  faults: Faults,
  operation: string
): 'sent' | 'silent' | undefined {
  if (faults.has('reset', operation)) {
    response.socket?.resetAndDestroy()
    return 'sent'
  }
  if (faults.has('hang', operation)) return 'silent'
  if (faults.has('html', operation)) {
    const page =
      '<!doctype html><html><head><title>Sign in</title></head><body>Welcome to the guest network</body></html>'
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(page)
    return 'sent'
  }
  if (faults.has('unauthorized', operation)) return send(response, unauthorizedAnswer())
  if (faults.has('notFound', operation)) return send(response, { status: 404, body: { error: 'Not found' } })
  if (faults.has('serverError', operation)) return send(response, { status: 500, body: { error: 'Internal error' } })
  if (faults.has('huge', operation)) {
    sendHuge(response)
    return 'sent'
  }
  return undefined
}

/** Sends the device's answer as changed by a fault; the effect on the device has happened. */
export function sendSpoiled(response: ServerResponse, faults: Faults, operation: string, answer: Answer): void {
  if (faults.has('dropsReply', operation)) {
    response.socket?.resetAndDestroy()
    return
  }
  if (answer.text !== undefined) {
    sendAnswer(response, answer)
    return
  }
  let body = answer.body
  if (faults.has('wrongTypes', operation)) body = spoilTypes(body)
  if (faults.has('booleansAsText', operation)) body = textBooleans(body)
  if (faults.has('extraFields', operation)) body = addFields(body)
  if (faults.has('truncated', operation)) {
    const text = JSON.stringify(body)
    response.writeHead(answer.status, { 'Content-Type': 'application/json; charset=utf-8' })
    response.end(text.slice(0, Math.floor(text.length / 2)))
    return
  }
  sendAnswer(response, { ...answer, body })
}

function send(response: ServerResponse, answer: Answer): 'sent' {
  sendAnswer(response, answer)
  return 'sent'
}

/** 30 MB of valid JSON, sent as fast as the other side accepts it. */
function sendHuge(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' })
  const chunk = Buffer.alloc(256 * 1024, 'a')
  let left = hugeBytes
  const more = () => {
    while (left > 0) {
      left -= chunk.length
      if (!response.write(chunk)) {
        response.once('drain', more)
        return
      }
    }
    response.end('"}')
  }
  response.write('{"filler":"')
  more()
}
