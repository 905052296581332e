import type { SecurityBreak } from './breaks.ts'

const strict = 'test/base/unit/contract/strictInputs.test.ts'
const sources = 'test/project/unit/sourceRules.test.ts'
const redact = 'test/base/unit/secrets/redact.test.ts'
const secure = 'test/gateway/integration/gateway-secure-connection.test.ts'
const guard = 'test/device/unit/client/consoleGuard.test.ts'
const access = 'test/device/integration/device-access.test.ts'

const router = 'main/app/router.ts'
const contractBreaks: SecurityBreak[] = [
  {
    rule: 'Unknown keys are refused',
    file: 'preload/contract/define.ts',
    from: 'export const nothing = z.strictObject({})',
    to: 'export const nothing = z.object({})',
    caughtBy: [strict, 'bad inputs get a typed error from every call, and have no effect']
  },
  {
    rule: 'Unknown keys are refused in every part',
    file: 'preload/contract/team/teamOffice.ts',
    from: 'faults: z.array(z.strictObject({',
    to: 'faults: z.array(z.object({',
    caughtBy: [strict, 'no object in the input of any call accepts unknown keys']
  },
  {
    rule: 'Unknown calls are refused',
    file: router,
    from: 'if (!Object.hasOwn(calls, name)) return refusal(',
    to: 'if (!(name in calls)) return refusal(',
    caughtBy: [strict, 'is no call']
  },
  {
    rule: 'Bad input never reaches a handler',
    file: router,
    from: 'if (!parsed.success) return badInput(callName, parsed.error)',
    to: 'if (!parsed.success && input === undefined) return badInput(callName, parsed.error)',
    caughtBy: [strict, 'bad inputs get a typed error from every call, and have no effect']
  },
  {
    rule: 'A fault crosses without details',
    file: router,
    from: "message: message('app.fault'), retryable: false",
    to: "message: { id: 'plain.text', values: { text: String(error) } } as never, retryable: false",
    caughtBy: [strict, 'a fault crosses as INTERNAL without its details, and is reported']
  },
  {
    rule: 'Answers are checked too',
    file: router,
    from: 'value: definition.output.parse(value === undefined ? {} : value)',
    to: 'value',
    caughtBy: [strict, 'an answer that does not match the contract does not cross']
  },
  {
    rule: 'No new call takes a path',
    file: 'preload/contract/support/snapshots.ts',
    from: "'snapshots.export': { input: z.strictObject({ id })",
    to: "'snapshots.export': { input: z.strictObject({ id, path: z.string().optional() })",
    caughtBy: [strict, 'a call takes a path or an address only where that was decided']
  },
  {
    rule: 'A backup goes where the dialog says',
    file: 'main/data/backups/handlers.ts',
    from: 'if (pick && path !== null) throw',
    to: "if (pick && path === '') throw",
    caughtBy: ['test/app/unit/core/chosenPaths.test.ts', 'in the desktop window a path from the page is refused: %s']
  },
  {
    rule: 'A restore comes from where the dialog says',
    file: 'main/data/backups/handlers.ts',
    from: "    'data.restore': ({ from }) => {\n      if (pick && from.kind === 'file') throw new AppError('REFUSED', message('maps.onlyDialog'))\n",
    to: "    'data.restore': ({ from }) => {\n",
    caughtBy: ['test/app/unit/core/chosenPaths.test.ts', 'in the desktop window a path from the page is refused: %s']
  },
  {
    rule: 'A map is the one that the dialog names',
    file: 'main/app/maps/handlers.ts',
    from: "if (pick) throw new AppError('REFUSED', message('maps.onlyDialog'))",
    to: 'void pick',
    caughtBy: ['test/app/unit/core/chosenPaths.test.ts', 'in the desktop window a path from the page is refused: %s']
  }
]

