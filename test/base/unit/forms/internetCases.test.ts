import { afterEach, describe, expect, it, vi } from 'vitest'
import { checkBaseAddress } from '../../../../main/gateway/client/transport/address.ts'
import { createRateLimiter } from '../../../../main/gateway/client/transport/rateLimit.ts'
import { readAuthorities } from '../../../../main/base/internet/authorities.ts'
import { judge } from '../../../../main/base/internet/judgement.ts'
import { createProxies, readPacAnswer, readProxy } from '../../../../main/base/internet/proxies.ts'
import { wordsOfServer } from '../../../../main/base/internet/serverWords.ts'
import { addressOfTile, refuseTemplate } from '../../../../main/app/maps/onlineTiles.ts'
import { checkJson } from '../../../../main/base/reading/checkJson.ts'
import { teamError } from '../../../../main/team/server/failures.ts'
import { feedFolder } from '../../../../main/base/updates/fetch.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { issue } from '../../../world/gateway/testCertificates.ts'

afterEach(() => vi.unstubAllEnvs())

/** The sentence of a refusal, or the value. */
function refusalOf(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    if (error instanceof AppError) return error.sentence.id
    throw error
  }
}

describe('A proxy as people and systems write it', () => {
  it.each([
    [
      'jarun/googler#191',
      'http://user:100%@proxy:8080',
      { label: 'proxy:8080', credentials: { user: 'user', password: '100%' } }
    ],
    [
      'jarun/googler#191',
      'http://user:p%40ss@proxy:8080',
      { label: 'proxy:8080', credentials: { user: 'user', password: 'p@ss' } }
    ],
    [
      'tmatilai/vagrant-proxyconf#140',
      'http://us(er):p)w@proxy:8080',
      { label: 'proxy:8080', credentials: { user: 'us(er)', password: 'p)w' } }
    ],
    [
      'dotnet/corefx#27871',
      'http://corefx%5Cfoo:SecretPass%231@clrperftst003:3128',
      { label: 'clrperftst003:3128', credentials: { user: 'corefx\\foo', password: 'SecretPass#1' } }
    ],
    ['dotnet/corefx#27871', 'http://corefx\\foo:SecretPass#1@clrperftst003:3128', undefined],
    ['posit-dev/rsconnect-python#203', 'user:password@proxy:8080', undefined],
    [
      'hyperium/hyper#3972',
      'http://user@proxy:8080',
      { label: 'proxy:8080', credentials: { user: 'user', password: '' } }
    ],
    ['xroche/httrack#566', 'http://proxy', { label: 'proxy:80' }],
    ['xroche/httrack#566', 'socks5://proxy:1080', undefined],
    ['a PAC file as a proxy', 'http://proxy:8080/proxy.pac', undefined]
  ])('%s: %s', (_, address, expected) => {
    const read = readProxy(address)
    if (expected === undefined) expect(read).toBeUndefined()
    else expect(read).toMatchObject(expected)
  })

  it.each([
    ['himanshub16/ProxyMan#90', '172.31.2.4:8080/', '172.31.2.4:8080'],
    ['Rob--W/proxy-from-env#2', 'proxy.example:3128', 'proxy.example:3128']
  ])('%s: %s in the environment', async (_, value, label) => {
    for (const name of ['HTTPS_PROXY', 'https_proxy']) vi.stubEnv(name, value)
    for (const name of ['NO_PROXY', 'no_proxy']) vi.stubEnv(name, '')
    expect(await createProxies({ choice: () => ({ kind: 'system' }) }).of('https://gateway.example/api')).toMatchObject(
      [{ label, address: `http://${label}` }]
    )
  })
})

it.each([
  ['samuong/alpaca#92', 'HTTPS ssl.example.com:3389', ['https://ssl.example.com:3389'], false],
  ['carsonyl/pypac#41', 'HTTP host:8080', ['http://host:8080'], false],
  ['ProxymanApp/Proxyman#2466', 'SOCKS5 127.0.0.1:1080', [], true],
  ['TooTallNate/node-pac-proxy-agent#25', 'SOCKS4 host:1080; DIRECT', [null], true],
  [
    'blinksocks/blinksocks-desktop#19',
    'SOCKS5 host:1; SOCKS host:1; PROXY host:2; DIRECT;',
    ['http://host:2', null],
    true
  ],
  ['F-Feng/Memo#27', 'PROXY 192.168.1.1:8080; DIRECT', ['http://192.168.1.1:8080', null], false]
])('The answer of a PAC file, %s: %s', (_, answer, ways, hasOther) => {
  expect(readPacAnswer(answer)).toEqual({ ways, hasOther })
})

