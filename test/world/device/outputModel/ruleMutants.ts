/**
 * The invariants of outputs, each with changes of the code that break it. The random sequences must notice every one.
 */
export interface RuleMutant {
  rule: 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g'
  /** The sequences that notice it. */
  by: 'device' | 'gateway'
  file: string
  from: string
  to: string
}

export const ruleNames: Record<RuleMutant['rule'], string> = {
  a: 'after whatever means off, no “on” given before it leaves',
  b: 'every output that may be on is in the ledger',
  c: 'every way out switches off, or refuses',
  d: 'an entry ends by proof, or by the word of a person about an output that Fitter does not have on',
  e: 'the log says who said it',
  f: 'no stop hangs',
  g: 'nothing cuts the link while an output may be on'
}

const machine = 'main/job/outputs/machine.ts'
const gateway = 'main/job/outputs/gatewayController.ts'
const all = 'main/job/outputs/outputs.ts'
const device = (rule: RuleMutant['rule'], file: string, from: string, to: string): RuleMutant => ({
  rule,
  by: 'device',
  file,
  from,
  to
})
const atGateway = (rule: RuleMutant['rule'], file: string, from: string, to: string): RuleMutant => ({
  rule,
  by: 'gateway',
  file,
  from,
  to
})

export const ruleMutants: readonly RuleMutant[] = [
  device('a', machine, "mustGoOff: { claimed: { to: 'off', effects: ['takeBackOn'] }, goingOn", 'mustGoOff: { goingOn'),
  device(
    'a',
    'main/job/outputs/switchOn.ts',
    '{ timeoutMs: readBackMs, untilSent, beforeSent }',
    '{ timeoutMs: readBackMs }'
  ),
  atGateway('a', gateway, 'const stopped = AbortSignal.any([signal, record.onStop.signal])', 'const stopped = signal'),
  atGateway('a', gateway, "    for (const one of ofVehicle(name)) take(one, 'mustGoOff')\n", ''),
  atGateway('a', gateway, "      for (const record of present) take(record, 'mustGoOff')\n", ''),
  device(
    'a',
    'main/job/outputs/deviceOutputs.ts',
    "if (effects.includes('takeBackOn')) kept.onStop.abort()",
    "if (effects.includes('takeBackOn') && kept.row === undefined) kept.onStop.abort()\n    if (state.phase === 'goingOff') kept.state = { ...state, phase: before.phase === 'goingOn' && event === 'mustGoOff' ? 'goingOn' : state.phase }"
  ),

  device(
    'b',
    machine,
    "isOnSettled: false, isOnAnswered: false, isReadOn: undefined }), effects: ['sendOn']",
    "isOnSettled: true, isOnAnswered: false, isReadOn: undefined }), effects: ['sendOn']"
  ),
  device(
    'b',
    machine,
    "isOnSettled: false, isOnAnswered: false, isReadOn: undefined }), effects: ['proveOff'] }",
    "isOnSettled: true, isOnAnswered: false, isReadOn: undefined }), effects: ['proveOff'] }"
  ),
  device('b', 'main/job/outputs/deviceOutputs.ts', '(isOnSettled ? 0 : kept.limits.lateOnS * 1000)', '0'),
  device(
    'b',
    'main/job/outputs/switchOn.ts',
    '      kept.lateOnAtMs = sentMs + claim.limits.lateOnS * 1000\n',
    '      kept.lateOnAtMs = sentMs\n'
  ),
  atGateway(
    'b',
    gateway,
    '      record.lateOnAtMs = monotonicMs() + expiresMs\n',
    '      record.lateOnAtMs = monotonicMs()\n'
  ),
  atGateway(
    'b',
    gateway,
    "const hasLeft = error.fate === 'unknown' || error.code === 'CONFLICT'",
    'const hasLeft = false'
  ),

  device(
    'c',
    all,
    "      if (left) throw new AppError('CONFLICT', message('outputs.staysForOutputs'",
    "      if (!left) throw new AppError('CONFLICT', message('outputs.staysForOutputs'"
  ),
  device(
    'c',
    all,
    'const left = sayLedger(ledger().filter(isMeant))',
    "const left = sayLedger(ledger().filter(isMeant).filter(({ state }) => state === 'on'))"
  ),
  device(
    'c',
    all,
    'const left = sayLedger(ledger().filter(isMeant))',
    "const left = sayLedger(ledger().filter(isMeant).filter(({ state }) => state !== 'mayBeOn'))"
  ),
  device(
    'c',
    all,
    'const left = sayLedger(ledger().filter(isMeant))',
    "const left = sayLedger(ledger().filter(isMeant).filter(({ state }) => state !== 'watched'))"
  ),
  atGateway(
    'c',
    all,
    'const left = sayLedger(ledger().filter(isMeant))',
    "const left = sayLedger(ledger().filter(isMeant).filter(({ path }) => path !== 'gateway'))"
  ),

  device('d', machine, 'goingOff: [{ when: mayEndByWord', 'goingOff: [{ when: ({ isInLedger }) => isInLedger'),
  device(
    'd',
    machine,
    'personSawOff: { ...inEveryPhase(refused), goingOff:',
    "personSawOff: { ...inEveryPhase(refused), on: { effects: ['clearLedger'] }, goingOff:"
  ),
  device(
    'd',
    machine,
    'personSawOff: { ...inEveryPhase(refused), goingOff:',
    "personSawOff: { ...inEveryPhase(refused), goingOn: { effects: ['clearLedger'] }, goingOff:"
  ),
  device(
    'd',
    machine,
    'goingOff: [{ when: ({ isOnSettled }) => isOnSettled, change: () => ({ isReadOn: false })',
    'goingOff: [{ change: () => ({ isReadOn: false })'
  ),
  atGateway(
    'd',
    machine,
    'personSawOff: { ...inEveryPhase(refused), goingOff:',
    "personSawOff: { ...inEveryPhase(refused), on: { effects: ['clearLedger'] }, goingOff:"
  ),
  atGateway(
    'd',
    'main/job/outputs/gatewayCommand.ts',
    'if (lateOnLeftMs() > 0) lateOnOverMs = undefined\n        else',
    ''
  ),

  device('e', 'main/job/outputs/awaitOff.ts', 'by: kept.endedBy', "by: 'device'"),
  device('e', 'main/job/outputs/controller.ts', "outputs.cleared(kept, 'person')", "outputs.cleared(kept, 'device')"),
  device(
    'e',
    'main/job/outputs/controller.ts',
    "options.ledger.end(row, { how: 'person'",
    "options.ledger.end(row, { how: 'proved'"
  ),
  device('e', 'main/job/outputs/bringOff.ts', "outputs.cleared(kept, 'device')", "outputs.cleared(kept, 'person')"),
  atGateway('e', gateway, "end(record, 'person', by, reason)", "end(record, 'proved', by, reason)"),

  device('f', 'main/job/outputs/awaitOff.ts', 'nowMs >= untilMs || outputs.isStopped()', 'false'),
  device(
    'f',
    'main/job/outputs/bringOff.ts',
    "while (kept.state.phase === 'goingOff' && !outputs.isStopped())",
    "while (kept.state.phase === 'goingOff')"
  ),
  device(
    'f',
    'main/job/outputs/deviceOutputs.ts',
    "if (kept.state.phase === 'goingOff' && !isStopped) begin(kept)",
    "if (kept.state.phase === 'goingOff') begin(kept)"
  ),
  atGateway(
    'f',
    gateway,
    'if (leftMs <= 0 || (record.trouble && record.isOffSent)) return',
    'if (record.trouble && record.isOffSent) return'
  ),
  atGateway(
    'f',
    gateway,
    'while (record.row) {\n      const leftMs = untilMs - monotonicMs()',
    'while (record.row) {\n      const leftMs = 10 * withinMs + untilMs - monotonicMs()'
  ),
  atGateway(
    'f',
    gateway,
    "state.phase === 'goingOff' && !isOffSent && !ending.signal.aborted",
    "state.phase === 'goingOff' && !isOffSent"
  ),

  device(
    'g',
    all,
    'const left = sayLedger(ledger().filter((entry) => entry.imei === imei))',
    'const left = sayLedger(ledger().filter((entry) => entry.imei !== imei))'
  ),
  device(
    'g',
    all,
    'const left = sayLedger(ledger().filter((entry) => entry.imei === imei))',
    "const left = sayLedger(ledger().filter((entry) => entry.imei === imei && entry.state === 'on'))"
  ),
  device(
    'g',
    all,
    'const left = sayLedger(ledger().filter((entry) => entry.imei === imei))',
    "const left = sayLedger(ledger().filter((entry) => entry.imei === imei && entry.state !== 'goingOff'))"
  ),
  device(
    'g',
    all,
    'const left = sayLedger(ledger().filter((entry) => entry.imei === imei))',
    "const left = sayLedger(ledger().filter((entry) => entry.imei === imei && entry.state !== 'watched'))"
  ),
  device(
    'g',
    all,
    'const left = sayLedger(ledger().filter((entry) => entry.imei === imei))',
    "const left = sayLedger(ledger().filter((entry) => entry.imei === imei && entry.path === 'gateway'))"
  )
]
