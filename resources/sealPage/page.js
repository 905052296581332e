// Runs in the page that stands beside a report: checks the report in it without any network, and shows what it holds.
const sealCheck = (() => {
  const tailStart = '  "documentHash": "'
  const tailEnd = '"\n}\n'
  const signedAlgorithm = 'ECDSA-P256-SHA256'
  const encoder = new TextEncoder()
  /** What may be blacked out, and what stands in its place. */
  const fillers = {
    evidence: { what: '[hidden]', raw: '[hidden]', thresholds: { '[hidden]': null } },
    answered: { answer: {} },
    deviceWrite: { input: '[hidden]', what: '[hidden]', raw: '[hidden]' }
  }

  const isRecord = (value) => value !== null && typeof value === 'object' && !Array.isArray(value)
  const bytesOf = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

  /** Earlier versions kept sentences; they are shown as messages, and an empty one as nothing. */
  const asMessage = (text) =>
    typeof text !== 'string' ? text : text === '' ? null : { id: 'plain.text', values: { text } }

  async function sha256(content) {
    const digest = await crypto.subtle.digest(
      'SHA-256',
      typeof content === 'string' ? encoder.encode(content) : content
    )
    return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
  }

  /** The same text for the same value: sorted keys, no spaces. */
  function canonical(value) {
    if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
    if (!isRecord(value)) return JSON.stringify(value)
    return `{${Object.keys(value)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)
      .join(',')}}`
  }

  async function isSigned(text, publicKey, signature) {
    try {
      const key = await crypto.subtle.importKey(
        'spki',
        bytesOf(publicKey),
        { name: 'ECDSA', namedCurve: 'P-256' },
        false,
        ['verify']
      )
      return await crypto.subtle.verify(
        { name: 'ECDSA', hash: 'SHA-256' },
        key,
        bytesOf(signature),
        encoder.encode(text)
      )
    } catch {
      return false
    }
  }

  async function checkBytes(text, found) {
    const length = tailStart.length + 64 + tailEnd.length
    const tail = text.slice(-length)
    const stated = tail.slice(tailStart.length, -tailEnd.length)
    if (tail !== `${tailStart}${stated}${tailEnd}` || (await sha256(text.slice(0, -length))) !== stated)
      found('changed')
  }

  /** The only way in which Fitter writes such a file: no key occurs twice, no number or text has another spelling. */
  function checkSpelling(text, document, found) {
    const escape = (part) =>
      part.replace(
        /[<\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\uffff]/g,
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
      )
    if (escape(text) !== `${escape(JSON.stringify(document, null, 2))}\n`) found('spelling')
  }

  async function checkChain({ job, log, redactedEntries, seal }, found) {
    const covered = new Set(redactedEntries)
    let previous = await sha256(job.id)
    let lastSeq = -Infinity
    for (const entry of log) {
      const { seq, at, type, stepId, data } = entry
      if (!(seq > lastSeq)) return found('order', { entry: seq })
      if (!covered.has(seq) && (await sha256(previous + canonical({ seq, at, type, stepId, data }))) !== entry.hash)
        return found('broken', { entry: seq })
      previous = entry.hash
      lastSeq = seq
    }
    if (seal !== previous) found('cut')
    if (job.seal !== seal) found('otherMoment')
  }

  /** Salted hash of what an entry holds; null when it shows something else than its redaction allows. */
  async function fieldsOf({ seq, at, type, stepId, data, hash }, redaction) {
    const mayHide = Object.hasOwn(fillers, type) ? fillers[type] : undefined
    if (!mayHide || !isRecord(data)) return redaction ? null : canonical({ hash })
    const { salt, ...rest } = data
    if (redaction && salt !== undefined) return null
    const fields = {}
    for (const [name, value] of Object.entries(rest)) {
      const isHidden = redaction && Object.hasOwn(redaction.hidden, name)
      if (isHidden && (!Object.hasOwn(mayHide, name) || canonical(value) !== canonical(mayHide[name]))) return null
      const own = redaction ? (redaction.salts[name] ?? '') : await sha256(canonical({ salt: salt ?? '', name }))
      fields[name] = isHidden ? redaction.hidden[name] : await sha256(canonical({ salt: own, value }))
    }
    return canonical({ seq, at, type, stepId, hash, fields })
  }

  /** Every seal in the log; gives back what the last one is. */
  async function checkSeals({ job, log, redactions = [] }, found) {
    const redactionOf = new Map(redactions.map((one) => [one.seq, one]))
    let last = { kind: 'none', at: null, key: null, open: 0 }
    let lastIndex = -1
    let proved = 0
    let fields = await sha256(job.id)
    for (const [index, entry] of log.entries()) {
      const before = fields
      const own = fields === null ? null : await fieldsOf(entry, redactionOf.get(entry.seq))
      fields = own === null ? null : await sha256(fields + own)
      if (entry.type !== 'sealed') continue
      const seal = isRecord(entry.data) ? entry.data : {}
      const head = index > 0 ? log[index - 1].hash : await sha256(job.id)
      lastIndex = index
      if (
        seal.head !== head ||
        seal.entries !== index ||
        (seal.fields !== undefined && seal.fields !== before) ||
        (seal.algorithm !== signedAlgorithm && seal.algorithm !== 'hashOnly')
      ) {
        found('sealChanged', { entry: entry.seq })
        continue
      }
      if (seal.fields !== undefined) proved = index
      const isKeyed = seal.algorithm === signedAlgorithm
      const claim = canonical({
        what: 'fitter-job-seal',
        job: job.id,
        head,
        entries: index,
        at: seal.at,
        ...(seal.fields === undefined ? {} : { fields: seal.fields })
      })
      if (isKeyed && !(await isSigned(claim, seal.publicKey, seal.signature)))
        found('wrongSignature', { entry: entry.seq })
      last = { kind: isKeyed ? 'signed' : 'hashOnly', at: seal.at, key: isKeyed ? seal.publicKey : null, open: 0 }
    }
    const states = log.filter(({ type }) => type === 'stateChanged').map(({ data }) => data.state)
    const open =
      lastIndex < 0
        ? 0
        : log.slice(lastIndex + 1).filter(({ type }) => type !== 'movedAway' && type !== 'movedHere').length
    if (open > 0 && states.at(-1) === 'done') found('addedAfterSeal', { n: open })
    if (
      lastIndex < 0 &&
      log[0]?.data?.isSealed === true &&
      ['done', 'installedAwaitingGateway'].includes(states.at(-1))
    )
      found('noSeal')
    return { ...last, open, proved }
  }

  /** The first entry of a sealed log creates the job, and no other one does. */
  function checkCreation({ log }, { kind }, found) {
    const created = log.flatMap(({ type }, index) => (type === 'jobCreated' ? [index] : []))
    if (kind === 'none' ? created.some((index) => index > 0) : created.length !== 1 || created[0] !== 0)
      found('notCreated')
  }

  /** What decides is never blacked out, and the rest is proved by its salted hash. */
  function checkRedactions({ version, log, redactedEntries, redactions = [] }, seal, documentKey, found) {
    const hidden = new Set(redactedEntries)
    const listed = new Set(redactions.map(({ seq }) => seq))
    const isListed =
      redactions.every(({ seq }) => hidden.has(seq)) &&
      listed.size === redactions.length &&
      hidden.size === redactedEntries.length
    if (!isListed || redactedEntries.some((seq) => !log.some((entry) => entry.seq === seq))) found('redactions')
    const isOfSeal = seal.kind !== 'signed' || documentKey === seal.key
    if (version < 4 && isOfSeal) {
      if (seal.proved > 0 && hidden.size > 0) found('redactions')
      return
    }
    for (const [index, { seq, type }] of log.entries()) {
      if (!hidden.has(seq)) continue
      if (!listed.has(seq) || !Object.hasOwn(fillers, type) || (index >= seal.proved && !isOfSeal))
        found('blackedOut', { entry: seq })
    }
  }

  /** The key that signed all of the document; null where a report shows no more than its seal covers. */
  async function checkDocument(document, seal, found) {
    const { documentHash: _hash, documentSignature: signed, ...rest } = document
    if (signed?.algorithm !== signedAlgorithm) {
      const isOnlySealed =
        document.version >= 4 && document.texts === undefined && document.job.operations.length === 0 && seal.open === 0
      if (seal.kind === 'signed' && !isOnlySealed) found('noDocument')
      return null
    }
    if (!(await isSigned(canonical(rest), signed.publicKey, signed.signature))) found('wrongDocument')
    return signed.publicKey
  }

  /** Who and what the job is about, against the log. */
  function checkFacts({ job, log }, found) {
    const created = log[0]?.type === 'jobCreated' ? log[0].data : null
    if (created === null) return
    const told = {
      technician: created.technician,
      customer: created.customer,
      vehicleText: created.vehicleText,
      imei: created.device.imei,
      model: created.device.model,
      address: created.device.address,
      vehicle: null,
      createdAt: log[0].at,
      kind: created.template.kind
    }
    for (const { type, data } of log) {
      if (type === 'namesGiven') Object.assign(told, { technician: data.technician, customer: data.customer })
      if (type === 'vehicleChosen') told.vehicle = data
      if (type === 'deviceAddress') told.address = data.address
    }
    const { technician, customer, vehicleText, device, vehicle, createdAt, kind } = job
    const named = (one) => one && { id: one.id, name: one.name, plate: one.plate ?? null }
    const shown = {
      technician,
      customer,
      vehicleText,
      imei: device.imei,
      model: device.model,
      address: device.address,
      vehicle: named(vehicle),
      createdAt,
      kind
    }
    if (canonical(shown) !== canonical({ ...told, vehicle: named(told.vehicle) })) found('facts')
  }

  /** What the job says of its steps, against the log. */
  function checkEvidence({ job, log }, found) {
    const logged = new Map(log.filter(({ type }) => type === 'evidence').map((entry) => [entry.hash, entry]))
    const told = new Map()
    for (const { type, stepId, at, data } of log) {
      if (type === 'stepStarted')
        told.set(stepId, {
          state: 'running',
          summary: null,
          remedy: null,
          waiver: null,
          startedAt: at,
          attempts: data.attempt
        })
      if (type === 'stepEnded')
        told.set(stepId, {
          ...told.get(stepId),
          state: data.state,
          summary: data.summary,
          remedy: data.remedy,
          witness: data.witness
        })
      if (type === 'waived')
        told.set(stepId, {
          ...told.get(stepId),
          state: 'waived',
          summary: undefined,
          witness: undefined,
          waiver: { reason: data.reason, by: data.by, at }
        })
    }
    for (const step of job.steps) {
      const facts = told.get(step.id) ?? { state: 'waiting' }
      const isSame = (name) =>
        facts[name] === undefined || canonical(asMessage(facts[name])) === canonical(asMessage(step[name]))
      if (log[0]?.type === 'jobCreated' && !Object.keys(facts).every(isSame)) found('step', { step: step.id })
      for (const { seq, at, hash, ...data } of step.evidence) {
        const entry = logged.get(hash)
        const { salt: _salt, ...kept } = entry?.data ?? {}
        const isKept =
          entry &&
          entry.seq === seq &&
          entry.at === at &&
          entry.stepId === step.id &&
          canonical({ ...kept, what: asMessage(kept.what) }) === canonical({ ...data, what: asMessage(data.what) })
        if (!isKept) found('evidence', { step: step.id, entry: seq })
        logged.delete(hash)
      }
    }
    for (const { seq } of logged.values()) found('missing', { entry: seq })
    const last = log.filter(({ type }) => type === 'stateChanged').at(-1)
    if (last && last.data.state !== job.state) found('state')
  }

  async function checkPictures({ pictures = [], log }, found) {
    const kept = new Set(log.filter(({ type }) => type === 'attached').map(({ data }) => data.reportSha256))
    for (const { sha256: hash, base64 } of pictures) {
      if ((await sha256(bytesOf(base64))) !== hash || !kept.has(hash)) found('picture', { hash: hash.slice(0, 16) })
    }
  }

  /** `holds` only when everything fits and the key of the last seal covers all that is shown. */
  async function check(text) {
    const findings = []
    const found = (id, values = {}) => void findings.push({ id, values })
    let document
    try {
      document = JSON.parse(text)
      await checkBytes(text, found)
      checkSpelling(text, document, found)
      await checkChain(document, found)
      const seal = await checkSeals(document, found)
      const documentKey = await checkDocument(document, seal, found)
      checkCreation(document, seal, found)
      checkRedactions(document, seal, documentKey, found)
      checkFacts(document, found)
      checkEvidence(document, found)
      await checkPictures(document, found)
      if (documentKey !== null && seal.key !== null && documentKey !== seal.key) found('otherKey')
      const fingerprint = seal.key === null ? null : await sha256(bytesOf(seal.key))
      return { state: stateOf(findings, seal), findings, document, fingerprint, sealedAt: seal.at, open: seal.open }
    } catch {
      found('unreadable')
      return { state: 'broken', findings, document: null, fingerprint: null, sealedAt: null, open: 0 }
    }
  }

  function stateOf(findings, seal) {
    if (findings.length > 0) return 'broken'
    if (seal.kind === 'none') return 'notSealed'
    return seal.kind === 'hashOnly' ? 'hashOnly' : 'holds'
  }

  return { check, sha256 }
})()

