import type { Answer, Prompt } from '../../../preload/contract/job/jobs.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { isYes } from './inputs.ts'
import type { Terminal } from '../output/terminal.ts'

const armWord = 'ARM'

export async function askAtTerminal(
  terminal: Terminal,
  title: Message | string,
  prompt: Prompt,
  signal: AbortSignal
): Promise<Answer> {
  const { text: show } = terminal
  const ask = (question: Message | string) => terminal.ask(`${show(title)}: ${show(question)}`, signal)
  switch (prompt.kind) {
    case 'imei':
      return { value: await ask(terminal.text(prompt.text)) }
    case 'value':
      return { value: await ask(`${show(prompt.text)} [${prompt.unit}]`) }
    case 'text':
      return { value: await ask(terminal.text(prompt.text)) }
    case 'choice': {
      const choices = prompt.choices.map(({ id, text }) => `${id} = ${terminal.text(text)}`).join(', ')
      return { choose: await ask(`${show(prompt.text)} [${choices}]`) }
    }
    case 'ready':
      await ask(message('terminal.askReady', { text: prompt.text }))
      return { answer: true }
    case 'photo': {
      const path = await ask(message('terminal.askPhoto', { text: prompt.text }))
      return path === '' ? { answer: true } : { photo: path }
    }
    case 'picture':
    case 'yesNo':
      return { answer: await askYesNo(ask, terminal.text(prompt.text)) }
    case 'effect':
      return { effect: await askYesNo(ask, terminal.text(prompt.text)) }
    case 'choose':
      return { choose: await askChoice(ask, terminal.text(prompt.text), prompt.suggested) }
    case 'lines': {
      const text = await ask(message('terminal.askLines', { text: prompt.text }))
      return text === '' ? { answer: true } : { choose: text }
    }
    case 'arm':
      return { armed: (await ask(message('terminal.askArm', { text: prompt.text, word: armWord }))) === armWord }
    case 'signOff': {
      if (prompt.blockers.length > 0) terminal.say(message('terminal.notDoneYet', { steps: [...prompt.blockers] }))
      return { value: await ask(message('terminal.askTechnician')), choose: await ask(message('terminal.askCustomer')) }
    }
  }
}

/** Enter accepts what the gateway already has. */
async function askChoice(
  ask: (question: Message | string) => Promise<string>,
  text: string,
  suggested: Extract<Prompt, { kind: 'choose' }>['suggested']
): Promise<string> {
  if (!suggested) return ask(text)
  const typed = await ask(message('terminal.askSuggested', { text, name: suggested.name }))
  return typed === '' ? String(suggested.id) : typed
}

async function askYesNo(
  ask: (question: Message | string) => Promise<string>,
  text: Message | string
): Promise<boolean> {
  return isYes(await ask(message('terminal.askYesNo', { text })))
}