const redactor = 'main/base/secrets/redact.ts'
const secretBreaks: SecurityBreak[] = [
  {
    rule: 'Known secrets are removed from texts',
    file: redactor,
    from: 'const withoutKnown = known ? input.replace(known, hidden) : input',
    to: 'const withoutKnown = input',
    caughtBy: [redact, 'A known secret']
  },
  {
    rule: 'Secrets are removed in every encoding',
    file: redactor,
    from: '    ...base64Forms(secret)\n',
    to: '',
    caughtBy: [redact, 'is taken out of the Basic credentials of %s']
  },
  {
    rule: 'Tokens are removed',
    file: redactor,
    from: '  [/\\b(Bearer\\s+)[\\w.~+/=-]{6,}/gi, `$1${hidden}`],\n',
    to: '',
    caughtBy: [redact, 'The shape of a secret']
  },
  {
    rule: 'Wi-Fi passwords are removed from paths',
    file: redactor,
    from: '  [/(\\/wifi\\/add\\/[^/\\s"\'?#]+\\/)[^/\\s"\'?#]+/gi, `$1${hidden}`],\n',
    to: '',
    caughtBy: [redact, 'The shape of a secret']
  },
  {
    rule: 'Hotspot passwords are removed from paths',
    file: redactor,
    from: '  [/(\\/hotspot\\/edit\\/[^/\\s"\'?#]+\\/)[^/\\s"\'?#]+/gi, `$1${hidden}`],\n',
    to: '',
    caughtBy: [redact, 'The shape of a secret']
  },
  {
    rule: 'Session tokens are removed from paths',
    file: redactor,
    from: '  [/(\\/tokens\\/)[^/\\s"\'?#:<]+/gi, `$1${hidden}`],\n',
    to: '',
    caughtBy: [redact, 'The shape of a secret']
  },
  {
    rule: 'Credentials are removed from addresses',
    file: redactor,
    from: '  [/(:\\/\\/)[^/\\s"\'@]+@/g, `$1${hidden}@`],\n',
    to: '',
    caughtBy: [redact, 'The shape of a secret']
  },
  {
    rule: 'Fields with the name of a secret are hidden',
    file: redactor,
    from: 'isSecret && holdsSecret(key, field) ? hidden :',
    to: 'isSecret && field === null ? hidden :',
    caughtBy: [redact, 'loses what stands under the name of a secret and every known secret']
  },
  {
    rule: 'Answers of devices are masked at the source',
    file: 'main/device/client/masking.ts',
    from: 'hides(key, field) ? secretMask :',
    to: 'hides(key, field) && depth > 9 ? secretMask :',
    caughtBy: ['test/device/unit/client/masking.test.ts', 'replaces texts and numbers under such names at any depth']
  },
  {
    rule: 'Sent passwords are in no later answer',
    file: 'main/device/client/sentPasswords.ts',
    from: 'passwords.add(password)',
    to: 'void passwords',
    caughtBy: [access, 'a password that was sent to a device is in none of its later answers']
  },
  {
    rule: 'The fault log is redacted',
    file: 'main/app/faultLog.ts',
    from: 'JSON.stringify(redact(text))',
    to: 'JSON.stringify(text)',
    caughtBy: ['test/app/unit/core/faultLog.test.ts', 'writes only what the redactor lets through']
  },
  {
    rule: 'A log line cannot be forged',
    file: 'main/app/faultLog.ts',
    from: 'JSON.stringify(redact(text))',
    to: 'redact(text)',
    caughtBy: ['test/app/unit/core/faultLog.test.ts', 'writes each fault on one line, whatever its text holds']
  },
  {
    rule: 'The fault log is for its owner only',
    file: 'main/app/faultLog.ts',
    from: 'mode: 0o600',
    to: 'mode: 0o644',
    caughtBy: ['test/app/unit/core/faultLog.test.ts', 'writes each fault on one line, whatever its text holds']
  },
  {
    rule: 'Secrets are in the keychain or in memory',
    file: 'main/base/secrets/keychain.ts',
    from: '      memory.set(name, value)\n',
    to: "      memory.set(name, value)\n      ;(await import('node:fs')).writeFileSync((await import('node:os')).tmpdir() + '/fitter-secrets.json', JSON.stringify([...memory]))\n",
    caughtBy: ['test/base/integration/keychain.test.ts', 'a secret lasts for this run, in memory only']
  },
  {
    rule: 'Nothing is signed without a keychain',
    file: 'main/base/secrets/keychain.ts',
    from: "return reason === undefined ? { kind: 'keychain' } : { kind: 'thisRunOnly', reason }",
    to: "return { kind: 'keychain' }",
    caughtBy: [
      'test/base/integration/keychain.test.ts',
      'nothing is signed, and no key is made that would be gone with the process'
    ]
  },
  {
    rule: 'Support bundles contain no secret',
    file: 'main/support/diagnosis/bundles/redaction.ts',
    from: 'createRedaction({ redactor, holds, people }: RedactionWish) {',
    to: 'createRedaction({ holds, people }: RedactionWish) {\n  const redactor = { text: (given: string) => given, json: (given: unknown) => given }',
    caughtBy: [
      'test/support/unit/diagnosis/bundles/redaction.test.ts',
      'secrets are taken out whatever a person chooses'
    ]
  },
  {
    rule: 'Support bundles contain no planted secret',
    file: 'main/support/diagnosis/bundles/redaction.ts',
    from: 'createRedaction({ redactor, holds, people }: RedactionWish) {',
    to: 'createRedaction({ holds, people }: RedactionWish) {\n  const redactor = { text: (given: string) => given, json: (given: unknown) => given }',
    caughtBy: ['test/support/unit/diagnosis/bundles/bundles.test.ts', 'no secret of any kind is in a support bundle']
  },
  {
    rule: 'Tables of jobs contain no secret',
    file: 'main/job/reports/csv.ts',
    from: 'job: redactJob(job, redact)',
    to: 'job: redactJob(job, keepText)',
    caughtBy: ['test/job/unit/reports/csv.test.ts', 'blacks out secrets']
  },
  {
    rule: 'Other programs get no credentials',
    file: 'main/terminal/input/environmentCredentials.ts',
    from: 'delete process.env[',
    to: 'void process.env[',
    caughtBy: [
      'test/gateway/integration/given-credentials.test.ts',
      'credentials of the environment are given to no program that Fitter starts'
    ]
  },
  {
    rule: 'Quotes of a gateway contain no secret',
    file: 'main/gateway/client/transport/redact.ts',
    from: "result = result.replaceAll(form, '[hidden]')",
    to: 'void form',
    caughtBy: ['test/gateway/integration/gateway-bad-input.test.ts', 'is never a success, of no operation']
  }
]

