/** The device that a rawdata event names (`device_id`, its IMEI); null where it names none. */
export function deviceOfEvent(raw: unknown): string | null {
  const { device_id: named } = (raw ?? {}) as { device_id?: unknown }
  return typeof named === 'number' || (typeof named === 'string' && named !== '') ? String(named) : null
}

/** Only an event that names the device is its own: a vehicle also shows the events of its earlier device. */
export function isEventOfDevice(event: { imei: string | null } | { raw: unknown }, imei: string | null): boolean {
  const named = 'imei' in event ? event.imei : deviceOfEvent(event.raw)
  return imei !== null && named === imei
}
