/**
 * How a parameter of the engine bus behaves: it moves, it stays the same, nothing new of it came for two minutes (flag O),
 * or the engine does not have it (flag U).
 */
export type BusParameterState = 'alive' | 'frozen' | 'quiet' | 'unavailable'

/** The engine bus of a vehicle: it answers once it is configured and the engine has run. */
export class EngineBus {
  readonly #connected: string[] = []
  readonly #states: Record<string, BusParameterState> = {}
  #isSilent = false

  /** The device was configured for the bus before, with these parameters. */
  connect(parameters: string[]): void {
    this.#connected.splice(0, this.#connected.length, ...parameters)
  }

  /** Parameters of an earlier configuration; none when there was none. */
  connected(): readonly string[] {
    return this.#connected
  }

  /** Wires broken, or swapped: nothing is detected. */
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