const gatewayBreaks: SecurityBreak[] = [
  {
    rule: 'A gateway is asked over https',
    file: 'main/gateway/client/transport/address.ts',
    from: "if (url.protocol === 'http:' && !isNear(url)) {",
    to: "if (url.protocol === 'gopher:') {",
    caughtBy: ['test/gateway/integration/gateway-bad-input.test.ts', '%s is no gateway address']
  },
  {
    rule: 'An address has no password',
    file: 'main/gateway/client/transport/address.ts',
    from: "url.username !== '' || url.password !== '' || ",
    to: '',
    caughtBy: ['test/gateway/integration/gateway-bad-input.test.ts', '%s is no gateway address']
  },
  {
    rule: 'Missing encryption is said',
    file: 'main/gateway/client/transport/address.ts',
    from: "return url?.protocol === 'http:' && !isLoopback(hostOf(url))",
    to: 'return false',
    caughtBy: [
      'test/gateway/integration/gateway-bad-input.test.ts',
      'what is asked without encryption on a network is said: %s'
    ]
  },
  {
    rule: 'Certificates are checked',
    file: 'main/base/internet/dial.ts',
    from: 'rejectUnauthorized: true',
    to: 'rejectUnauthorized: false',
    caughtBy: [secure, 'a gateway whose certificate is not accepted gets nothing, not even the sign-in']
  },
  {
    rule: 'Certificates are checked whatever the environment says',
    file: 'main/base/internet/dial.ts',
    from: 'rejectUnauthorized: true',
    to: "rejectUnauthorized: process.env.NODE_TLS_REJECT_UNAUTHORIZED !== '0'",
    caughtBy: [secure, 'certificates are checked also where the environment says otherwise, and that is told']
  },
  {
    rule: 'The team log checks certificates',
    file: 'main/team/server/server.ts',
    from: 'rejectUnauthorized: true',
    to: 'rejectUnauthorized: false',
    caughtBy: [sources, 'a way around certificates']
  },
  {
    rule: 'A private key is no certificate',
    file: 'main/base/internet/authorities.ts',
    from: "if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) return { kind: 'privateKey' }",
    to: '',
    caughtBy: [
      'test/gateway/integration/gateway-internet.test.ts',
      'certificates are shown with fingerprint, subject and end'
    ]
  },
  {
    rule: 'Credentials follow no redirect of a gateway',
    file: 'main/gateway/client/transport/transport.ts',
    from: 'maxRedirects: 0',
    to: 'maxRedirects: 3',
    caughtBy: [secure, 'follows no redirect of %s']
  },
  {
    rule: 'Unencrypted connections use no proxy',
    file: 'main/gateway/client/transport/transport.ts',
    from: 'proxy: false',
    to: 'proxy: undefined',
    caughtBy: [secure, 'what is not encrypted never goes through a proxy']
  },
  {
    rule: 'A token is for its gateway only',
    file: 'main/gateway/client/transport/session.ts',
    from: ' || site !== fingerprint(base)',
    to: '',
    caughtBy: ['test/gateway/unit/client/session.test.ts', 'what is kept between runs is bound to gateway and user']
  },
  {
    rule: 'Only the gateway of the company is asked',
    file: 'main/app/policy/policy.ts',
    from: 'if (allowed !== undefined && !allowed.includes(url)) throw',
    to: "if (allowed !== undefined && url === '') throw",
    caughtBy: ['test/app/integration/policy.test.ts', 'gets no request, not even a password']
  },
  {
    rule: 'Settings of the company cannot be changed',
    file: 'main/app/policy/managed.ts',
    from: 'if (asked.some(([name, value]) => fixed[name] !== undefined &&',
    to: 'if (asked.some(([name, value]) => fixed[name] === null &&',
    caughtBy: ['test/app/unit/policy.test.ts', 'are the company’s, and a change of them is refused']
  },
  {
    rule: 'An installed Fitter reads the policy of the administrator only',
    file: 'main/app/policy/policyPath.ts',
    from: 'if (isCheckout && forTrial !== undefined',
    to: 'if (forTrial !== undefined',
    caughtBy: [
      'test/app/unit/policy.test.ts',
      'is only where an administrator can write, except for trials of a checkout'
    ]
  }
]

