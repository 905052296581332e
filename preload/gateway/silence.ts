/** A parked vehicle still reports now and then; after a day without a report it is silent. */
export const silentAfterMs = 86_400_000

/**
 * Whether nothing was reported for a day. The gateway stamps a report, so its clock decides: that of a laptop may be a
 * day off, and then every vehicle would be silent, or none.
 */
export function isSilentAt(lastReportedAt: string, gatewayMs: number): boolean {
  return gatewayMs - Date.parse(lastReportedAt) >= silentAfterMs
}

/**
 * What the gateway's clock shows when this computer's shows `nowMs`. While the difference is unknown, both count as
 * equal.
 */
export function gatewayTimeMs(nowMs: number, clockDifferenceS: number | null | undefined): number {
  return nowMs + (clockDifferenceS ?? 0) * 1_000
}
