import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStore } from '../../../main/data/store/index.ts'
import { hasStrace } from '../../proof/powercut.ts'
import { canRun } from '../../world/data/requirement.ts'
import { appendEntry, openTestStore } from '../../world/data/storedJobs.ts'
import { tempFolder } from '../../world/tempFolder.ts'

const writer = join(import.meta.dirname, '..', '..', 'world', 'data', 'keepTrying.ts')

interface Told {
  entry: string
  sentence: string
  standing: string
}

function readTold(output: string): { kept: Told[]; told: Told[] } {
  const read = (word: string): Told[] =>
    [...output.matchAll(new RegExp(`^${word} (\\d+) (?:(store\\.\\w+) )?(\\w+)$`, 'gm'))].map(
      ([, entry = '', sentence = '', standing = '']) => ({ entry, sentence, standing })
    )
  return { kept: read('KEPT'), told: read('TOLD') }
}

function textsOf(folder: string): string[] {
  const store = openTestStore(folder)
  return store.jobs.journal('one').flatMap(({ data }) => (data as { text: string }).text)
}

/** A folder that was used before, so that opening it syncs once (its lease), and each entry once more. */
function usedFolder(): string {
  const folder = tempFolder()
  const store = openStore(folder)
  appendEntry(store, 'one', '0')
  store.close()
  return folder
}

function writeWithErrors(folder: string, errors: string): string {
  const { stdout, stderr } = spawnSync(
    'strace',
    [
      '-f',
      '-qq',
      '-o',
      '/dev/null',
      '-e',
      'trace=fsync',
      '-e',
      `inject=${errors}`,
      process.execPath,
      writer,
      folder,
      '6'
    ],
    { encoding: 'utf8' }
  )
  expect(stdout, stderr).toContain('OPEN')
  return stdout
}

test.runIf(canRun(hasStrace(), 'failing disks need strace'))(
  'of a commit that failed nobody is told "not kept" before that is so',
  { timeout: 360_000 },
  () => {
    // From some sync on nothing is synced any more; every other sync fails; three in a row fail.
    for (const when of ['9+', '8+2', '9..11']) {
      const folder = usedFolder()
      const { kept, told } = readTold(writeWithErrors(folder, `fsync:error=EIO:when=${when}`))
      const present = textsOf(folder)
      expect(kept.length + told.length, when).toBe(6)
      expect(told.length, when).toBeGreaterThan(0)
      const times = (entry: string) => present.filter((text) => text === entry).length
      // What was told as kept is there, once.
      expect(
        kept.map(({ entry }) => times(entry)),
        when
      ).toEqual(kept.map(() => 1))
      for (const { entry, sentence } of told) {
        if (sentence === 'store.notKept') expect(times(entry), `${when}: ${entry}`).toBe(0)
        else expect(sentence, when).toBe('store.notKnownWhetherKept')
      }
    }
  }
)

test.runIf(canRun(hasStrace(), 'failing disks need strace'))(
  'a disk that fails once is written to once more, and it is remembered that it failed',
  { timeout: 180_000 },
  () => {
    const folder = usedFolder()
    const { kept, told } = readTold(writeWithErrors(folder, 'fsync:error=EIO:when=9'))
    expect(told).toEqual([])
    expect(kept).toHaveLength(6)
    expect(textsOf(folder)).toEqual(['0', '1', '2', '3', '4', '5', '6'])
  }
)

const canMount =
  process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0

test.runIf(canRun(canMount, 'a full disk needs root on Linux'))(
  'on a full disk the room that was kept for it is given up first, and it goes on by itself as soon as there is room again',
  { timeout: 180_000 },
  () => {
    const folder = join(tempFolder(), 'data')
    mkdirSync(join(folder, 'disk'), { recursive: true })
    // The disk is filled as soon as the room is taken, while the writer stands still: otherwise the filling would take
    // that room when the writer gives it up. There is room again when the writer was first told that there is none.
    const script = `mount -t tmpfs -o size=5m tmpfs "$1/disk"
    mkfifo "$1/out"
    "$2" "$3" "$1/disk" 2000 8 BALLAST > "$1/out" & writer=$!; exec 3< "$1/out"
    read -r line <&3; echo "$line"
    kill -STOP $writer
    (cat /dev/zero > "$1/disk/filling") 2> /dev/null || true
    kill -CONT $writer
    while read -r line <&3; do
      echo "$line"
      case "$line" in "TOLD"*) rm -f "$1/disk/filling"; esac
    done
    rm "$1/out"; cp "$1"/disk/fitter.* "$1"`
    const { stdout, stderr } = spawnSync(
      'unshare',
      ['-m', 'sh', '-c', script, 'sh', folder, process.execPath, writer],
      { encoding: 'utf8' }
    )
    const { kept, told } = readTold(stdout)
    expect(told.length, stdout + stderr).toBeGreaterThan(0)
    expect(new Set(told.map(({ sentence }) => sentence))).toEqual(new Set(['store.diskFull']))
    // On the room that was kept for it first; then nothing; then as before.
    const firstTold = Number(told[0]?.entry)
    expect(kept.find(({ entry }) => Number(entry) === firstTold - 1)?.standing).toBe('reserve')
    // The last of all entries.
    expect(kept.at(-1)).toMatchObject({ entry: String(kept.length + told.length), standing: 'usable' })
    expect(textsOf(folder)).toEqual(kept.map(({ entry }) => entry))
  }
)

test.runIf(canRun(canMount, 'a full disk needs root on Linux'))(
  'on a disk that is full at the start, the room that was kept is used; without it, everything can be looked at, with the reason',
  { timeout: 360_000 },
  () => {
    const folder = join(tempFolder(), 'data')
    mkdirSync(join(folder, 'disk'), { recursive: true })
    const script = `mount -t tmpfs -o size=4m tmpfs "$1/disk"
    list() { "$2" "$3" job list --data "$1/disk/data" 2>&1; echo "code $?"; }
    "$2" "$3" job list --data "$1/disk/data" > /dev/null 2>&1; "$2" "$3" job list --data "$1/disk/data" > /dev/null 2>&1
    test -s "$1/disk/data/fitter.ballast" && echo "the room is kept"
    (cat /dev/zero > "$1/disk/filling") 2> /dev/null || true
    list "$@"
    rm -f "$1/disk/data/fitter.ballast"; (cat /dev/zero > "$1/disk/more") 2> /dev/null || true
    list "$@"`
    const program = join(import.meta.dirname, '..', '..', '..', 'bin', 'fitter')
    const { stdout, stderr } = spawnSync(
      'unshare',
      ['-m', 'sh', '-c', script, 'sh', folder, process.execPath, program],
      { encoding: 'utf8' }
    )
    expect(stdout.trim().split('\n'), stderr).toEqual([
      'the room is kept',
      'No jobs.',
      'code 0',
      'The disk with the data folder is full, so the data is read-only. Free up space and start Fitter again; nothing that was confirmed is lost.',
      'No jobs.',
      'code 0'
    ])
  }
)