describe('A certificate of a company', () => {
  const pem = issue({ name: 'Company Root' }).cert
  const base64 = pem.replace(/-----[^-]+-----|\s/g, '')
  it.each<[string, string, string, number | string]>([
    [
      'rusticata/x509-parser#21',
      'with “Bag Attributes” before it',
      `Bag Attributes\n    localKeyID: B9 FD\nsubject=/C=AU\nissuer=/C=AU\n${pem}`,
      1
    ],
    ['hakwerk/labca#31', 'with CR LF', pem.replace(/\n/g, '\r\n'), 1],
    ['eclipse-kura/kura#3468', 'with spaces at the ends of its lines', pem.replace(/\n/g, '   \n'), 1],
    ['chris2511/xca#85', 'in a bundle of two', pem + issue({ name: 'Other Root' }).cert, 2],
    ['shiaho777/web-to-app#514', 'named TRUSTED CERTIFICATE', pem.replaceAll('CERTIFICATE', 'TRUSTED CERTIFICATE'), 1],
    ['shiaho777/web-to-app#514', 'named X509 CERTIFICATE', pem.replaceAll('CERTIFICATE', 'X509 CERTIFICATE'), 1],
    ['shiaho777/web-to-app#514', 'with a byte order mark', `\uFEFF${pem}`, 1],
    ['shiaho777/web-to-app#514', 'as base64 alone', base64, 'noCertificate'],
    ['shiaho777/web-to-app#514', 'in PKCS7', '-----BEGIN PKCS7-----\nMIIB\n-----END PKCS7-----', 'noCertificate'],
    [
      'OpenCCU/OpenCCU#252',
      'with its private key',
      `-----BEGIN PRIVATE KEY-----\nAA\n-----END PRIVATE KEY-----\n${pem}`,
      'privateKey'
    ],
    ['pasted in one line', 'without line ends', pem.replace(/\n/g, ' '), 1],
    ['cut off while copying', 'half of it', `${pem.slice(0, 200)}\n-----END CERTIFICATE-----\n`, 'damaged']
  ])('%s: %s', (_source, _what, text, expected) => {
    const read = readAuthorities(text)
    expect(read.kind === 'read' ? read.certificates.length : read.kind).toBe(expected)
  })
})

it.each([
  ['ansible/tower-cli#7', 'https://gateway.example/api/', 'https://gateway.example/api'],
  ['estevez-dev/ha_client#430', ' https://gateway.example/api ', 'https://gateway.example/api'],
  ['gdombiak/OctoPod#187', 'gateway.example', 'gateway.noWebAddress'],
  ['a slash too many', 'https://gateway.example//api', 'https://gateway.example/api'],
  ['an API of another version', 'https://gateway.example/api/v1', 'gateway.needsApi']
])('A gateway address, %s: %s', (_, address, expected) => {
  expect(refusalOf(() => checkBaseAddress(address, '/api'))).toBe(expected)
})

it.each([
  ['CartoDB/Windshaft#321', 'https://{s}.tile.example/{z}/{x}/{y}.png', 'maps.templateServers'],
  ['Leaflet/Leaflet#2695', 'https://${s}.tile.example/${z}/${x}/${y}.png', 'maps.templateServers'],
  ['Leaflet/Leaflet#2695', 'https://tile.example/{param}/{z}/{x}/{y}.png', 'maps.templateUnreadable'],
  ['TorbenK/TK.CustomMap#116', 'https://tile.example/{0}/{1}/{2}.png', 'maps.templateParts'],
  ['cachly/issues-tracker#2754', 'https://tile.example/{quadkey}.png', 'maps.templateParts'],
  ['openstreetmap/operations#978', 'http://tile.example/{z}/{x}/{y}.png', 'maps.templateHttps']
])('A tile address, %s: %s is refused in words', (_, template, expected) => {
  expect(refuseTemplate(template)?.id).toBe(expected)
})