const addresses = 'test/base/unit/addresses/address.test.ts'
const transport = 'test/device/unit/client/transport.test.ts'
const deviceBreaks: SecurityBreak[] = [
  {
    rule: 'Only addresses of the own network are local',
    file: 'main/base/addresses/address.ts',
    from: "local.addSubnet('172.16.0.0', 12, 'ipv4')",
    to: "local.addSubnet('172.16.0.0', 8, 'ipv4')",
    caughtBy: [addresses, 'An address']
  },
  {
    rule: 'Public addresses need a person',
    file: 'main/device/client/client.ts',
    from: 'isLocalIp(ip) || (options.isConfirmed?.(ip) ?? false)',
    to: "ip !== ''",
    caughtBy: [
      access,
      'an address outside the local network that a person confirmed is used by every later call, and only that one'
    ]
  },
  {
    rule: 'A name leads to no public address',
    file: 'main/device/client/transport.ts',
    from: 'if (!options.isAllowed(ip)) throw publicAddress(address.label)',
    to: 'void publicAddress',
    caughtBy: [transport, 'A name that turns out to be a public address gets no request']
  },
  {
    rule: 'The address of a device is pinned',
    file: 'main/device/client/transport.ts',
    from: '    pinnedIp = ip\n',
    to: '    pinnedIp = undefined\n',
    caughtBy: [transport, 'A name is looked up once: a later answer cannot lead the credentials elsewhere']
  },
  {
    rule: 'Credentials follow no redirect of a device',
    file: 'main/device/client/transport.ts',
    from: 'maxRedirects: 0',
    to: 'maxRedirects: 3',
    caughtBy: [
      'test/device/integration/device-client.test.ts',
      'never follows a redirect, least of all with credentials'
    ]
  },
  {
    rule: 'Credentials wait until a person picked the device',
    file: 'main/gateway/accounts/devices.ts',
    from: 'picked.has(label) ? find(imei) : Promise.resolve(undefined)',
    to: 'find(imei)',
    caughtBy: [access, 'what is kept goes to the address that a person picked']
  },
  {
    rule: 'Credentials go to the picked address only',
    file: 'main/gateway/accounts/devices.ts',
    from: 'if (imei !== null) for (const [label, whose] of picked) if (whose === imei) picked.delete(label)\n',
    to: '',
    caughtBy: [access, 'what is kept goes to the address that a person picked']
  },
  {
    rule: 'A device is opened after it proved its identity',
    file: 'main/gateway/accounts/devices.ts',
    from: 'demandDevice(value.hostname, imei)',
    to: 'void demandDevice',
    caughtBy: [
      access,
      'a device is not opened for work when another one answers at its address, or one that hides its name'
    ]
  },
  {
    rule: 'A device proves its identity before each write',
    file: 'main/device/client/identity.ts',
    from: '      demandDevice(hostname, imei)\n',
    to: '',
    caughtBy: ['test/device/integration/another-device.test.ts', 'A client that knows whose device it talks to']
  },
  {
    rule: 'Another device is another device',
    file: 'main/device/client/identity.ts',
    from: 'if (!sameHost(hostname, imei)) {',
    to: 'if (hostname.length < 3) {',
    caughtBy: ['test/device/integration/another-device.test.ts', 'A client that knows whose device it talks to']
  },
  {
    rule: 'Destructive commands are blocked',
    file: 'main/device/client/console/consoleDestruction.ts',
    from: "['removesFiles', 'rm rmdir ",
    to: "['removesFiles', 'rmdir ",
    caughtBy: [guard, 'Destruction that can be recognised is refused']
  },
  {
    rule: 'The console switches no output',
    file: 'main/device/client/console/consoleDestruction.ts',
    from: "if (outputProgram.test(name)) return { why: 'setsOutput', name }",
    to: '',
    caughtBy: [guard, 'Outputs have one door, and the console is none']
  },
  {
    rule: 'The console does not call the own API',
    file: 'main/device/client/console/consoleDestruction.ts',
    from: "if (client && ownApi.test(whole)) return { why: 'setsOutput', name: client.name }",
    to: '',
    caughtBy: [guard, 'Outputs have one door, and the console is none']
  },
  {
    rule: 'What cannot be read is blocked',
    file: 'main/device/client/console/consoleGuard.ts',
    from: "if ('problem' in read) return { kind: 'refused', why: read.problem, name: '' }",
    to: "if ('problem' in read) return { kind: 'confirm' }",
    caughtBy: [guard, 'What cannot be read for certain is refused']
  },
  {
    rule: 'Interpreters are blocked',
    file: 'main/device/client/console/consoleGuard.ts',
    from: 'if (interpreters.test(name)) return',
    to: 'if (interpreters.test(name) && at > 9) return',
    caughtBy: [guard, 'What cannot be read for certain is refused']
  },
  {
    rule: 'Everything else needs a person',
    file: 'main/device/client/console/consoleGuard.ts',
    from: "    if (inner.kind === 'refused') return inner\n  }\n  return { kind: 'confirm' }",
    to: "    if (inner.kind === 'refused') return inner\n  }\n  return { kind: 'free' }",
    caughtBy: [guard, 'Everything else is sent only after a person repeated it']
  },
  {
    rule: 'A command is repeated word for word',
    file: 'main/support/deviceSession/index.ts',
    from: "if (verdict.kind === 'confirm' && repeated !== command)",
    to: "if (verdict.kind === 'confirm' && repeated === undefined)",
    caughtBy: [
      'test/support/integration/workspace.test.ts',
      'sends what is not among the commands that only read after a person repeated it, and not before'
    ]
  },
  {
    rule: 'A command is logged with its person',
    file: 'main/support/deviceSession/index.ts',
    from: 'operation, input: shown, by: options.technician(), jobId }',
    to: "operation, input: shown, by: '', jobId }",
    caughtBy: [
      'test/support/integration/workspace.test.ts',
      'runs a command, keeps it, and holds destruction back before the device is asked'
    ]
  },
  {
    rule: 'A refused command is logged with its person',
    file: 'main/support/deviceSession/index.ts',
    from: "operation: 'exec.run', input, by: options.technician(), jobId }",
    to: "operation: 'exec.run', input, by: '', jobId }",
    caughtBy: [
      'test/support/integration/workspace.test.ts',
      'runs a command, keeps it, and holds destruction back before the device is asked'
    ]
  },
  {
    rule: 'The core blocks a command before the device is asked',
    file: 'main/support/deviceSession/index.ts',
    from: "if (verdict.kind === 'refused') {",
    to: "if (verdict.kind === 'refused' && command === '') {",
    caughtBy: [
      'test/support/integration/workspace.test.ts',
      'runs a command, keeps it, and holds destruction back before the device is asked'
    ]
  }
]

