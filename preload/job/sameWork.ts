import type { Order } from '../contract/job/orders.ts'

/**
 * Whether a job already does what a row of a table orders: the same checklist and the same order. Such a job continues;
 * any other job of the device is never taken over without a person's answer.
 */
export function isSameWork(
  row: { template: string; order: Order },
  job: { template: { id: string }; order?: Order | null | undefined }
): boolean {
  return job.template.id === row.template && toText(job.order ?? null) === toText(row.order)
}

/** As stored: without fields that are not set, whatever order the fields came in. */
function toText(order: Order | null): string {
  return JSON.stringify(order, (_, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value
  )
}
