/**
 * What is asked before a connection or a sign-in is given up: an output that may be on can only be switched off with
 * both.
 */
export interface OutputsPort {
  /**
   * Switches off whatever may be on there and waits for the proof. Throws CONFLICT while something may still be on:
   * then nothing may be given up.
   */
  leave(which: { imei?: string; path: 'local' | 'gateway' }): Promise<void>
  /** Throws CONFLICT while an output of this device (null: of any) may be on. */
  assertLinkMayEnd(imei: string | null): void
  /** Devices with outputs that may be on, switched on directly. */
  devices(): string[]
}