const textBreaks: SecurityBreak[] = [
  {
    rule: 'Nothing becomes HTML',
    file: 'renderer/base/ui/FactList.vue',
    from: '<dd v-if="fact.note" class="note num tiny">{{ fact.note }}</dd>',
    to: '<dd v-if="fact.note" class="note num tiny" v-html="fact.note" />',
    caughtBy: [sources, 'text that becomes HTML']
  },
  {
    rule: 'Lint refuses v-html',
    file: 'eslint.config.js',
    from: "'vue/no-v-html': 'error'",
    to: "'vue/no-v-html': 'off'",
    caughtBy: [sources, 'lint refuses']
  },
  {
    rule: 'Lint refuses code from text',
    file: 'eslint.config.js',
    from: "'no-eval': 'error'",
    to: "'no-eval': 'off'",
    caughtBy: [sources, 'lint refuses']
  },
  {
    rule: 'A cell is no formula',
    file: 'preload/base/messages/csvFile.ts',
    from: "? `'${text}` : text",
    to: '? text : text',
    caughtBy: ['test/job/unit/reports/csv.test.ts', 'CSV report']
  },
  {
    rule: 'A cell is no formula after a space',
    file: 'preload/base/messages/csvFile.ts',
    from: '/^[\\s\\0\\ufeff]*[=',
    to: '/^[=',
    caughtBy: ['test/job/unit/reports/csv.test.ts', 'CSV report']
  },
  {
    rule: 'Names do not steer the terminal',
    file: 'main/terminal/output/outsideText.ts',
    from: 'return text.replace(steering, escape)',
    to: 'return text',
    caughtBy: ['test/terminal/unit/outsideText.test.ts', 'from outside becomes visible and changes nothing']
  },
  {
    rule: 'JSON does not steer the terminal',
    file: 'main/terminal/output/outsideText.ts',
    from: 'return json.replace(/[\\u007f-\\u009f\\p{Cf}',
    to: 'return json.replace(/[\\u007f-\\u0080',
    caughtBy: ['test/terminal/unit/outsideText.test.ts', 'in a JSON document is escaped']
  },
  {
    rule: 'A file is written through no link',
    file: 'main/terminal/output/writeOut.ts',
    from: 'if (present && !present.isFile())',
    to: 'if (present && present.isDirectory())',
    caughtBy: ['test/terminal/unit/writeOut.test.ts', 'leaves a link alone, whatever it leads to']
  },
  {
    rule: 'SQL has parameters',
    file: 'main/data/store/jobs/jobPages.ts',
    from: "'select id from job where key = ?'",
    to: "`select id from job where key = ${'?'}`",
    caughtBy: [sources, 'SQL has no value from outside in its text']
  },
  {
    rule: 'Programs are started without a shell',
    file: 'main/device/discovery/systemProgram.ts',
    from: "import { execFile } from 'node:child_process'",
    to: "import { exec, execFile } from 'node:child_process'",
    caughtBy: [sources, 'a program with a shell']
  },
  {
    rule: 'Tiles follow no redirect',
    file: 'main/app/maps/onlineTiles.ts',
    from: "redirect: 'error'",
    to: "redirect: 'follow'",
    caughtBy: [
      'test/app/unit/maps/answer.test.ts',
      'what is no picture, and what leads on to another address, is not shown'
    ]
  },
  {
    rule: 'Tiles are asked for over https',
    file: 'main/app/maps/onlineTiles.ts',
    from: "url.protocol === 'https:' || (url.protocol === 'http:' && loopback.includes(url.hostname))",
    to: "url.protocol !== 'ftp:'",
    caughtBy: ['test/app/unit/maps/answer.test.ts', 'an address of tiles is https, whole, without a password']
  },
  {
    rule: 'Tiles are off until a person enables them',
    file: 'main/app/maps/maps.ts',
    from: 'return isOn && !isTraining ? online.get(template, tile) : undefined',
    to: 'return isOn || template ? online.get(template, tile) : undefined',
    caughtBy: ['test/app/unit/maps/answer.test.ts', 'online tiles are asked for only while they are switched on']
  },
  {
    rule: 'No path leads to another map',
    file: 'main/app/maps/answer.ts',
    from: 'if (path === fileAddress) return',
    to: "if (path.endsWith('.pmtiles')) return",
    caughtBy: ['test/app/unit/maps/answer.test.ts', 'no other path leads to a file']
  }
]

/** The core: contract, secrets, gateway, policy, devices, console, texts, maps. */
export const coreBreaks: readonly SecurityBreak[] = [
  ...contractBreaks,
  ...secretBreaks,
  ...gatewayBreaks,
  ...deviceBreaks,
  ...textBreaks
]
