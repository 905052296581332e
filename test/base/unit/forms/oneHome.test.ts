import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const projectFolder = join(import.meta.dirname, '..', '..', '..', '..')
const files = ['main', 'preload', 'renderer'].flatMap((folder) =>
  readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|vue)$/.test(file))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
)

/** A rule, the files where it stands, and how a second one would look. */
const rules: [string, readonly string[], RegExp][] = [
  ['whether a receiver has a fix', ['preload/base/maps/position.ts'], /\bfix\b[^\n]{0,12}(> 0|<= 0|=== 0|>= 1)/],
  // A picture and a person name a place without a receiver.
  [
    'whether numbers are a place on earth',
    ['preload/base/maps/position.ts', 'main/job/photos/exif.ts', 'renderer/job/accessories/NavUnitPart.vue'],
    /Math\.abs\([^)]*lat[^)]*\) *(>|<=) *90/i
  ],
  // A person types a time of a chosen zone, and a chart begins its day there.
  [
    'a time from outside without a zone',
    [
      'preload/gateway/events/timeFromOutside.ts',
      'preload/base/messages/zone.ts',
      'renderer/gateway/events/chartTexts.ts'
    ],
    /Date\.parse\([^\n]*\}Z`/
  ],
  [
    'when a day begins: in the zone that the person reads in, which may not be that of this computer',
    ['preload/base/messages/zone.ts'],
    /\.set(UTC)?(Date|Hours|Month|FullYear)\(|\.get(Date|Hours|Month|FullYear|Day)\(\)|function startOfDa/
  ],
  // A tag has no rhythm, and the core of this window answers or does not. A fresh event proves a link, at least for minutes.
  [
    'when a vehicle is silent, and by which clock',
    ['preload/gateway/reporting.ts', 'renderer/base/shell/core/coreLost.ts', 'main/support/diagnosis/evidenceView.ts'],
    /silentAfterMs|isSilentAt|(heard|lastReport)\??\.ageS *[<>]=? *limits|lastReportedAt[^\n]{0,40}[<>]=? *[a-z0-9_.]*(ms|hours|minutes|86_400)/i
  ],
  // A class is the look of a button: another button may look the same tomorrow.
  ['what a shortcut performs', [], /querySelector[^\n]*\.(quiet|primary|danger|foot)\b[^\n]*click\(\)/],
  [
    'what the code of a failed TLS connection means',
    ['main/base/internet/tlsFault.ts'],
    /ERR_SSL|ERR_TLS|UNABLE_TO_GET_ISSUER/
  ],
  ['a number as a person reads it', ['preload/base/messages/quantities.ts'], /new Intl\.NumberFormat/],
  ['degrees of a place as a person reads them', ['preload/base/maps/position.ts'], /toFixed\(5\)/],
  ['a number that a person typed', ['preload/base/messages/typedNumber.ts'], /replace(All)?\((',+'|\/,\/g?), '\.'\)/],
  ['the state of the SIM in use', ['main/device/client/radio/mobileNetwork.ts'], /\babsent\|/i],
  ['whether two numbers are of one SIM card', ['main/base/reading/simNumber.ts'], /function sameSim/]
]

describe('A rule about forms stands in one place', () => {
  it.each(rules)('%s', (_rule, homes, second) => {
    expect(
      files.filter((file) => !homes.includes(file) && second.test(readFileSync(join(projectFolder, file), 'utf8')))
    ).toEqual([])
  })
})