it.each([
  ['a usual one', 'https://tile.example/{z}/{x}/{y}.png', 'https://tile.example/3/5/2.png'],
  [
    'engindearing-projects/OmniTAK-Android#14',
    'https://tile.example/${z}/${x}/${y}.png',
    'https://tile.example/3/5/2.png'
  ],
  ['engindearing-projects/OmniTAK-Android#14', 'https://tile.example/{$z}/{$y}/{$x}', 'https://tile.example/3/2/5'],
  ['mapswipe/python-mapswipe-workers#534', 'https://tile.example/{z}/{x}/{-y}.png', 'https://tile.example/3/5/5.png'],
  ['webglearth/webglearth2#124', 'https://tile.example/{z}/{y}/{x}-{y}-{z}.jpg', 'https://tile.example/3/2/5-2-3.jpg']
])('A tile address is read, %s: %s', (_, template, address) => {
  expect([refuseTemplate(template), addressOfTile(template, { z: 3, x: 5, y: 2 })]).toEqual([undefined, address])
})

it.each(['https://feed.example/x/?token=1', 'https://feed.example/x/#stable'])(
  'An update address whose end would be lost is refused: %s',
  (address) => {
    expect(refusalOf(() => feedFolder(address))).toBe('updates.feedAddress')
  }
)

it.each([
  ['letscontrolit/ESPEasy#470', '{"temperature": nan}'],
  ['node-fetch/node-fetch#806', '{"age": NaN}'],
  ['ukhas/habitat#248', '{"altitude": -Infinity}'],
  ['two answers in one', '{"a": 1}{"b": 2}']
])('No JSON, %s: %s', (_, text) => {
  expect(checkJson(text)).toMatchObject({ kind: 'notJson' })
})

it.each([
  ['gildas-lormeau/JSONVue#11', '2916334247900527532'],
  ['postmanlabs/postman-app-support#3368', '9007199254740993'],
  ['nodejs/help#1637', '15793596808644609'],
  ['IvanMathy/Boop#372', '6150769120280496265']
])('An id that no number can represent keeps its digits, %s: %s', (_, id) => {
  expect(checkJson(`{"id": ${id}}`)).toEqual({ kind: 'json', value: { id } })
})

describe('What the server of a team log refuses', () => {
  it.each([
    ['neondatabase/neon#6291', 'unsupported startup parameter in options: search_path', 'search_path'],
    [
      'pgbouncer/pgbouncer#1500',
      'unsupported startup parameter in options: citus.use_secondary_nodes',
      'citus.use_secondary_nodes'
    ],
    ['pgbouncer/pgbouncer#496', 'unsupported startup parameter: options=-c client_encoding=utf8', 'options'],
    [
      'pgbouncer/pgbouncer#1074',
      'unsupported startup parameter: default_transaction_isolation',
      'default_transaction_isolation'
    ],
    ['psequel/psequel#71', 'ERROR: Unsupported startup parameter: geqo', 'geqo']
  ])('%s: %s', (_, text, name) => {
    expect(teamError(Object.assign(new Error(text), { code: '08P01' }), 'db').sentence).toEqual(
      message('teamWay.poolerRefuses', { host: 'db', name })
    )
  })

  it.each([
    ['brianc/node-postgres#670', '28000', 'no pg_hba.conf entry for host "203.0.113.7", SSL on', 'teamWay.notAdmitted'],
    [
      'ScorpioBroker/ScorpioBroker#348',
      '28000',
      'pg_hba.conf rejects connection for host "10.42.1.24"',
      'teamWay.notAdmitted'
    ],
    ['netbox-community/netbox#3948', '53300', 'remaining connection slots are reserved', 'team.tooMany'],
    ['leafo/pgmoon#47', '53300', 'sorry, too many clients already', 'team.tooMany']
  ])('%s: %s %s', (_, code, text, sentence) => {
    expect(teamError(Object.assign(new Error(text), { code }), 'db').sentence.id).toBe(sentence)
  })
})

