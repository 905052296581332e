/**
 * Tones in a row: pitch in Hz, begin and length in seconds. Passed rises, failed falls, and a knock asks for the
 * person.
 */
const tones = {
  pass: [
    [660, 0, 0.11],
    [990, 0.12, 0.18]
  ],
  fail: [
    [330, 0, 0.2],
    [220, 0.22, 0.34]
  ],
  turn: [
    [780, 0, 0.09],
    [780, 0.16, 0.09]
  ]
} as const

export type Sound = keyof typeof tones

const loudness = 0.12
const fadeS = 0.015
let audio: AudioContext | undefined

/** Plays a sound, now or some seconds from now. */
export function playSound(sound: Sound, afterS = 0): void {
  audio ??= new AudioContext()
  // A browser begins silent until the page was pressed.
  void audio.resume()
  for (const [pitchHz, fromS, forS] of tones[sound]) {
    const [beginS, stopS] = [audio.currentTime + afterS + fromS, audio.currentTime + afterS + fromS + forS]
    const tone = audio.createOscillator()
    const volume = audio.createGain()
    tone.frequency.value = pitchHz
    volume.gain.setValueAtTime(0, beginS)
    volume.gain.linearRampToValueAtTime(loudness, beginS + fadeS)
    volume.gain.setValueAtTime(loudness, stopS - fadeS)
    volume.gain.linearRampToValueAtTime(0, stopS)
    tone.connect(volume).connect(audio.destination)
    tone.start(beginS)
    tone.stop(stopS)
  }
}