async function showSealPage() {
  const words = JSON.parse(document.getElementById('words').textContent)
  const say = (id, values = {}) =>
    Object.entries(values).reduce((text, [name, value]) => text.replaceAll(`{${name}}`, String(value)), words[id] ?? id)
  const element = (name, text, ...children) => {
    const made = document.createElement(name)
    if (text !== null) made.textContent = text
    made.append(...children)
    return made
  }
  const main = document.getElementById('result')
  if (!globalThis.crypto?.subtle) {
    main.dataset.state = 'cannot'
    return main.replaceChildren(element('h1', say('cannot')), element('p', say('cannotText')))
  }
  const text = document.getElementById('report').textContent.replace(/^\n/, '')
  const result = await sealCheck.check(text)
  const { document: report, findings, fingerprint } = result
  const grouped = (hash) => (hash.match(/.{4}/g) ?? []).join(' ')

  main.replaceChildren(element('h1', say(result.state)), element('p', say(`${result.state}Text`)))
  if (findings.length > 0)
    main.append(element('ul', null, ...findings.map(({ id, values }) => element('li', say(`finding.${id}`, values)))))
  if (result.open > 0 && result.state !== 'broken') main.append(element('p', say('open', { n: result.open })))
  main.dataset.state = result.state
  if (!report) return

  const facts = document.getElementById('facts')
  const fact = (label, value, isCode = false) =>
    facts.append(element('dt', label), element('dd', null, element(isCode ? 'code' : 'span', value)))
  fact(say('job'), report.job.id)
  fact(say('device'), report.job.device.imei)
  fact(say('vehicle'), report.job.vehicle?.name ?? report.job.vehicleText)
  fact(say('sealedAt'), result.sealedAt ?? '–')
  fact(say('seal'), grouped(report.seal), true)
  fact(say('fingerprint'), fingerprint === null ? say('noKey') : grouped(fingerprint), true)

  const told = new Map((report.texts?.steps ?? []).map((step) => [step.id, step]))
  const steps = document.getElementById('steps')
  for (const step of report.job.steps) {
    const inWords = told.get(step.id)
    const section = element(
      'section',
      null,
      element('h2', `${inWords?.title ?? step.id}: ${inWords?.state ?? step.state}`),
      element('p', inWords?.summary ?? '')
    )
    if (step.waiver) section.append(element('p', say('skipped', { by: step.waiver.by, reason: step.waiver.reason })))
    for (const one of step.evidence) {
      const said = inWords?.evidence?.find(({ seq }) => seq === one.seq)
      const clocks = [
        `${say('clockComputer')} ${one.at}`,
        ...(one.clocks?.device ? [`${say('clockDevice')} ${one.clocks.device}`] : []),
        ...(one.clocks?.gateway ? [`${say('clockGateway')} ${one.clocks.gateway}`] : [])
      ]
      const limits = said?.limits ? element('p', `${say('limits')} ${said.limits}`) : ''
      section.append(
        element(
          'article',
          null,
          element('p', said?.what ?? '', element('b', ` ${say(`witness.${one.witness}`)}`)),
          limits,
          element('small', `${clocks.join(' · ')} · ${say('entry', { entry: one.seq, attempt: one.attempt })}`),
          element('pre', JSON.stringify(one.raw, null, 1))
        )
      )
    }
    steps.append(section)
  }

  const pictures = document.getElementById('pictures')
  for (const { sha256, mediaType, base64 } of report.pictures ?? []) {
    if (!/^image\/(jpeg|png)$/.test(mediaType)) continue
    const picture = document.createElement('img')
    picture.src = `data:${mediaType};base64,${base64}`
    picture.alt = sha256.slice(0, 16)
    pictures.append(element('figure', null, picture, element('figcaption', grouped(sha256.slice(0, 16)))))
  }

  const log = document.getElementById('log')
  for (const { seq, at, type, stepId, data } of report.log) {
    log.append(
      element('p', `${seq} · ${at} · ${type}${stepId ? ` · ${stepId}` : ''}`),
      element('pre', JSON.stringify(data))
    )
  }

  const originals = new Map(
    report.log
      .filter(({ type }) => type === 'attached')
      .flatMap(({ data, seq }) => [
        [data.sha256, seq],
        [data.reportSha256, seq]
      ])
  )
  const picker = document.getElementById('photo')
  picker.addEventListener('change', async () => {
    const answer = document.getElementById('photoResult')
    const [file] = picker.files
    if (!file) return
    const entry = originals.get(await sealCheck.sha256(new Uint8Array(await file.arrayBuffer())))
    answer.textContent = entry === undefined ? say('photoOther') : say('photoOurs', { entry })
  })
  document.getElementById('rest').hidden = false
}

if (globalThis.document) void showSealPage()
