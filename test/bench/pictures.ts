import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { preparePhoto } from '../../main/job/photos/preparePhoto.ts'

/**
 * npm run bench -- pictures: how long a phone's picture takes until it is ready, and the most memory that the process
 * ever had (on Linux): 12 million pixels in 300 ms on a quiet computer, 50 million within 300 MB.
 */
const rounds = 5

/**
 * A picture that compresses no better than a real one, made by another process, so that this one's memory is that of
 * reading.
 */
function makePicture(width: number, height: number): Uint8Array {
  const program = `
    const { default: sharp } = await import('sharp')
    const noise = { create: { width: ${width}, height: ${height}, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 12 }, background: '#888' } }
    process.stdout.write(await sharp(noise).jpeg({ quality: 85 }).toBuffer())`
  return execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: import.meta.dirname,
    maxBuffer: 100_000_000
  })
}

const peakMb = (): number =>
  Math.round(
    Number(
      /^VmHWM:\s+(\d+) kB$/m.exec(process.platform === 'linux' ? readFileSync('/proc/self/status', 'utf8') : '')?.[1] ??
        process.resourceUsage().maxRSS
    ) / 1024
  )

for (const [width, height] of [
  [4_000, 3_000],
  [8_160, 6_120]
] as const) {
  const bytes = makePicture(width, height)
  const times: number[] = []
  const cpus: number[] = []
  for (let round = 0; round < rounds; round++) {
    const [cpu, startedMs] = [process.cpuUsage(), performance.now()]
    const { outcome } = await preparePhoto({
      bytes,
      devicePlace: null,
      samePlaceM: 50,
      keptAt: '2026-11-20T09:00:05.000Z',
      takenAt: null,
      place: null
    })
    if (outcome !== 'prepared') throw new Error('The picture was refused')
    times.push(performance.now() - startedMs)
    const { user, system } = process.cpuUsage(cpu)
    cpus.push((user + system) / 1000)
  }
  const middle = (list: number[]): number =>
    Math.round(list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0)
  process.stdout.write(
    `${width} x ${height} px, ${(bytes.length / 1e6).toFixed(1)} MB: ready in ${middle(times)} ms, ${middle(cpus)} ms of the processor; most memory ${peakMb()} MB\n`
  )
  // The processor's time does not depend on what else the computer does.
  if (middle(cpus) > 300 * Math.max(1, (width * height) / 12e6) || peakMb() > 300) {
    process.stdout.write('12 million pixels are ready in 300 ms, and 50 million need less than 300 MB.\n')
    process.exitCode = 1
  }
}
