import type { Answer, Prompt } from '../../preload/contract/jobs.ts'
import type { Terminal } from './terminal.ts'

const armWord = 'ARM'

/** Puts a step's question to the person at the terminal. */
export async function askAtTerminal(terminal: Terminal, title: string, prompt: Prompt, signal: AbortSignal): Promise<Answer> {
  const ask = (question: string) => terminal.ask(`${title}: ${question}`, signal)
  switch (prompt.kind) {
    case 'imei':
      return { value: await ask(terminal.text(prompt.text)) }
    case 'value':
      return { value: await ask(`${terminal.text(prompt.text)} [${prompt.unit}]`) }
    case 'yesNo':
      return { answer: await askYesNo(ask, terminal.text(prompt.text)) }
    case 'effect':
      return { effect: await askYesNo(ask, terminal.text(prompt.text)) }
    case 'choose':
      return { choose: await askChoice(ask, terminal.text(prompt.text), prompt.suggested) }
    case 'lines': {
      const text = await ask(`${terminal.text(prompt.text)} Names (IN1, IN2 …), "none", or Enter when those that moved are all:`)
      return text === '' ? { answer: true } : { choose: text }
    }
    case 'arm':
      return { armed: (await ask(`${terminal.text(prompt.text)} Type ${armWord} to go on:`)) === armWord }
    case 'signOff': {
      if (prompt.blockers.length > 0) terminal.say(`Not done yet: ${prompt.blockers.map((blocker) => terminal.text(blocker)).join(', ')}`)
      return { value: await ask('Name of the technician:'), choose: await ask('Name of the customer (may be empty):') }
    }
  }
}

/** What the gateway has already is taken with Enter. */
async function askChoice(ask: (question: string) => Promise<string>, text: string, suggested: Extract<Prompt, { kind: 'choose' }>['suggested']): Promise<string> {
  if (!suggested) return ask(text)
  const typed = await ask(`${text} (Enter: ${suggested.name})`)
  return typed === '' ? String(suggested.id) : typed
}

async function askYesNo(ask: (question: string) => Promise<string>, text: string): Promise<boolean> {
  return /^(y|yes|s|si|sí)$/i.test(await ask(`${text} [y/n]`))
}
