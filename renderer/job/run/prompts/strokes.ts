import type { Job, Signature } from '../../../../preload/contract/job/jobs.ts'

/** A point of a drawn signature, in a field of 1000 by 1000. */
export function pointIn(
  { clientX, clientY }: { clientX: number; clientY: number },
  field: { left: number; top: number; width: number; height: number }
): [number, number] {
  const part = (at: number, from: number, size: number) =>
    Math.round(1000 * Math.min(1, Math.max(0, size === 0 ? 0 : (at - from) / size)))
  return [part(clientX, field.left, field.width), part(clientY, field.top, field.height)]
}

/** The strokes as an SVG path in a field of 1000 by 1000. */
export function pathOf(strokes: readonly (readonly number[])[]): string {
  return strokes
    .map((stroke) => {
      const points = []
      for (let at = 0; at + 1 < stroke.length; at += 2) points.push(`${stroke[at]} ${stroke[at + 1]}`)
      // A single touch is a dot.
      return points.length === 1 ? `M${points[0]}l0 1` : `M${points.join('L')}`
    })
    .join('')
}

/**
 * The signer and the kind of signature from a job's sign-off; the log may contain anything, so each value is checked.
 */
export function signaturesOf(
  job: Pick<Job, 'steps'>
): { who: 'technician' | 'customer'; name: string; signature: Signature }[] {
  const step = job.steps.find(({ kind, state }) => kind === 'signOff' && state === 'pass')
  const raw = step?.evidence.at(-1)?.raw
  if (!isRecord(raw) || !isRecord(raw['signatures'])) return []
  const { signatures } = raw
  return (['technician', 'customer'] as const).flatMap((who) => {
    const signature = signatures[who]
    return isSignature(signature) ? [{ who, name: String(raw[who] ?? ''), signature }] : []
  })
}

function isSignature(value: unknown): value is Signature {
  if (Array.isArray(value))
    return value.every((stroke) => Array.isArray(stroke) && stroke.every((at) => typeof at === 'number'))
  return isRecord(value) && typeof value['typed'] === 'string'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