describe('Who answers, and what that means', () => {
  const page = { 'content-type': 'text/html' }
  it.each<[string, number, string, Record<string, string>, boolean, string]>([
    [
      'harvard-lil/h2o#2188',
      403,
      '<!DOCTYPE html><title>Just a moment...</title>',
      { ...page, 'cf-mitigated': 'challenge' },
      false,
      'challenge'
    ],
    [
      'telerik/mobile-cli-lib#1039',
      403,
      '<html>This page is forbidden, contact your administrator</html>',
      page,
      false,
      'between'
    ],
    ['klzgrad/naiveproxy#694', 403, '<!DOCTYPE html><html>blocked</html>', page, true, 'between'],
    ['aacerox/node-rest-client#122', 200, '<html><title>Web Page Blocked</title></html>', page, false, 'network'],
    ['pydantic/logfire-js#291', 200, '<html><body>Sign in</body></html>', page, true, 'network'],
    [
      'omnigent-ai/omnigent#5000',
      200,
      '<!DOCTYPE html><html></html>',
      { 'content-type': 'application/json' },
      false,
      'network'
    ],
    ['tlaverdure/laravel-echo-server#387', 407, '<html>Proxy</html>', page, false, 'proxy'],
    ['linode/linodego#216', 503, '', { 'x-maintenance-mode': 'all' }, false, 'maintenance'],
    ['linode/manager#7870', 503, '{"errors":[{"reason":"Currently in maintenance mode."}]}', {}, false, 'maintenance'],
    [
      'Bungie-net/api#1048',
      400,
      '{"ErrorStatus":"SystemDisabled","Message":"SystemDisabled"}',
      {},
      true,
      'maintenance'
    ],
    ['AdrianJSClark/aydsko-iracingdata#149', 503, '<html>Maintenance</html>', page, true, 'failedBefore'],
    [
      'owncloud/client#2884',
      503,
      '<?xml version="1.0"?><d:error><s:message>System in maintenance mode.</s:message></d:error>',
      { 'content-type': 'application/xml' },
      false,
      'failedBefore'
    ],
    [
      'CodeForBaltimore/Healthcare-Rollcall#148',
      429,
      'Too many login attempts for this IP. Please try again later.',
      {},
      true,
      'status'
    ],
    [
      'CodeForBaltimore/Healthcare-Rollcall#148',
      403,
      '{"message":"Too many login attempts for this IP"}',
      {},
      true,
      'accountLocked'
    ],
    ['GSA/notifications-api#513', 401, '{"message":"Account is locked"}', {}, true, 'accountLocked'],
    [
      'ArctosDB/arctos#4862',
      401,
      '{"message":"Wrong password. The account will be locked after the next attempt"}',
      {},
      true,
      'status'
    ],
    [
      'bodyscape/cielo_home#113',
      498,
      '{"error":{"code":498,"message":"invalid or expired token"}}',
      {},
      false,
      'sessionOver'
    ],
    [
      'lawtancool/hass-control4#14',
      403,
      '{"error":"Unauthorized","details":"Expired or invalid token"}',
      {},
      false,
      'sessionOver'
    ],
    ['a refusal that is about a record', 400, '{"message":"maintenance interval is required"}', {}, false, 'status'],
    ['a refusal that is about a record', 404, '{"message":"maintenance task not found"}', {}, false, 'status'],
    [
      'singnet/snet-marketplace-service#9',
      200,
      '{"success": false, "message": "Vehicle is locked", "data": null}',
      {},
      false,
      'refusedInBody'
    ],
    [
      'microsoft/WindowsDevicePortalWrapper#129',
      200,
      '{"Success": false, "Reason": "busy"}',
      {},
      false,
      'refusedInBody'
    ],
    ['a refusal without words', 200, '{"success": false}', {}, false, 'refusedInBody'],
    ['a refusal as text', 202, '{"ok": "false", "error": {"code": 7, "message": "no"}}', {}, false, 'refusedInBody'],
    ['a refused sign-in', 200, '{"success": false, "message": "Invalid password"}', {}, true, 'refusedInBody'],
    ['a locked account', 200, '{"success": false, "message": "Account is locked"}', {}, true, 'accountLocked'],
    ['a success', 200, '{"success": true}', {}, false, 'status'],
    ['a record with such a field', 200, '{"id": 7, "success": false}', {}, false, 'status'],
    ['a list', 200, '[{"success": false}]', {}, false, 'status'],
    ['a note in Spanish', 403, '{"message":"Plataforma en mantenimiento hasta las 14:00"}', {}, false, 'maintenance'],
    ['a note of one word', 200, '{"message":"maintenance…"}', {}, false, 'maintenance'],
    ['a missing right', 403, '{"message":"No permission for this session"}', {}, false, 'status'],
    ['a record about maintenance', 200, '{"id":7,"message":"Maintenance due"}', {}, false, 'status']
  ])('%s: %i %s', (_, status, body, headers, isSignIn, kind) => {
    expect(
      judge({ status, headers: new Map(Object.entries(headers)), body: Buffer.from(body) }, { isSignIn }).kind
    ).toBe(kind)
  })

  it('mattbeedle/capsule_crm#38: a refused sign-in in a page is looked at again before anything secret is sent', () => {
    expect(
      judge({ status: 401, headers: new Map(Object.entries(page)), body: Buffer.from('<!DOCTYPE html>') })
    ).toEqual({ kind: 'status', isDoubtful: true })
  })

  it('a change that an answer with an id calls failed is refused too', () => {
    const answer = { status: 200, headers: new Map<string, string>(), body: Buffer.from('{"id": 7, "success": false}') }
    expect(judge(answer, { isChange: true }).kind).toBe('refusedInBody')
  })

  it('whoever is asked for a page may say with one that there is none', () => {
    const answer = {
      status: 404,
      headers: new Map(Object.entries(page)),
      body: Buffer.from('<html>no such report</html>')
    }
    expect([judge(answer).kind, judge(answer, { isPageExpected: true }).kind]).toEqual(['between', 'status'])
  })

  it('an answer that repeats what was sent does not speak of the gateway', () => {
    const answer = {
      status: 200,
      headers: new Map<string, string>(),
      body: Buffer.from('{"message":"Go to maintenance"}')
    }
    expect([judge(answer).kind, judge(answer, { sent: '{"message":"Go to maintenance"}' }).kind]).toEqual([
      'maintenance',
      'status'
    ])
  })

  it.each([
    ['{"Message":"SystemDisabled"}', 'SystemDisabled'],
    ['{"errors":[{"reason":"Currently in maintenance mode."}]}', 'Currently in maintenance mode.'],
    ['{"error":{"code":498,"message":"invalid or expired token"}}', 'invalid or expired token'],
    ['null', ''],
    ['[]', ''],
    ['busy', 'busy'],
    ['\x1f\x8b\b\0\0 (apache/trafficcontrol#1737)', '']
  ])('the server’s own words of %j', (body, words) => {
    expect(wordsOfServer(Buffer.from(body, 'latin1'))).toBe(words)
  })
})

