/** It changes, stays the same, is older than two minutes (flag O), or the engine does not have it (flag U). */
export type BusParameterState = 'alive' | 'frozen' | 'quiet' | 'unavailable'

/** The engine bus of a vehicle: it answers when it is configured and the engine has run. */
export class EngineBus {
  readonly #connected: string[] = []
  readonly #states: Record<string, BusParameterState> = {}
  #isSilent = false

  /** The bus was configured before, with these parameters. */
  connect(parameters: string[]): void {
    this.#connected.splice(0, this.#connected.length, ...parameters)
  }

  /** Parameters of an earlier configuration; none without one. */
  connected(): readonly string[] {
    return this.#connected
  }

  /** Broken or swapped wires: nothing is detected. */
  silence(isSilent: boolean): void {
    this.#isSilent = isSilent
  }

  isSilent(): boolean {
    return this.#isSilent
  }

  setParameter(name: string, state: BusParameterState): void {
    this.#states[name] = state
  }

  states(): Readonly<Record<string, BusParameterState>> {
    return this.#states
  }
}
