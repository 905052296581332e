import { describe, expect, it } from 'vitest'
import { useLatest } from '../../renderer/ui/useAction.ts'

interface Asked {
  answer: (text: string) => void
  fail: (why: unknown) => void
}

function ask() {
  const asked: Asked[] = []
  const shown: string[] = []
  const latest = useLatest(() => new Promise<string>((answer, fail) => asked.push({ answer, fail })), (text) => shown.push(text))
  return { ...latest, asked, shown }
}

describe('a question that may be asked again before it is answered', () => {
  it('shows only the answer to the last request, in whatever order they come', async () => {
    const { run, asked, shown, busy } = ask()
    const both = [run(), run()]
    asked[1]?.answer('second')
    await both[1]
    expect(busy.value).toBe(false)
    asked[0]?.answer('first')
    await both[0]
    expect(shown).toEqual(['second'])
  })

  it('says why the last request failed, and nothing of an earlier one', async () => {
    const { run, asked, error, busy } = ask()
    const both = [run(), run()]
    asked[0]?.fail(new Error('first'))
    await both[0]
    expect([error.value, busy.value]).toEqual([null, true])
    asked[1]?.fail('second')
    await both[1]
    expect([error.value?.message, busy.value]).toEqual(['second', false])
    const again = run()
    expect(error.value).toBeNull()
    asked[2]?.answer('third')
    await again
  })

  it('forgets what is still asked for', async () => {
    const { run, drop, asked, shown, busy } = ask()
    const one = run()
    drop()
    expect(busy.value).toBe(false)
    asked[0]?.answer('late')
    await one
    expect(shown).toEqual([])
  })
})
