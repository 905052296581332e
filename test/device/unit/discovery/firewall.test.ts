import { describe, expect, test } from 'vitest'
import { message, plainMessage } from '../../../../preload/contract/messages.ts'
import { createRecentCount, recentMs } from '../../../../main/device/discovery/cardSocket.ts'
import {
  readLinuxFirewall,
  readMacFirewall,
  readWindowsFirewall,
  type FirewallState
} from '../../../../main/device/discovery/firewall.ts'
import { judgeFirewall } from '../../../../main/device/discovery/networkSelfCheck.ts'

const program = 'C:\\Program Files\\Fitter\\Fitter.exe'
const on = 'HKEY_LOCAL_MACHINE\\...\\PublicProfile\r\n    EnableFirewall    REG_DWORD    0x1\r\n'
const off = on.replace('0x1', '0x0')
const rule = (action: string, more = ''): string =>
  `    {1}    REG_SZ    v2.30|Action=${action}|Active=TRUE|Dir=In|Protocol=17|Profile=Public|App=${program.toLowerCase()}|Name=Fitter|${more}\r\n`

describe('what a system says without administrator rights', () => {
  test.each<[FirewallState['kind'], string, string]>([
    ['unknown', '', ''],
    ['off', off, rule('Block')],
    ['on', on, ''],
    ['on', off + on, rule('Block').replace('TRUE', 'FALSE')],
    ['on', on, rule('Block').replace('Fitter.exe', 'Other.exe').replace('fitter.exe', 'other.exe')],
    ['on', on, rule('Block').replace('Protocol=17', 'Protocol=6')],
    ['blocksFitter', on, rule('Allow') + rule('Block')],
    ['blocksFitter', on, rule('Block').replace('Protocol=17|', '')],
    ['allowsFitter', on, rule('Allow')]
  ])('Windows: %s', (kind, profiles, rules) => {
    expect(readWindowsFirewall(profiles, rules, program).kind).toBe(kind)
  })

  test('macOS and Linux', () => {
    expect(readMacFirewall('Firewall is disabled. (State = 0)', '').kind).toBe('off')
    expect(
      readMacFirewall('Firewall is enabled. (State = 1)', 'Incoming connections to the application are blocked.').kind
    ).toBe('blocksFitter')
    expect(
      readMacFirewall('Firewall is enabled. (State = 1)', 'Incoming connections to the application are permitted.').kind
    ).toBe('allowsFitter')
    expect(readMacFirewall('', '').kind).toBe('unknown')
    expect(readLinuxFirewall('# comment\nENABLED=yes\n', '')).toEqual({ kind: 'on', name: 'ufw' })
    expect(readLinuxFirewall('ENABLED=no', 'active\n')).toEqual({ kind: 'on', name: 'firewalld' })
    expect(readLinuxFirewall('ENABLED=no', 'inactive').kind).toBe('unknown')
  })
})

describe('the verdict about the firewall', () => {
  const remedy = plainMessage('Open it.')
  const judge = (
    state: FirewallState['kind'],
    evidence: Partial<Parameters<typeof judgeFirewall>[0]> = {},
    platform: NodeJS.Platform = 'linux'
  ) =>
    judgeFirewall({ heard: 0, echoes: 3, sent: 3, state: { kind: state, name: 'ufw' }, ...evidence }, remedy, platform)

  test('a packet of another machine proves more than the rules of the system', () => {
    expect(judge('blocksFitter', { heard: 1 })).toMatchObject({
      ok: true,
      detail: { id: 'selfTest.firewallLetsIn' },
      remedy: null
    })
    expect(judge('blocksFitter', { heard: 1 })).not.toHaveProperty('notTested')
  })

  test.each(['off', 'on', 'allowsFitter', 'unknown'] as const)(
    'silence is no proof, whatever the system says: %s',
    (state) => {
      expect(judge(state)).toMatchObject({ notTested: true, remedy: null })
    }
  )

  test('it blocks when a rule says so, or when not even our own queries come back, with one remedy', () => {
    expect(judge('blocksFitter', {}, 'win32')).toMatchObject({
      ok: false,
      state: 'blocked',
      remedy,
      fix: 'firewall',
      detail: message('selfTest.firewallBlocks', { name: 'ufw' })
    })
    expect(judge('unknown', { echoes: 0 })).toMatchObject({
      ok: false,
      state: 'blocked',
      detail: { id: 'selfTest.firewallNoEcho' }
    })
    expect(judge('unknown', { echoes: 0 })).not.toHaveProperty('fix')
    // Nothing was sent: then nothing could come back.
    expect(judge('unknown', { echoes: 0, sent: 0 })).toMatchObject({ notTested: true })
  })
})

test('packets count as heard lately for some minutes only', () => {
  let nowMs = 1_000
  const lately = createRecentCount(() => nowMs)
  lately.add()
  nowMs += 60_000
  lately.add()
  expect(lately.count()).toBe(2)
  nowMs += recentMs - 30_000
  expect(lately.count()).toBe(1)
  nowMs += recentMs
  expect(lately.count()).toBe(0)
})
