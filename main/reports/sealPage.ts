import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { message, type MessageId } from '../../preload/contract/messages.ts'
import type { Language } from '../../preload/messages/settings.ts'
import { listLanguages } from '../messages/catalogue.ts'
import { createTexts, type Texts } from '../messages/texts.ts'

/** The page's script and styles, relative to the sources and the bundle alike: both are two folders deep. */
const folder = path.join(import.meta.dirname, '..', '..', 'resources', 'sealPage')
const reportStart = '<script type="application/json" id="report">\n'
const reportEnd = '</script>'

const spoken = [
  'holds',
  'holdsText',
  'hashOnly',
  'hashOnlyText',
  'notSealed',
  'notSealedText',
  'broken',
  'brokenText',
  'cannot',
  'cannotText',
  'job',
  'device',
  'vehicle',
  'sealedAt',
  'seal',
  'fingerprint',
  'noKey',
  'limits',
  'clockComputer',
  'clockDevice',
  'clockGateway',
  'photoOther',
  'witness.device',
  'witness.gateway',
  'witness.person',
  'finding.changed',
  'finding.cut',
  'finding.otherMoment',
  'finding.noSeal',
  'finding.wrongDocument',
  'finding.noDocument',
  'finding.otherKey',
  'finding.spelling',
  'finding.notCreated',
  'finding.redactions',
  'finding.facts',
  'finding.state',
  'finding.unreadable'
] as const
/** Texts with placeholders, which the script fills. */
const filled = {
  open: ['n'],
  skipped: ['by', 'reason'],
  entry: ['entry', 'attempt'],
  photoOurs: ['entry'],
  'finding.order': ['entry'],
  'finding.broken': ['entry'],
  'finding.sealChanged': ['entry'],
  'finding.wrongSignature': ['entry'],
  'finding.addedAfterSeal': ['n'],
  'finding.blackedOut': ['entry'],
  'finding.step': ['step'],
  'finding.evidence': ['step', 'entry'],
  'finding.missing': ['entry'],
  'finding.picture': ['hash']
} as const

/** The page beside a report, which needs no network and no Fitter: it contains the JSON report and verifies it. */
export function makeSealPage(report: string, texts: Texts, isTraining: boolean): string {
  const script = readFileSync(path.join(folder, 'page.js'), 'utf8')
  const style = readFileSync(path.join(folder, 'page.css'), 'utf8')
  const say = (name: string, values: Record<string, string> = {}): string =>
    texts.say({ id: `sealPage.${name}` as MessageId, values })
  const words = Object.fromEntries([
    ...spoken.map((name) => [name, say(name)] as const),
    ...Object.entries(filled).map(
      ([name, values]) => [name, say(name, Object.fromEntries(values.map((value) => [value, `{${value}}`])))] as const
    )
  ])
  const policy = `default-src 'none'; script-src '${policyHash(script)}'; style-src '${policyHash(style)}'; img-src data:; base-uri 'none'; form-action 'none'`
  return `<!doctype html>
<html lang="${texts.settings.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(say('title'))}</title>
<style>${style}</style>
</head>
<body>
<main>
<header><p>Fitter · ${escape(say('title'))}</p></header>
${isTraining ? `<p class="training">${escape(texts.say(message('report.trainingNote')))}</p>\n` : ''}<div id="result" role="status"><h1>${escape(say('checking'))}</h1><noscript><p>${escape(say('noScript'))}</p></noscript></div>
<div id="rest" hidden>
<dl id="facts"></dl>
<p>${escape(say('howFar'))}</p>
<p><label>${escape(say('photo'))} <input type="file" id="photo"></label> <output id="photoResult"></output></p>
<div id="pictures"></div>
<div id="steps"></div>
<details><summary>${escape(say('log'))}</summary><div id="log"></div></details>
</div>
</main>
<script type="application/json" id="words">${JSON.stringify(words).replaceAll('<', '\\u003c')}</script>
${reportStart}${report}${reportEnd}
<script>${script}</script>
</body>
</html>
`
}

/** The report in a page, and whether the page equals the one that this version makes; undefined for other files. */
export function openSealPage(text: string): { report: string; isOurs: boolean } | undefined {
  const from = text.indexOf(reportStart)
  if (!text.startsWith('<!doctype html>') || from < 0) return undefined
  const report = text.slice(from + reportStart.length, text.indexOf(reportEnd, from))
  return { report, isOurs: makeAgain(report) === text }
}

function makeAgain(report: string): string | undefined {
  try {
    const { language, timeZone, isTraining } = JSON.parse(report) as {
      language?: Language
      timeZone?: string
      isTraining?: boolean
    }
    if (language === undefined || !listLanguages().includes(language)) return undefined
    return makeSealPage(
      report,
      createTexts({ language, ...(timeZone === undefined ? {} : { timeZone }) }),
      isTraining === true
    )
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined
    throw error
  }
}

/** The name of an inline script or style in a policy. */
export function policyHash(content: string): string {
  return `sha256-${createHash('sha256').update(content).digest('base64')}`
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
