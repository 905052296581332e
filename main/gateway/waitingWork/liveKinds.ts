import { z } from 'zod'
import { message, type Message } from '../../../preload/contract/messages.ts'

interface KindOfLive<Payload> {
  payload: z.ZodType<Payload>
  /** Its title for a person; made only from the payload. */
  title(payload: Payload): Message
}

const text = z.string().max(10_000)

function kind<Payload>(
  payload: z.ZodType<Payload>,
  title: KindOfLive<Payload>['title']
): (payload: unknown) => Message | undefined {
  return (given) => {
    const read = payload.safeParse(given)
    return read.success ? title(read.data) : undefined
  }
}

/** The kinds of live work; a file with another kind was not written by Fitter. */
const titles = {
  'photocam.capture': kind(z.object({}), () => message('photos.photo')),
  'navUnit.mode': kind(z.object({ on: z.boolean() }), ({ on }) =>
    message('navUnit.mode', { state: on ? 'on' : 'off' })
  ),
  'navUnit.message': kind(z.object({ text }), (sent) => message('navUnit.message', sent)),
  'navUnit.job': kind(z.object({ text }), (sent) => message('navUnit.job', sent)),
  'vehicles.assignDevice': kind(z.object({ device: text, vehicle: text }), ({ device, vehicle }) =>
    message('vehicles.assignDevice', { imei: device, vehicle })
  )
}
export type LiveKind = keyof typeof titles

export function titleOfLive(name: string, payload: unknown): Message | undefined {
  return Object.hasOwn(titles, name) ? titles[name as LiveKind](payload) : undefined
}
