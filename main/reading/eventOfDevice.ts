/** The device that a rawdata event names (`device_id`, its IMEI); null where it names none. */
export function deviceOfEvent(raw: unknown): string | null {
  const { device_id: named } = (raw ?? {}) as { device_id?: unknown }
  return typeof named === 'number' || (typeof named === 'string' && named !== '') ? String(named) : null
}

/**
 * Whether an event is of this device: only an event that names the device. A vehicle also shows the events of the device
 * that it had before, so an event without a name says nothing about any device.
 */
export function isEventOfDevice(event: { imei: string | null } | { raw: unknown }, imei: string | null): boolean {
  const named = 'imei' in event ? event.imei : deviceOfEvent(event.raw)
  return imei !== null && named === imei
}