describe('When requests may go on', () => {
  async function waitS(bucket: string, headers: Record<string, string>): Promise<number> {
    const limiter = createRateLimiter()
    const permit = await limiter.enter(bucket, { priority: 'person', waitMs: 1_000 })
    permit.leave({
      status: 429,
      headers: new Map(Object.entries({ date: new Date().toUTCString(), ...headers })),
      endedAtMs: Date.now()
    })
    return Math.max(0, ((permit.retryAtMs() ?? Date.now()) - Date.now()) / 1_000)
  }

  it.each([
    ['teng-lin/notebooklm-py#1275', '1.5', 2],
    ['joshuaswarren/remnic#657', '0', 0],
    ['apify/crawlee-python#1995', '-5', 60],
    ['basecamp/basecamp-sdk#781', '120junk', 60],
    ['14790897/MiqroForge-Desktop#115', new Date(Date.now() + 3_600_000).toUTCString(), 3_600],
    ['openai/openai-java#878', 'Wed, 21 Oct 2015 07:28:00 GMT', 0],
    ['mastra-ai/mastra#23778', '+3', 60]
  ])('%s: Retry-After %s', async (_, value, expected) => {
    expect(Math.abs((await waitS('login', { 'retry-after': value })) - expected)).toBeLessThan(20)
  })

  it.each([
    ['ivolo/express-rate#2', () => String(Date.now() + 300_000), 300],
    ['zalando/restful-api-guidelines#379', () => '300', 300],
    ['the gateway’s document', () => String(Math.floor(Date.now() / 1000) + 300), 300]
  ])('%s: X-RateLimit-Reset in its own unit', async (_, reset, expected) => {
    expect(
      Math.abs(
        (await waitS('vehicles', {
          'x-ratelimit-limit': '10',
          'x-ratelimit-remaining': '0',
          'x-ratelimit-reset': reset()
        })) - expected
      )
    ).toBeLessThan(20)
  })
})
