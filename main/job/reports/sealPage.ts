import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { message, type MessageId } from '../../../preload/contract/messages.ts'
import { listIds, listLanguages } from '../../base/messages/catalogue.ts'
import { createTexts, type Texts } from '../../base/messages/texts.ts'
import type { PageWords } from './pageScript/page.ts'
import { projectFolder, resourcesFolder } from '../../base/projectFolder.ts'

/** Built from pageScript/page.ts. */
const scriptFile = path.join(projectFolder, 'out', 'sealPage', 'page.js')
const styleFile = path.join(resourcesFolder, 'sealPage', 'page.css')
const reportStart = '<script type="application/json" id="report">\n'
const reportEnd = '</script>'

/** What the script says of its own; the sentences of the check are those of the command. */
const spoken = [
  'holds',
  'hashOnly',
  'notSealed',
  'broken',
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
  'photoOurs',
  'skipped',
  'entry',
  'witness.device',
  'witness.gateway',
  'witness.person'
] as const

/**
 * The texts of the page, of everything that the check can say, and of the messages in the report, which the check may
 * repeat.
 */
function wordsOf(report: string, { settings, find }: Texts): PageWords {
  const checks = listIds('report').filter((id) => /^report\.(check|verdict)\./.test(id))
  const repeated = Array.from(report.matchAll(/"id": "([a-zA-Z]+\.[a-zA-Z0-9.]+)"/g), ([, id = '']) => id)
  const ids = [...spoken.map((name): MessageId => `sealPage.${name}`), ...checks, 'plain.text', ...repeated]
  const texts = Object.fromEntries(
    ids.flatMap((id) => {
      const text = find(id)
      return text === undefined ? [] : [[id, text]]
    })
  ) as Record<string, string>
  const { language, timeZone } = settings
  // None of these sentences has a quantity.
  return { settings: { language, timeZone, units: 'metric' }, texts }
}

/** The page beside a report, which needs no network and no Fitter: it contains the JSON report and verifies it. */
export function makeSealPage(report: string, texts: Texts, isTraining: boolean): string {
  const script = readFileSync(scriptFile, 'utf8')
  const style = readFileSync(styleFile, 'utf8')
  const say = (name: 'title' | 'checking' | 'noScript' | 'howFar' | 'photo' | 'log'): string =>
    texts.say(message(`sealPage.${name}`))
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
<script type="application/json" id="words">${JSON.stringify(wordsOf(report, texts)).replaceAll('<', '\\u003c')}</script>
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
    const { language, timeZone, isTraining } = (JSON.parse(report) ?? {}) as Record<string, unknown>
    if (typeof language !== 'string' || !listLanguages().includes(language)) return undefined
    return makeSealPage(
      report,
      createTexts({ language, ...(typeof timeZone === 'string' ? { timeZone } : {}) }),
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
