import { findStory, type Story, type StoryAct, type StoryName } from './stories.ts'
import { Accessories } from './vehicle/accessories.ts'
import { EngineBus } from './vehicle/bus.ts'
import {
  inputLines,
  lineLabels,
  outputLines,
  type InputLine,
  type KeyPosition,
  type OutputLine
} from './vehicle/lines.ts'
import type { VehicleChange, VehicleLine, VehicleOptions } from './vehicle/state.ts'
import { analogTopMv, supplyMvOf } from './vehicle/supply.ts'
import { fixOf, loopKmh, moveTrack, placeTrack, type Track } from './vehicle/track.ts'
import {
  hasIgnition,
  hasRipple,
  isInputOn,
  isPowered,
  isShorted,
  isStarterBlocked,
  type WiredVehicle,
  type WiringFault
} from './vehicle/wiring.ts'

export type { InputLine, KeyPosition, OutputLine, VehicleChange, VehicleOptions, WiringFault }
export type VehicleState = ReturnType<Vehicle['state']>

const stepMs = 50
/** Cranking for this long starts the engine, unless the starter is interrupted. */
const crankToStartMs = 1200
/** A person releases the key after this long without a start. */
const crankGiveUpMs = 3000

/** A vehicle with a physical story in steps of 50 ms: the same seed, clock and actions give the same vehicle. */
export class Vehicle {
  readonly seed: number
  readonly labels = lineLabels
  readonly accessories = new Accessories()
  readonly bus = new EngineBus()
  readonly #now: () => number
  readonly #helperStory: StoryName
  readonly #listeners = new Set<(change: VehicleChange) => void>()
  readonly #wiring = new Set<WiringFault>()
  readonly #pressed = new Set<InputLine>()
  readonly #outputs = new Set<OutputLine>()
  readonly #track: Track
  readonly #startedMs: number
  readonly #seen = new Map<VehicleLine, boolean | KeyPosition>()
  #systemVolts: 12 | 24
  #isCharging = false
  #atMs: number
  #isAdvancing = false
  #story: Story
  #storyMs = 0
  #nextAct = 0
  #helper: boolean
  #key: KeyPosition = 'off'
  #crankedMs = 0
  #engineOn = false
  #engineMs = 0
  #engineHasRun = false
  #powerCut = false
  #wantsToDrive = false
  /** Null: the speed of the loop. */
  #chosenKmh: number | null = null
  #driveEndsMs: number | null = null
  #ignitionMs = 0
  #idleMs = 0
  #internalBatteryMv = 4100

  constructor(options: VehicleOptions = {}) {
    this.seed = options.seed ?? 1
    this.#now = options.now ?? Date.now
    this.#systemVolts = options.systemVolts ?? 12
    this.#helperStory = options.helperStory ?? 'installation'
    this.#story = findStory(options.story ?? 'parked')
    this.#helper = this.#story.waitsForOutputs
    this.#track = placeTrack(this.seed)
    this.#startedMs = this.#now()
    this.#atMs = this.#startedMs
    this.#publishChanges(true)
  }

  now(): number {
    return this.#now()
  }

  /**
   * Computes everything up to now. Every read and action calls it; a timer may call it so that changes are reported
   * early.
   */
  advance(): void {
    // A listener that reads the vehicle during a step sees that step, not a later one.
    if (this.#isAdvancing) return
    this.#isAdvancing = true
    try {
      const untilMs = this.#now()
      while (this.#atMs + stepMs <= untilMs) this.#step()
    } finally {
      this.#isAdvancing = false
    }
  }

  state() {
    this.advance()
    const keyOn = this.#key !== 'off'
    const supplyMv = supplyMvOf(
      {
        systemVolts: this.#systemVolts,
        isCranking: this.#isCranking(),
        engineOn: this.#engineOn || this.#isCharging,
        keyOn
      },
      this.seed,
      this.#atMs
    )
    const wired = this.#wired()
    const isConnected = !this.#powerCut && !this.#wiring.has('noPower')
    return {
      atMs: this.#atMs,
      key: this.#key,
      isCranking: this.#isCranking(),
      engineOn: this.#engineOn,
      rpm: this.#engineOn ? Math.round(780 + this.#track.speedKmh * 28) : this.#isCranking() ? 210 : 0,
      /** At the vehicle's battery, even if the device's wire is cut. */
      supplyMv,
      powerCut: this.#powerCut,
      starterBlocked: isStarterBlocked(wired),
      isMoving: this.#track.speedKmh > 0.5,
      story: this.#story.name,
      helper: this.#helper,
      // Lines as the device sees them.
      ignition: hasIgnition(wired),
      ignitionByRipple: hasRipple(wired),
      power: isPowered(wired),
      inputs: mapLines(inputLines, (line) => isInputOn(wired, line)),
      outputs: mapLines(outputLines, (line) => this.#outputs.has(line)),
      shorts: mapLines(outputLines, (line) => isShorted(wired, line)),
      an1Mv: Math.min(isConnected ? supplyMv : 0, analogTopMv),
      an2Mv: 0,
      danMv: 0,
      internalBatteryMv: Math.round(this.#internalBatteryMv),
      fix: fixOf(this.#track, this.seed, this.#atMs),
      distanceM: Math.round(this.#track.distanceM),
      odometerM: this.#odometerAtStartM() + Math.round(this.#track.distanceM),
      ignitionS: Math.floor(this.#ignitionMs / 1000),
      idleS: Math.floor(this.#idleMs / 1000),
      /** An engine bus has been alive since. */
      engineHasRun: this.#engineHasRun
    }
  }

  turnKey(to: KeyPosition): void {
    this.#act(() => this.#turnKey(to))
  }

  setInput(line: InputLine, on: boolean): void {
    this.#act(() => setMember(this.#pressed, line, on))
  }

  /** Switches an output of the device; OUT1 interrupts the starter while it is on. */
  setOutput(line: OutputLine, on: boolean): void {
    if (line === 'OUT1' && this.#wiring.has(on ? 'out1StuckOff' : 'out1StuckOn')) return
    this.#act(() => setMember(this.#outputs, line, on))
  }

  cutPower(cut: boolean): void {
    this.#act(() => {
      this.#powerCut = cut
    })
  }

  /** Drives off (starting the engine first if possible) or brakes to a stop with the engine on. */
  drive(on: boolean): void {
    this.#act(() => this.#drive(on))
  }

  /** Drives at this speed, or brakes to a stop at 0. */
  driveAt(speedKmh: number): void {
    this.#act(() => {
      this.#drive(speedKmh > 0)
      this.#chosenKmh = speedKmh > 0 ? speedKmh : null
    })
  }

  /** A test drive: starts the engine, drives, stops, and turns the key off after this time. */
  startDrive({ forS = 300, kmh }: { forS?: number; kmh?: number } = {}): void {
    this.#act(() => {
      this.#drive(true)
      this.#chosenKmh = kmh ?? null
      this.#driveEndsMs = this.#atMs + forS * 1000
    })
  }

  dashboard(): { odometerM: number; engineHoursS: number } {
    const { odometerM, ignitionS } = this.state()
    return { odometerM, engineHoursS: 8_400 * 3600 + ignitionS }
  }

  /** A charger is connected to the battery: the supply is as with a running engine, without its ripple. */
  setCharger(on: boolean): void {
    this.#act(() => {
      this.#isCharging = on
    })
  }

  setSystemVolts(volts: 12 | 24): void {
    this.#act(() => {
      this.#systemVolts = volts
    })
  }

  /** The chosen speed of the drive; 0 when it is not driven. */
  chosenKmh(): number {
    return this.#wantsToDrive ? (this.#chosenKmh ?? Math.round(loopKmh(this.#track))) : 0
  }

  /** The simulated helper plays the installation story, or does nothing. */
  setHelper(on: boolean): void {
    if (on) this.playStory(this.#helperStory)
    else this.playStory('parked')
  }

  playStory(name: StoryName): void {
    this.#act(() => {
      this.#story = findStory(name)
      this.#storyMs = 0
      this.#nextAct = 0
      this.#helper = this.#story.waitsForOutputs
    })
  }

  setWiringFault(fault: WiringFault, on: boolean): void {
    this.#act(() => setMember(this.#wiring, fault, on))
  }

  /** Reports each change of a line, the key, the engine or motion; returns the stop function. */
  onChange(listener: (change: VehicleChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #act(change: () => void): void {
    this.advance()
    change()
    this.#publishChanges()
  }

  #step(): void {
    this.#atMs += stepMs
    if (this.#engineOn) this.#engineMs += stepMs
    this.#playStep()
    if (this.#key === 'crank') this.#crankStep()
    if (this.#wantsToDrive && !this.#engineOn && this.#key === 'on' && this.#crankedMs === 0) this.#turnKey('crank')
    moveTrack(
      this.#track,
      this.#wantsToDrive && this.#engineOn ? (this.#chosenKmh ?? loopKmh(this.#track)) : 0,
      stepMs / 1000
    )
    if (this.#driveEndsMs !== null && this.#atMs >= this.#driveEndsMs) this.#endDrive()
    if (this.#key !== 'off') this.#ignitionMs += stepMs
    if (this.#engineOn && this.#track.speedKmh === 0) this.#idleMs += stepMs
    const towards = this.#powerCut || this.#wiring.has('noPower') ? 3300 : 4100
    this.#internalBatteryMv += Math.sign(towards - this.#internalBatteryMv) * 0.001 * (stepMs / 1000)
    this.#publishChanges()
  }

  #playStep(): void {
    if (this.#story.waitsForOutputs && this.#outputs.size > 0) return
    const { acts, cycleMs } = this.#story
    for (let next = acts[this.#nextAct]; next && next.atMs <= this.#storyMs; next = acts[this.#nextAct]) {
      this.#nextAct++
      this.#playAct(next.act)
    }
    this.#storyMs += stepMs
    if (this.#storyMs >= cycleMs) {
      this.#storyMs = 0
      this.#nextAct = 0
    }
  }

  #playAct(act: StoryAct): void {
    if (act.do === 'key') this.#turnKey(act.to)
    else if (act.do === 'input') setMember(this.#pressed, act.line, act.on)
    else this.#drive(act.on)
  }

  #turnKey(to: KeyPosition): void {
    // A running engine locks the starter: turning the key further does nothing.
    if (to === 'crank' && this.#engineOn) return
    this.#key = to
    this.#crankedMs = 0
    if (to !== 'off') return
    this.#engineOn = false
    this.#engineMs = 0
    this.#wantsToDrive = false
  }

  #crankStep(): void {
    this.#crankedMs += stepMs
    if (this.#crankedMs >= crankToStartMs && !isStarterBlocked(this.#wired())) {
      this.#engineOn = true
      this.#engineHasRun = true
      this.#key = 'on'
    } else if (this.#crankedMs >= crankGiveUpMs) {
      this.#key = 'on'
    }
  }

  #drive(on: boolean): void {
    this.#wantsToDrive = on
    this.#chosenKmh = null
    this.#crankedMs = 0
    if (on && this.#key === 'off') this.#turnKey('on')
  }

  #endDrive(): void {
    this.#wantsToDrive = false
    if (this.#track.speedKmh > 0) return
    this.#driveEndsMs = null
    this.#turnKey('off')
  }

  /** Some hundred thousand kilometres, depending on the seed. */
  #odometerAtStartM(): number {
    return 112_000_000 + (this.seed % 97) * 1_341_000
  }

  #wired(): WiredVehicle {
    return {
      seed: this.seed,
      atMs: this.#atMs,
      faults: this.#wiring,
      key: this.#key,
      isCranking: this.#isCranking(),
      engineOn: this.#engineOn,
      engineMs: this.#engineMs,
      powerCut: this.#powerCut,
      pressed: this.#pressed,
      outputs: this.#outputs
    }
  }

  /** The starter turns, and loads the supply, only when its circuit is closed. */
  #isCranking(): boolean {
    return this.#key === 'crank' && !isStarterBlocked({ faults: this.#wiring, outputs: this.#outputs })
  }

  #publishChanges(isFirst = false): void {
    const wired = this.#wired()
    const check = (line: VehicleLine, value: boolean | KeyPosition) => {
      if (this.#seen.get(line) === value) return
      this.#seen.set(line, value)
      if (isFirst) return
      for (const listener of this.#listeners) listener({ atMs: this.#atMs, line, value })
    }
    check('key', this.#key)
    check('engine', this.#engineOn)
    check('moving', this.#track.speedKmh > 0.5)
    check('IGN', hasIgnition(wired))
    check('TIG', hasRipple(wired))
    check('PWR', isPowered(wired))
    for (const line of inputLines) check(line, isInputOn(wired, line))
    for (const line of outputLines) {
      check(line, this.#outputs.has(line))
      check(line.replace('OUT', 'SO') as VehicleLine, isShorted(wired, line))
    }
  }
}

function setMember<T>(set: Set<T>, member: T, on: boolean): void {
  if (on) set.add(member)
  else set.delete(member)
}

function mapLines<L extends string>(lines: L[], read: (line: L) => boolean): Record<L, boolean> {
  return Object.fromEntries(lines.map((line) => [line, read(line)])) as Record<L, boolean>
}
